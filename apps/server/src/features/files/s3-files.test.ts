import { randomBytes, randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { waitForQueue } from '../../../test/queue.ts';
import { type S3Server, startS3Server } from '../../../test/s3-server.ts';
import { buildPdf, buildPng } from '../../../test/sample-files.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { uploadFile } from '../../../test/upload.ts';

let s3: S3Server;
/** Two servers of one firm, with nothing in common but the database and the bucket. Only the second one signs URLs. */
let first: TestApp;
let second: TestApp;
let firm: Firm;
let stranger: Firm;

beforeAll(async () => {
  s3 = await startS3Server();
  const environment = { ...s3.environment, SESSION_SECRET: 'one secret for both servers which share sessions' };
  first = await startTestApp(environment);
  second = await startTestApp({ ...environment, FILES_SIGNED_READS: '1' }, { database: first.database, isDatabaseShared: true });
  firm = await createFirm(first);
  stranger = await createFirm(first);
});

const PHOTO = Buffer.concat([buildPng(), randomBytes(700_000)]);

async function upload(test: TestApp, bytes: Buffer, name: string, id: string = randomUUID()) {
  return { id, response: await uploadFile(test, `/api/files/${id}`, firm.people.staff.cookie, name, bytes) };
}

const download = (test: TestApp, path: string, { people }: Firm = firm) => test.request('GET', path, { cookie: people.staff.cookie });

const listBucket = () => readdir(s3.bucketFolder, { recursive: true }).then((names) => names.filter((name) => name.endsWith('_object')));
const listIncoming = (test: TestApp) => readdir(join(test.app.platform.config.dataDir, 'files', 'incoming'));

it('stores uploads in the bucket, where every server finds them', async () => {
  const { id, response } = await upload(first, PHOTO, 'leak.png');
  expect(response.statusCode).toBe(201);
  const read = await download(first, `/api/files/${id}`);
  expect([read.statusCode, read.rawPayload.equals(PHOTO)]).toEqual([200, true]);
  expect((await download(first, `/api/files/${id}/thumbnail`)).headers['content-type']).toBe('image/webp');
  const { id: otherId } = await upload(second, buildPdf(), 'plan.pdf');
  expect((await download(first, `/api/files/${otherId}`)).rawPayload.equals(buildPdf())).toBe(true);
  expect([await listIncoming(first), await listIncoming(second)]).toEqual([[], []]);
  expect((await listBucket()).filter((name) => name.startsWith('incoming'))).toEqual([]);
});

it('redirects people who may see a file to the bucket, and no one else', async () => {
  const { id } = await upload(first, PHOTO, 'the leak (1).png');
  const response = await download(second, `/api/files/${id}`);
  expect([response.statusCode, response.headers['cache-control']]).toEqual([302, 'no-store']);
  const photo = await fetch(String(response.headers.location));
  expect(Buffer.from(await photo.arrayBuffer()).equals(PHOTO)).toBe(true);
  expect([photo.headers.get('content-type'), photo.headers.get('content-disposition'), photo.headers.get('cache-control')]).toEqual([
    'image/png',
    "inline; filename*=UTF-8''the%20leak%20%281%29.png",
    'private, max-age=600',
  ]);
  const saved = await fetch(String((await download(second, `/api/files/${id}?download`)).headers.location));
  expect(saved.headers.get('content-disposition')).toMatch(/^attachment; /);
  expect((await download(second, `/api/files/${id}`, stranger)).statusCode).toBe(404);
  expect((await second.request('GET', `/api/files/${id}`)).statusCode).toBe(401);
  const policies = [response, await download(first, `/api/files/${id}`)].map(({ headers }) => String(headers['content-security-policy']));
  expect(policies[0]).toContain(`img-src 'self' data: blob: ${s3.endpoint};`);
  expect(policies[1]).not.toContain(s3.endpoint);
});

it('sends scripts the bytes instead of redirecting them, because they may not read from another origin', async () => {
  const { id } = await upload(first, PHOTO, 'leak.png');
  const options = { cookie: firm.people.staff.cookie, headers: { 'x-callout-client': 'callout-web' } };
  const response = await second.request('GET', `/api/files/${id}`, options);
  expect([response.statusCode, response.rawPayload.equals(PHOTO)]).toEqual([200, true]);
});

it('answers with 404 if the bucket lacks the bytes, also where people are redirected', async () => {
  const { id } = await upload(first, buildPdf(), 'plan.pdf');
  await first.app.platform.files.remove([`${firm.companyId}/${id}`]);
  for (const test of [first, second]) expect((await download(test, `/api/files/${id}`)).statusCode).toBe(404);
});

it('removes the bytes of a replaced logo from the bucket', async () => {
  const listFirm = async () => (await listBucket()).filter((name) => name.includes(stranger.companyId));
  for (let n = 0; n < 2; n += 1) await uploadFile(first, '/api/company/logo', stranger.people.admin.cookie, 'logo.png', buildPng());
  await waitForQueue(first);
  expect(await listFirm()).toHaveLength(1);
});

it('rejects uploads and downloads with one sentence while the bucket is unreachable, and then accepts the same upload', async () => {
  const { id: storedId } = await upload(first, buildPdf(), 'plan.pdf');
  await s3.kill();
  const message = 'Files are not available right now. Please try again in a moment.';
  const { id, response } = await upload(first, PHOTO, 'leak.png');
  expect([response.statusCode, response.json()]).toEqual([503, expect.objectContaining({ code: 'UNAVAILABLE', message })]);
  for (const test of [first, second]) {
    const read = await download(test, `/api/files/${storedId}`);
    expect([read.statusCode, read.json()]).toEqual([503, expect.objectContaining({ message })]);
    expect(test.logLines.join('\n')).toContain('The file store cannot be reached (ECONNREFUSED).');
  }
  expect((await first.owner.query('select from files where id = $1', [id])).rowCount).toBe(0);
  expect(await listIncoming(first)).toEqual([]);
  expect((await firm.people.staff.client.jobs.list({})).rows).toEqual([]);

  await s3.restart();
  expect((await upload(first, PHOTO, 'leak.png', id)).response.statusCode).toBe(201);
  expect((await download(first, `/api/files/${id}`)).rawPayload.equals(PHOTO)).toBe(true);
});
