import { randomUUID } from 'node:crypto';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY_MS, HOUR_MS } from '@callout/domain/time/time-units';
import sharp from 'sharp';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitUntilBlocked, withOwner } from '../../../test/database.ts';
import { newMember } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { pdf } from '../../../test/sample-files.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { uploadTo } from '../../../test/upload.ts';
import { createUnattachedSweep, removeBytes, removeStrayBytes } from './remove-files.ts';

let test: TestApp;
let firm: Firm;

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createFirm(test);
});

const LONG_AGO = new Date(Date.now() - 2 * DAY_MS);

const folderOf = ({ companyId }: Firm) => join(test.app.platform.config.dataDir, 'files', 'kept', companyId);
const keptBy = async (of: Firm): Promise<string[]> => readdir(folderOf(of)).catch(() => []);
const parts = () => ({ files: test.app.platform.files, log: test.app.platform.log, pool: test.app.platform.pools.system });
const dayAgo = () => new Date(Date.now() - DAY_MS);

/** Runs the scheduled sweeps with this many hours of uptime between two that see the same files. */
async function sweep(hoursApart = 6, before = dayAgo()): Promise<void> {
  let uptimeMs = 0;
  const removeUnattached = createUnattachedSweep(parts(), () => uptimeMs);
  await removeUnattached(before);
  uptimeMs += hoursApart * HOUR_MS;
  await removeUnattached(before);
  await removeStrayBytes(parts(), before);
}

async function upload(id: string = randomUUID()): Promise<string> {
  expect((await uploadTo(test, `/api/files/${id}`, firm.people.staff.cookie, 'plan.pdf', pdf())).statusCode).toBe(201);
  return id;
}

async function uploadImage(path: string): Promise<string> {
  const bytes = await sharp({ create: { width: 20, height: 20, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();
  const answer = await uploadTo(test, path, firm.people.admin.cookie, 'a.png', bytes);
  return answer.json<{ avatar_url: string }>().avatar_url.split('/').at(-1) ?? '';
}

/** As if it had been uploaded two days ago. */
async function age(...ids: readonly string[]): Promise<void> {
  await test.owner.query('update files set unattached_since = $2, created_at = $2 where id = any ($1) and owner_kind is null', [
    ids,
    LONG_AGO,
  ]);
  await test.owner.query('update files set created_at = $2 where id = any ($1)', [ids, LONG_AGO]);
  for (const id of ids) await utimes(join(folderOf(firm), id), LONG_AGO, LONG_AGO);
}

async function ownerOf(id: string) {
  const { rows } = await test.owner.query<object>(
    'select owner_kind, owner_id, unattached_since is not null as waits from files where id = $1',
    [id],
  );
  return rows[0];
}

describe('the owner of a file', () => {
  it('is the company, the member or nobody yet', async () => {
    const { member } = await firm.people.admin.client.staff.invite(newMember());
    expect(await ownerOf(await uploadImage('/api/company/logo'))).toEqual({
      owner_kind: 'company',
      owner_id: firm.companyId,
      waits: false,
    });
    const avatar = await uploadImage(`/api/staff/${member.id}/avatar`);
    expect(await ownerOf(avatar)).toEqual({ owner_kind: 'staff_member', owner_id: member.id, waits: false });
    expect(await ownerOf(await upload())).toEqual({ owner_kind: null, owner_id: null, waits: true });
  });

  it('is either set or awaited, never both and never neither', async () => {
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

describe('the sweep', () => {
  it('removes the rows and bytes of files that nobody attached within a day', async () => {
    const [old, recent] = [await upload(), await upload()];
    await age(old);
    await sweep();
    expect(await keptBy(firm)).toEqual([recent]);
    expect((await test.request('GET', `/api/files/${old}`, { cookie: firm.people.staff.cookie })).statusCode).toBe(404);
    expect((await test.request('GET', `/api/files/${recent}`, { cookie: firm.people.staff.cookie })).statusCode).toBe(200);
  });

  it('keeps files with an owner, however old, and files from before owners were recorded', async () => {
    const { member } = await firm.people.admin.client.staff.invite(newMember());
    const images = [await uploadImage('/api/company/logo'), await uploadImage(`/api/staff/${member.id}/avatar`)];
    const [attached, unknown] = [await upload(), await upload()];
    await test.owner.query(`update files set owner_kind = 'job', owner_id = $2, unattached_since = null where id = $1`, [
      attached,
      randomUUID(),
    ]);
    await test.owner.query(`update files set owner_kind = 'unknown', unattached_since = null where id = $1`, [unknown]);
    const all = [...images, attached, unknown];
    await age(...all);
    await sweep();
    expect((await keptBy(firm)).toSorted()).toEqual(all.toSorted());
  });

  it('removes bytes without a file after a day, except those of an unknown company', async () => {
    const file = await upload();
    await age(file);
    await test.owner.query(`update files set owner_kind = 'unknown', unattached_since = null where id = $1`, [file]);
    const foreign = { ...firm, companyId: randomUUID() };
    await mkdir(folderOf(foreign));
    const [old, recent] = [randomUUID(), randomUUID()];
    for (const of of [firm, foreign]) {
      for (const name of [old, recent, 'notes.txt']) await writeFile(join(folderOf(of), name), 'bytes');
      for (const name of [old, 'notes.txt']) await utimes(join(folderOf(of), name), LONG_AGO, LONG_AGO);
    }
    await sweep();
    expect((await keptBy(firm)).toSorted()).toEqual([file, recent, 'notes.txt'].toSorted());
    expect((await keptBy(foreign)).toSorted()).toEqual([old, recent, 'notes.txt'].toSorted());
  });

  it('logs what it removed, and nothing when there was nothing', async () => {
    await age(await upload());
    const said = () => test.logged.filter((line) => line.includes('Removed unattached files'));
    const before = said().length;
    await sweep();
    await sweep();
    expect(
      said()
        .slice(before)
        .map((line) => JSON.parse(line) as object),
    ).toMatchObject([{ unattached: 1 }]);
  });

  it('keeps a new upload for hours when the clock jumps forward by days', async () => {
    const id = await upload();
    const jumped = new Date(Date.now() + 2 * DAY_MS);
    await sweep(5, jumped);
    expect(await keptBy(firm)).toEqual([id]);
    expect((await test.request('GET', `/api/files/${id}`, { cookie: firm.people.staff.cookie })).statusCode).toBe(200);
    await sweep(6, jumped);
    expect(await keptBy(firm)).toEqual([]);
  });

  it('restarts the waiting time of a file that was attached between two sweeps', async () => {
    const id = await upload();
    await age(id);
    let uptimeMs = 0;
    const removeUnattached = createUnattachedSweep(parts(), () => uptimeMs);
    await removeUnattached(dayAgo());
    const attach = `update files set owner_kind = 'job', owner_id = gen_random_uuid(), unattached_since = null where id = $1`;
    const detach = 'update files set owner_kind = null, owner_id = null, unattached_since = $2 where id = $1';
    await test.owner.query(attach, [id]);
    await removeUnattached(dayAgo());
    await test.owner.query(detach, [id, LONG_AGO]);
    uptimeMs += 6 * HOUR_MS;
    await removeUnattached(dayAgo());
    expect(await keptBy(firm)).toEqual([id]);
    uptimeMs += 6 * HOUR_MS;
    await removeUnattached(dayAgo());
    expect(await keptBy(firm)).toEqual([]);
  });
});

describe('bytes whose row is gone', () => {
  it('are kept when the same upload arrives again before they are removed', async () => {
    const id = await upload();
    await test.owner.query('delete from files where id = $1', [id]);
    await upload(id);
    await removeBytes(parts(), [`${firm.companyId}/${id}`]);
    expect(await keptBy(firm)).toEqual([id]);
  });

  it('are kept when the same upload arrives again while they are being removed', async () => {
    const id = await upload();
    await test.owner.query('delete from files where id = $1', [id]);
    await withOwner(test.database, async (owner) => {
      await owner.query('begin');
      await owner.query('select from companies where company_id = $1 for update', [firm.companyId]);
      const again = upload(id);
      await waitUntilBlocked(test.database);
      const removing = removeBytes(parts(), [`${firm.companyId}/${id}`]);
      await waitUntilBlocked(test.database, 2);
      await owner.query('commit');
      await Promise.all([again, removing]);
    });
    const shown = await test.request('GET', `/api/files/${id}`, { cookie: firm.people.staff.cookie });
    expect([shown.statusCode, shown.rawPayload.equals(pdf())]).toEqual([200, true]);
  });
});
