import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, expect, it } from 'vitest';
import { withOwner } from '../../../test/database.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { pdf } from '../../../test/sample-files.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { uploadTo } from '../../../test/upload.ts';
import { removeStrayBytes } from './remove-files.ts';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp();
});

const picture = (side = 1500) =>
  sharp({ create: { width: side, height: side, channels: 3, background: 'white' } })
    .png()
    .toBuffer();

const uploadLogo = ({ people }: Firm, bytes: Buffer) => uploadTo(test, '/api/company/logo', people.admin.cookie, 'logo.png', bytes);

async function avatarPath({ people }: Firm): Promise<string> {
  const [member] = (await people.admin.client.staff.list()).rows;
  return `/api/staff/${member?.id}/avatar`;
}

it('resizes one image at a time, whoever sends them', async () => {
  const firms = await Promise.all(['One', 'Two', 'Three', 'Four'].map((name) => createFirm(test, name)));
  const bytes = await picture();
  const atOnce: number[] = [];
  const countTasks = () => {
    const { queue, process } = sharp.counters();
    return queue + process;
  };
  // A task that starts between the reads of the two counters is in both; the second time it is only in one.
  const count = () => void atOnce.push(Math.min(countTasks(), countTasks()));
  sharp.queue.on('change', count);
  const answers = await Promise.all(firms.map((firm) => uploadLogo(firm, bytes)));
  sharp.queue.off('change', count);
  expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200, 200, 200]);
  expect(Math.max(...atOnce)).toBe(1);
  expect(sharp.concurrency()).toBe(1);
});

it('does not keep one company’s image waiting for the many of another', async () => {
  const [busy, quiet] = [await createFirm(test, 'Busy'), await createFirm(test, 'Quiet')];
  const bytes = await picture(5000);
  const incoming = () => readdir(join(test.app.platform.config.dataDir, 'files', 'incoming'));
  const finished: string[] = [];
  const send = async (firm: Firm, name: string) => {
    expect((await uploadLogo(firm, bytes)).statusCode).toBe(200);
    finished.push(name);
  };
  const many = Array.from({ length: 6 }, () => send(busy, 'busy'));
  await expect.poll(async () => (await incoming()).length, { interval: 1 }).toBeGreaterThanOrEqual(6);
  await send(quiet, 'quiet');
  expect(finished.length).toBeLessThan(5);
  await Promise.all(many);
});

it('refuses more than a few waiting images of a company and leaves nothing behind', async () => {
  const firm = await createFirm(test);
  const bytes = await picture();
  const answers = await Promise.all(Array.from({ length: 12 }, () => uploadLogo(firm, bytes)));
  const refused = answers.filter(({ statusCode }) => statusCode === 429);
  expect(answers.filter(({ statusCode }) => statusCode === 200).length).toBeGreaterThanOrEqual(5);
  expect(refused.length).toBeGreaterThan(0);
  expect(await readdir(join(test.app.platform.config.dataDir, 'files', 'incoming'))).toEqual([]);
});

it('limits a company to sixty images an hour, not counting files that are none', async () => {
  const firm = await createFirm(test);
  const path = await avatarPath(firm);
  const bytes = await picture();
  expect((await uploadLogo(firm, bytes)).statusCode).toBe(200);
  await test.owner.query(`update rate_limits set attempts = 59 where key = $1`, [`images ${firm.companyId}`]);
  for (let n = 0; n < 2; n += 1) {
    expect((await uploadTo(test, path, firm.people.admin.cookie, 'me.png', pdf())).statusCode).toBe(415);
  }
  expect((await uploadLogo(firm, bytes)).statusCode).toBe(200);
  for (const answer of [await uploadLogo(firm, bytes), await uploadTo(test, path, firm.people.admin.cookie, 'me.png', bytes)]) {
    expect([answer.statusCode, answer.json()]).toMatchObject([
      429,
      { code: 'TOO_MANY_ATTEMPTS', data: { retry_after: expect.any(Number) } },
    ]);
  }
  expect((await uploadLogo(await createFirm(test, 'Other'), bytes)).statusCode).toBe(200);
});

it('lets one person use up only their own images, ten an hour', async () => {
  const firm = await createFirm(test);
  const sendOwn = (role: 'staff' | 'manager', bytes: Buffer) => uploadTo(test, '/api/me/avatar', firm.people[role].cookie, 'me.png', bytes);
  for (let n = 0; n < 10; n += 1) expect((await sendOwn('staff', pdf())).statusCode).toBe(415);
  const refused = await sendOwn('staff', await picture());
  expect([refused.statusCode, refused.json()]).toMatchObject([429, { message: 'Too many attempts. Please try again in 60 minutes.' }]);
  expect((await sendOwn('manager', await picture())).statusCode).toBe(200);
  expect((await uploadLogo(firm, await picture())).statusCode).toBe(200);
});

it('does not show an image whose commit failed, and the sweep removes its bytes', async () => {
  const firm = await createFirm(test);
  await withOwner(test.database, (owner) =>
    owner.query(`
      create function refuse() returns trigger language plpgsql as $$ begin raise exception 'No room'; end $$;
      create constraint trigger refuse after insert on files deferrable initially deferred for each row execute function refuse();`),
  );
  expect((await uploadLogo(firm, await picture())).statusCode).toBe(500);
  await withOwner(test.database, (owner) => owner.query('drop function refuse cascade'));
  expect((await firm.people.admin.client.company.me()).profile?.avatar_url).toBeNull();
  const kept = () => readdir(join(test.app.platform.config.dataDir, 'files', 'kept', firm.companyId));
  expect(await kept()).toHaveLength(1);
  const { files, log, pools } = test.app.platform;
  await removeStrayBytes({ files, log, pool: pools.system }, new Date(Date.now() + 60_000));
  expect(await kept()).toEqual([]);
});

it('answers 404 for an image whose bytes are missing on disk', async () => {
  const firm = await createFirm(test);
  const url = (await uploadLogo(firm, await picture())).json<{ avatar_url: string }>().avatar_url;
  expect((await test.request('GET', url.toUpperCase().replace('/API/IMAGES/', '/api/images/'))).statusCode).toBe(200);
  await rm(join(test.app.platform.config.dataDir, 'files', 'kept', firm.companyId), { recursive: true });
  const answer = await test.request('GET', url);
  expect([answer.statusCode, answer.json()]).toMatchObject([404, { code: 'NOT_FOUND', message: 'File not found' }]);
  expect(answer.headers['cache-control']).toBe('no-store');
});
