import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ROLES } from '@callout/domain/roles/roles';
import sharp from 'sharp';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitUntilBlocked, withOwner } from '../../../test/database.ts';
import { newMember } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { pdf } from '../../../test/sample-files.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { uploadTo } from '../../../test/upload.ts';

let test: TestApp;
let firm: Firm;
let id: string;

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createFirm(test);
  id = (await firm.people.admin.client.staff.list()).rows.find(({ role }) => role === 'staff')?.id ?? '';
});

const photo = () =>
  sharp({ create: { width: 900, height: 400, channels: 3, background: '#0f766e' } })
    .jpeg()
    .toBuffer();

const upload = async (bytes: Buffer, cookie = firm.people.admin.cookie, member = id) =>
  uploadTo(test, `/api/staff/${member}/avatar`, cookie, 'me.jpg', bytes);

const shown = async (url: string) => test.request('GET', url);
const kept = () => readdir(join(test.app.platform.config.dataDir, 'files', 'kept', firm.companyId)).catch((): string[] => []);
const avatarOf = async () => (await firm.people.admin.client.staff.get({ id })).avatar_url;

describe('a picture', () => {
  it('is resized, square and shown wherever the member is', async () => {
    const answer = await upload(await photo());
    const url = (await avatarOf()) ?? '';
    expect([answer.statusCode, answer.json()]).toEqual([200, { avatar_url: url }]);
    expect((await firm.people.staff.client.company.me()).user.avatar_url).toBe(url);
    const image = await shown(url);
    expect(image.headers['content-type']).toBe('image/webp');
    expect(await sharp(image.rawPayload).metadata()).toMatchObject({ width: 256, height: 256, format: 'webp' });
  });

  it('does not change the version of an open form', async () => {
    const { version } = await firm.people.admin.client.staff.get({ id });
    await upload(await photo());
    expect((await firm.people.admin.client.staff.get({ id })).version).toBe(version);
  });

  it('replaces the previous one, which is deleted', async () => {
    await upload(await photo());
    const first = (await avatarOf()) ?? '';
    await upload(await photo());
    expect(await avatarOf()).not.toBe(first);
    expect((await shown(first)).statusCode).toBe(404);
    await expect.poll(kept, { timeout: 10_000 }).toHaveLength(1);
  });

  it('can be uploaded while one’s own email is being changed', async () => {
    const { userId } = firm.people.admin;
    const own = (await firm.people.admin.client.staff.list()).rows.find(({ profile_id }) => profile_id === userId);
    const bytes = await photo();
    const answer = await withOwner(test.database, async (owner) => {
      await owner.query('begin');
      await owner.query('select from staff_members where profile_id = $1 for update', [userId]);
      const uploading = upload(bytes, firm.people.admin.cookie, own?.id);
      await waitUntilBlocked(test.database);
      await owner.query('select from users where id = $1 for update', [userId]);
      await owner.query('commit');
      return uploading;
    });
    expect(answer.statusCode).toBe(200);
  });

  it('is refused as signed out when the company is deleted while it waits', async () => {
    const bytes = await photo();
    const answer = await withOwner(test.database, async (owner) => {
      await owner.query('begin');
      await owner.query('select from companies where company_id = $1 for update', [firm.companyId]);
      const uploading = upload(bytes);
      await waitUntilBlocked(test.database);
      await owner.query('delete from companies where company_id = $1', [firm.companyId]);
      await owner.query('commit');
      return uploading;
    });
    expect([answer.statusCode, answer.json()]).toMatchObject([401, { code: 'UNAUTHENTICATED' }]);
  });

  it('can be removed', async () => {
    await upload(await photo());
    const url = (await avatarOf()) ?? '';
    expect(await firm.people.admin.client.staff.removeAvatar({ id })).toMatchObject({ id, avatar_url: null });
    expect((await shown(url)).statusCode).toBe(404);
    await expect.poll(kept, { timeout: 10_000 }).toEqual([]);
  });

  it('is deleted with its member', async () => {
    await upload(await photo());
    const url = (await avatarOf()) ?? '';
    await firm.people.admin.client.staff.remove({ id });
    expect((await shown(url)).statusCode).toBe(404);
    await expect.poll(kept, { timeout: 10_000 }).toEqual([]);
  });
});

describe('a refused upload leaves the picture unchanged:', () => {
  it('a document named like an image', async () => {
    const answer = await upload(pdf());
    expect([answer.statusCode, answer.json()]).toMatchObject([415, { code: 'UNSUPPORTED_FILE', message: 'Please select an image file' }]);
    expect([await avatarOf(), await kept()]).toEqual([null, []]);
  });

  it.each(ROLES.filter((role) => role !== 'admin'))('an upload by %s', async (role) => {
    expect((await upload(await photo(), firm.people[role].cookie)).statusCode).toBe(403);
    expect(await avatarOf()).toBe(null);
  });

  it('a member who does not exist or is of another company, or an invalid id', async () => {
    const other = await createFirm(test, 'Other');
    const { member } = await other.people.admin.client.staff.invite(newMember());
    for (const foreign of [randomUUID(), member.id, 'nobody']) {
      const answer = await upload(await photo(), firm.people.admin.cookie, foreign);
      expect([answer.statusCode, answer.json()]).toMatchObject([404, { code: 'NOT_FOUND', message: 'Staff member not found' }]);
    }
    expect(await kept()).toEqual([]);
    expect((await other.people.admin.client.staff.get({ id: member.id })).avatar_url).toBe(null);
  });
});
