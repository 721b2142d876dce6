import { randomUUID } from 'node:crypto';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY_MS, HOUR_MS } from '@callout/domain/time/time-units';
import sharp from 'sharp';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitUntilBlocked, withOwnerClient } from '../../../test/database.ts';
import { buildMember } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { buildPdf } from '../../../test/sample-files.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { uploadFile } from '../../../test/upload.ts';
import { createUnattachedFileSweep, removeOrphanedBytes, sweepOrphanedBytes } from './remove-files.ts';

let test: TestApp;
let firm: Firm;

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createFirm(test);
});

const LONG_AGO = new Date(Date.now() - 2 * DAY_MS);

const getFolder = ({ companyId }: Firm) => join(test.app.platform.config.dataDir, 'files', 'kept', companyId);
const listStored = async (owner: Firm): Promise<string[]> => readdir(getFolder(owner)).catch(() => []);
const getServices = () => ({ files: test.app.platform.files, log: test.app.platform.log, pool: test.app.platform.pools.system });
const getDayAgo = () => new Date(Date.now() - DAY_MS);

/** Sweeps unattached files twice, `hoursApart` hours of uptime apart, and then sweeps orphaned bytes. */
async function runSweeps(hoursApart = 6, before = getDayAgo()): Promise<void> {
  let uptimeMs = 0;
  const removeUnattached = createUnattachedFileSweep(getServices(), () => uptimeMs);
  await removeUnattached(before);
  uptimeMs += hoursApart * HOUR_MS;
  await removeUnattached(before);
  await sweepOrphanedBytes(getServices(), before);
}

async function upload(id: string = randomUUID()): Promise<string> {
  expect((await uploadFile(test, `/api/files/${id}`, firm.people.staff.cookie, 'plan.pdf', buildPdf())).statusCode).toBe(201);
  return id;
}

async function uploadImage(path: string): Promise<string> {
  const bytes = await sharp({ create: { width: 20, height: 20, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();
  const response = await uploadFile(test, path, firm.people.admin.cookie, 'a.png', bytes);
  return response.json<{ avatar_url: string }>().avatar_url.split('/').at(-1) ?? '';
}

/** Makes files look as if they were uploaded two days ago. */
async function backdateFiles(...ids: readonly string[]): Promise<void> {
  await test.owner.query('update files set unattached_since = $2, created_at = $2 where id = any ($1) and owner_kind is null', [
    ids,
    LONG_AGO,
  ]);
  await test.owner.query('update files set created_at = $2 where id = any ($1)', [ids, LONG_AGO]);
  for (const id of ids) await utimes(join(getFolder(firm), id), LONG_AGO, LONG_AGO);
}

async function readOwner(id: string) {
  const { rows } = await test.owner.query<object>(
    'select owner_kind, owner_id, unattached_since is not null as is_waiting from files where id = $1',
    [id],
  );
  return rows[0];
}

describe('a file’s owner', () => {
  it('is the company, a staff member, or not set yet', async () => {
    const { member } = await firm.people.admin.client.staff.invite(buildMember());
    expect(await readOwner(await uploadImage('/api/company/logo'))).toEqual({
      owner_kind: 'company',
      owner_id: firm.companyId,
      is_waiting: false,
    });
    const avatar = await uploadImage(`/api/staff/${member.id}/avatar`);
    expect(await readOwner(avatar)).toEqual({ owner_kind: 'staff_member', owner_id: member.id, is_waiting: false });
    expect(await readOwner(await upload())).toEqual({ owner_kind: null, owner_id: null, is_waiting: true });
  });

  it('is required unless the file is flagged as not attached to a record', async () => {
    const id = await upload();
    for (const change of [
      `owner_kind = 'job', owner_id = gen_random_uuid()`,
      'unattached_since = null',
      `owner_kind = 'job', unattached_since = null`,
    ]) {
      await expect(test.owner.query(`update files set ${change} where id = $1`, [id])).rejects.toMatchObject({ code: '23514' });
    }
    await test.owner.query(`update files set owner_kind = 'job', owner_id = $2, unattached_since = null where id = $1`, [id, randomUUID()]);
  });
});

describe('the file sweep', () => {
  it('removes the rows and bytes of files that were not attached within a day', async () => {
    const [old, recent] = [await upload(), await upload()];
    await backdateFiles(old);
    await runSweeps();
    expect(await listStored(firm)).toEqual([recent]);
    expect((await test.request('GET', `/api/files/${old}`, { cookie: firm.people.staff.cookie })).statusCode).toBe(404);
    expect((await test.request('GET', `/api/files/${recent}`, { cookie: firm.people.staff.cookie })).statusCode).toBe(200);
  });

  it('keeps old files that have an owner or were stored before owners were recorded', async () => {
    const { member } = await firm.people.admin.client.staff.invite(buildMember());
    const images = [await uploadImage('/api/company/logo'), await uploadImage(`/api/staff/${member.id}/avatar`)];
    const [attached, unknown] = [await upload(), await upload()];
    await test.owner.query(`update files set owner_kind = 'job', owner_id = $2, unattached_since = null where id = $1`, [
      attached,
      randomUUID(),
    ]);
    await test.owner.query(`update files set owner_kind = 'unknown', unattached_since = null where id = $1`, [unknown]);
    const all = [...images, attached, unknown];
    await backdateFiles(...all);
    await runSweeps();
    expect((await listStored(firm)).toSorted()).toEqual(all.toSorted());
  });

  it('removes bytes without a file row after a day, unless their company is unknown', async () => {
    const file = await upload();
    await backdateFiles(file);
    await test.owner.query(`update files set owner_kind = 'unknown', unattached_since = null where id = $1`, [file]);
    const foreign = { ...firm, companyId: randomUUID() };
    await mkdir(getFolder(foreign));
    const [old, recent] = [randomUUID(), randomUUID()];
    for (const owner of [firm, foreign]) {
      for (const name of [old, recent, 'notes.txt']) await writeFile(join(getFolder(owner), name), 'bytes');
      for (const name of [old, 'notes.txt']) await utimes(join(getFolder(owner), name), LONG_AGO, LONG_AGO);
    }
    await runSweeps();
    expect((await listStored(firm)).toSorted()).toEqual([file, recent, 'notes.txt'].toSorted());
    expect((await listStored(foreign)).toSorted()).toEqual([old, recent, 'notes.txt'].toSorted());
  });

  it('logs what it removed, but only if it removed something', async () => {
    await backdateFiles(await upload());
    const findLogLines = () => test.logLines.filter((line) => line.includes('Removed unattached files'));
    const before = findLogLines().length;
    await runSweeps();
    await runSweeps();
    expect(
      findLogLines()
        .slice(before)
        .map((line) => JSON.parse(line) as object),
    ).toMatchObject([{ unattached: 1 }]);
  });

  it('keeps a new upload for several hours even if the clock jumps forward by days', async () => {
    const id = await upload();
    const jumpedTime = new Date(Date.now() + 2 * DAY_MS);
    await runSweeps(5, jumpedTime);
    expect(await listStored(firm)).toEqual([id]);
    expect((await test.request('GET', `/api/files/${id}`, { cookie: firm.people.staff.cookie })).statusCode).toBe(200);
    await runSweeps(6, jumpedTime);
    expect(await listStored(firm)).toEqual([]);
  });

  it('restarts the waiting time of a file that was attached between two sweeps', async () => {
    const id = await upload();
    await backdateFiles(id);
    let uptimeMs = 0;
    const removeUnattached = createUnattachedFileSweep(getServices(), () => uptimeMs);
    await removeUnattached(getDayAgo());
    const attach = `update files set owner_kind = 'job', owner_id = gen_random_uuid(), unattached_since = null where id = $1`;
    const detach = 'update files set owner_kind = null, owner_id = null, unattached_since = $2 where id = $1';
    await test.owner.query(attach, [id]);
    await removeUnattached(getDayAgo());
    await test.owner.query(detach, [id, LONG_AGO]);
    uptimeMs += 6 * HOUR_MS;
    await removeUnattached(getDayAgo());
    expect(await listStored(firm)).toEqual([id]);
    uptimeMs += 6 * HOUR_MS;
    await removeUnattached(getDayAgo());
    expect(await listStored(firm)).toEqual([]);
  });
});

describe('a deleted file’s bytes', () => {
  it('are preserved if the upload is retried before they are removed', async () => {
    const id = await upload();
    await test.owner.query('delete from files where id = $1', [id]);
    await upload(id);
    await removeOrphanedBytes(getServices(), [`${firm.companyId}/${id}`]);
    expect(await listStored(firm)).toEqual([id]);
  });

  it('are preserved if the upload is retried while they are being removed', async () => {
    const id = await upload();
    await test.owner.query('delete from files where id = $1', [id]);
    await withOwnerClient(test.database, async (owner) => {
      await owner.query('begin');
      await owner.query('select from file_usage where company_id = $1 for update', [firm.companyId]);
      const retry = upload(id);
      await waitUntilBlocked(test.database);
      const removal = removeOrphanedBytes(getServices(), [`${firm.companyId}/${id}`]);
      await waitUntilBlocked(test.database, 2);
      await owner.query('commit');
      await Promise.all([retry, removal]);
    });
    const downloaded = await test.request('GET', `/api/files/${id}`, { cookie: firm.people.staff.cookie });
    expect([downloaded.statusCode, downloaded.rawPayload.equals(buildPdf())]).toEqual([200, true]);
  });
});
