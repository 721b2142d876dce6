import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { createFirm, type Firm, toTenant } from '../../../test/factories/people.ts';
import { openPausableProxy, type PausableProxy } from '../../../test/pausable-proxy.ts';
import { startS3Server } from '../../../test/s3-server.ts';
import { buildPng } from '../../../test/sample-files.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { uploadFile } from '../../../test/upload.ts';
import { runTenantQuery, runTenantTransaction } from '../../platform/db/tenant-scope.ts';
import { findFile } from '../../platform/files/files.sql.ts';
import { readPublicCopy } from './public-copy.ts';
import { removeFileTask } from './remove-files.ts';

let proxy: PausableProxy;
let test: TestApp;
let firm: Firm;

beforeAll(async () => {
  const s3 = await startS3Server();
  proxy = await openPausableProxy(s3.endpoint);
  test = await startTestApp({ ...s3.environment, S3_ENDPOINT: proxy.url });
});

beforeEach(async () => {
  firm = await createFirm(test);
});

afterEach(() => proxy.resume());

const upload = (id: string) => uploadFile(test, `/api/files/${id}`, firm.people.staff.cookie, 'leak.png', buildPng());
const countBusyConnections = () => test.app.platform.pools.app.totalCount - test.app.platform.pools.app.idleCount;
const WAITING = 3;

/** Runs requests for files while the bucket hangs, and returns how many connections to the database they held while they waited for it. */
async function runWhileHanging<Result>(work: () => Promise<Result>) {
  proxy.pause();
  const results = Promise.allSettled(Array.from({ length: WAITING }, work));
  await vi.waitUntil(() => proxy.countHeldRequests() >= WAITING, { timeout: 10_000 });
  return { busy: countBusyConnections(), results: await results };
}

it('holds no database connection of a public photo’s request', async () => {
  const id = randomUUID();
  await upload(id);
  const file = await runTenantQuery(test.app.platform.pools.app, toTenant(firm), (scope) => findFile(scope, id));
  if (!file) throw new Error('The upload failed');
  const readCopy = () => readPublicCopy(test.app.platform, toTenant(firm), file);
  expect((await readCopy())?.file_name).toBe('leak.png');
  const { busy, results } = await runWhileHanging(readCopy);
  expect([busy, results.map(({ status }) => status)]).toEqual([0, Array<string>(WAITING).fill('rejected')]);
});

it('holds no database connection of a repeated upload', async () => {
  const id = randomUUID();
  expect((await upload(id)).statusCode).toBe(201);
  const { busy, results } = await runWhileHanging(() => upload(id));
  const statuses = results.map((result) => 'value' in result && result.value.statusCode);
  expect([busy, statuses]).toEqual([0, Array<number>(WAITING).fill(503)]);
  proxy.resume();
  expect((await upload(id)).statusCode).toBe(201);
});

// Without a limit, the bucket's own timeouts would end the request after 50 seconds.
it('refuses a new small file, and stores it once the bucket answers', { timeout: 30_000 }, async () => {
  const id = randomUUID();
  proxy.pause();
  expect((await upload(id)).statusCode).toBe(503);
  proxy.resume();
  expect((await upload(id)).statusCode).toBe(201);
});

it('keeps no other work of the queue waiting', async () => {
  const keys = Array.from({ length: 4 }, () => ({ key: `${firm.companyId}/${randomUUID()}` }));
  proxy.pause();
  await runTenantTransaction(test.app.platform.pools.app, toTenant(firm), (scope) => removeFileTask.queueEach(scope, keys));
  await vi.waitUntil(() => proxy.countHeldRequests() > 0, { timeout: 10_000 });
  await test.client().auth.requestPasswordReset({ email: firm.people.admin.email });
  const find = `select from outbox_mails where recipient = $1`;
  await vi.waitUntil(async () => ((await test.owner.query(find, [firm.people.admin.email])).rowCount ?? 0) > 0, { timeout: 20_000 });
  const { rowCount } = await test.owner.query(`select from graphile_worker.jobs where task_identifier = 'remove-file'`);
  expect(rowCount).toBe(keys.length);
});
