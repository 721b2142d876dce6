import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, expect, it } from 'vitest';
import { withOwnerClient } from '../../../test/database.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { buildPdf } from '../../../test/sample-files.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { uploadFile } from '../../../test/upload.ts';
import { sweepOrphanedBytes } from './remove-files.ts';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp();
});

const createImage = (side = 1500) =>
  sharp({ create: { width: side, height: side, channels: 3, background: 'white' } })
    .png()
    .toBuffer();

const uploadLogo = ({ people }: Firm, bytes: Buffer) => uploadFile(test, '/api/company/logo', people.admin.cookie, 'logo.png', bytes);

async function getAvatarPath({ people }: Firm): Promise<string> {
  const [member] = (await people.admin.client.staff.list()).rows;
  return `/api/staff/${member?.id}/avatar`;
}

it('resizes one image at a time across all companies', async () => {
  const firms = await Promise.all(['One', 'Two', 'Three', 'Four'].map((name) => createFirm(test, name)));
  const bytes = await createImage();
  const taskCounts: number[] = [];
  const countTasks = () => {
    const { queue, process } = sharp.counters();
    return queue + process;
  };
  // A task that starts between the two counter reads is counted twice, so count again and use the lower number.
  const recordCount = () => void taskCounts.push(Math.min(countTasks(), countTasks()));
  sharp.queue.on('change', recordCount);
  const responses = await Promise.all(firms.map((firm) => uploadLogo(firm, bytes)));
  sharp.queue.off('change', recordCount);
  expect(responses.map((response) => response.statusCode)).toEqual([200, 200, 200, 200]);
  expect(Math.max(...taskCounts)).toBe(1);
  expect(sharp.concurrency()).toBe(1);
});

it('does not make one company’s image wait for all of another company’s images', async () => {
  const [busy, quiet] = [await createFirm(test, 'Busy'), await createFirm(test, 'Quiet')];
  const bytes = await createImage(5000);
  const listIncoming = () => readdir(join(test.app.platform.config.dataDir, 'files', 'incoming'));
  const finished: string[] = [];
  const send = async (firm: Firm, name: string) => {
    expect((await uploadLogo(firm, bytes)).statusCode).toBe(200);
    finished.push(name);
  };
  const busyUploads = Array.from({ length: 6 }, () => send(busy, 'busy'));
  await expect.poll(async () => (await listIncoming()).length, { interval: 1 }).toBeGreaterThanOrEqual(6);
  await send(quiet, 'quiet');
  expect(finished.length).toBeLessThan(5);
  await Promise.all(busyUploads);
});

it('rejects more than a few waiting images per company and leaves nothing behind', async () => {
  const firm = await createFirm(test);
  const bytes = await createImage();
  const responses = await Promise.all(Array.from({ length: 12 }, () => uploadLogo(firm, bytes)));
  const rejected = responses.filter(({ statusCode }) => statusCode === 429);
  expect(responses.filter(({ statusCode }) => statusCode === 200).length).toBeGreaterThanOrEqual(5);
  expect(rejected.length).toBeGreaterThan(0);
  expect(await readdir(join(test.app.platform.config.dataDir, 'files', 'incoming'))).toEqual([]);
});

it('limits a company to sixty images an hour, not counting files that aren’t images', async () => {
  const firm = await createFirm(test);
  const path = await getAvatarPath(firm);
  const bytes = await createImage();
  expect((await uploadLogo(firm, bytes)).statusCode).toBe(200);
  await test.owner.query(`update rate_limits set attempts = 59 where key = $1`, [`images ${firm.companyId}`]);
  for (let n = 0; n < 2; n += 1) {
    expect((await uploadFile(test, path, firm.people.admin.cookie, 'me.png', buildPdf())).statusCode).toBe(415);
  }
  expect((await uploadLogo(firm, bytes)).statusCode).toBe(200);
  for (const response of [await uploadLogo(firm, bytes), await uploadFile(test, path, firm.people.admin.cookie, 'me.png', bytes)]) {
    expect([response.statusCode, response.json()]).toMatchObject([
      429,
      { code: 'TOO_MANY_ATTEMPTS', data: { retry_after: expect.any(Number) } },
    ]);
  }
  expect((await uploadLogo(await createFirm(test, 'Other'), bytes)).statusCode).toBe(200);
});

it('limits a person to ten avatar uploads an hour without affecting colleagues', async () => {
  const firm = await createFirm(test);
  const uploadMyAvatar = (role: 'staff' | 'manager', bytes: Buffer) =>
    uploadFile(test, '/api/me/avatar', firm.people[role].cookie, 'me.png', bytes);
  for (let n = 0; n < 10; n += 1) expect((await uploadMyAvatar('staff', buildPdf())).statusCode).toBe(415);
  const rejected = await uploadMyAvatar('staff', await createImage());
  expect([rejected.statusCode, rejected.json()]).toMatchObject([429, { message: 'Too many attempts. Please try again in 60 minutes.' }]);
  expect((await uploadMyAvatar('manager', await createImage())).statusCode).toBe(200);
  expect((await uploadLogo(firm, await createImage())).statusCode).toBe(200);
});

it('ignores an image whose transaction failed to commit, and lets the sweep remove its bytes', async () => {
  const firm = await createFirm(test);
  await withOwnerClient(test.database, (owner) =>
    owner.query(`
      create function reject_insert() returns trigger language plpgsql as $$ begin raise exception 'No room'; end $$;
      create constraint trigger reject_insert after insert on files deferrable initially deferred for each row execute function reject_insert();`),
  );
  expect((await uploadLogo(firm, await createImage())).statusCode).toBe(500);
  await withOwnerClient(test.database, (owner) => owner.query('drop function reject_insert cascade'));
  expect((await firm.people.admin.client.company.me()).profile?.avatar_url).toBeNull();
  const listStored = () => readdir(join(test.app.platform.config.dataDir, 'files', 'kept', firm.companyId));
  expect(await listStored()).toHaveLength(1);
  const { files, log, pools } = test.app.platform;
  await sweepOrphanedBytes({ files, log, pool: pools.system }, new Date(Date.now() + 60_000));
  expect(await listStored()).toEqual([]);
});

it('responds with 404 for an image whose bytes are missing on disk', async () => {
  const firm = await createFirm(test);
  const url = (await uploadLogo(firm, await createImage())).json<{ avatar_url: string }>().avatar_url;
  expect((await test.request('GET', url.toUpperCase().replace('/API/IMAGES/', '/api/images/'))).statusCode).toBe(200);
  await rm(join(test.app.platform.config.dataDir, 'files', 'kept', firm.companyId), { recursive: true });
  const response = await test.request('GET', url);
  expect([response.statusCode, response.json()]).toMatchObject([404, { code: 'NOT_FOUND', message: 'File not found' }]);
  expect(response.headers['cache-control']).toBe('no-store');
});
