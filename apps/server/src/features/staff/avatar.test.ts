import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ROLES } from '@callout/domain/roles/roles';
import sharp from 'sharp';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitUntilBlocked, withOwnerClient } from '../../../test/database.ts';
import { buildMember } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { buildPdf } from '../../../test/sample-files.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { uploadFile } from '../../../test/upload.ts';

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

const createPhoto = () =>
  sharp({ create: { width: 900, height: 400, channels: 3, background: '#0f766e' } })
    .jpeg()
    .toBuffer();

const uploadAvatar = async (bytes: Buffer, cookie = firm.people.admin.cookie, member = id) =>
  uploadFile(test, `/api/staff/${member}/avatar`, cookie, 'me.jpg', bytes);

const fetchImage = async (url: string) => test.request('GET', url);
const listStoredFiles = () => readdir(join(test.app.platform.config.dataDir, 'files', 'kept', firm.companyId)).catch((): string[] => []);
const readAvatarUrl = async () => (await firm.people.admin.client.staff.get({ id })).avatar_url;

describe('a staff member’s picture', () => {
  it('is resized to a square and shown wherever the member appears', async () => {
    const response = await uploadAvatar(await createPhoto());
    const url = (await readAvatarUrl()) ?? '';
    expect([response.statusCode, response.json()]).toEqual([200, { avatar_url: url }]);
    expect((await firm.people.staff.client.company.me()).user.avatar_url).toBe(url);
    const image = await fetchImage(url);
    expect(image.headers['content-type']).toBe('image/webp');
    expect(await sharp(image.rawPayload).metadata()).toMatchObject({ width: 256, height: 256, format: 'webp' });
  });

  it('does not increment the version, so open forms can still be saved', async () => {
    const { version } = await firm.people.admin.client.staff.get({ id });
    await uploadAvatar(await createPhoto());
    expect((await firm.people.admin.client.staff.get({ id })).version).toBe(version);
  });

  it('replaces the previous picture, which is deleted', async () => {
    await uploadAvatar(await createPhoto());
    const first = (await readAvatarUrl()) ?? '';
    await uploadAvatar(await createPhoto());
    expect(await readAvatarUrl()).not.toBe(first);
    expect((await fetchImage(first)).statusCode).toBe(404);
    await expect.poll(listStoredFiles, { timeout: 10_000 }).toHaveLength(1);
  });

  it('can be uploaded while the uploader’s email address is being changed', async () => {
    const { userId } = firm.people.admin;
    const admin = (await firm.people.admin.client.staff.list()).rows.find(({ profile_id }) => profile_id === userId);
    const bytes = await createPhoto();
    const response = await withOwnerClient(test.database, async (owner) => {
      await owner.query('begin');
      await owner.query('select from staff_members where profile_id = $1 for update', [userId]);
      const uploading = uploadAvatar(bytes, firm.people.admin.cookie, admin?.id);
      await waitUntilBlocked(test.database);
      await owner.query('select from users where id = $1 for update', [userId]);
      await owner.query('commit');
      return uploading;
    });
    expect(response.statusCode).toBe(200);
  });

  it('is rejected as unauthenticated if the company is deleted during the upload', async () => {
    const bytes = await createPhoto();
    const response = await withOwnerClient(test.database, async (owner) => {
      await owner.query('begin');
      await owner.query('select from companies where company_id = $1 for update', [firm.companyId]);
      const uploading = uploadAvatar(bytes);
      await waitUntilBlocked(test.database);
      await owner.query('delete from companies where company_id = $1', [firm.companyId]);
      await owner.query('commit');
      return uploading;
    });
    expect([response.statusCode, response.json()]).toMatchObject([401, { code: 'UNAUTHENTICATED' }]);
  });

  it('can be removed', async () => {
    await uploadAvatar(await createPhoto());
    const url = (await readAvatarUrl()) ?? '';
    expect(await firm.people.admin.client.staff.removeAvatar({ id })).toMatchObject({ id, avatar_url: null });
    expect((await fetchImage(url)).statusCode).toBe(404);
    await expect.poll(listStoredFiles, { timeout: 10_000 }).toEqual([]);
  });

  it('is deleted with its member', async () => {
    await uploadAvatar(await createPhoto());
    const url = (await readAvatarUrl()) ?? '';
    await firm.people.admin.client.staff.remove({ id });
    expect((await fetchImage(url)).statusCode).toBe(404);
    await expect.poll(listStoredFiles, { timeout: 10_000 }).toEqual([]);
  });
});

describe('a picture upload is rejected and changes nothing', () => {
  it('if a document has the file name of an image', async () => {
    const response = await uploadAvatar(buildPdf());
    const rejection = { code: 'UNSUPPORTED_FILE', message: 'Please select an image file' };
    expect([response.statusCode, response.json()]).toMatchObject([415, rejection]);
    expect([await readAvatarUrl(), await listStoredFiles()]).toEqual([null, []]);
  });

  it.each(ROLES.filter((role) => role !== 'admin'))('if the uploader has the role %s', async (role) => {
    expect((await uploadAvatar(await createPhoto(), firm.people[role].cookie)).statusCode).toBe(403);
    expect(await readAvatarUrl()).toBe(null);
  });

  it('if the member is missing or in another company, or the id is invalid', async () => {
    const other = await createFirm(test, 'Other');
    const { member } = await other.people.admin.client.staff.invite(buildMember());
    for (const memberId of [randomUUID(), member.id, 'nobody']) {
      const response = await uploadAvatar(await createPhoto(), firm.people.admin.cookie, memberId);
      expect([response.statusCode, response.json()]).toMatchObject([404, { code: 'NOT_FOUND', message: 'Staff member not found' }]);
    }
    expect(await listStoredFiles()).toEqual([]);
    expect((await other.people.admin.client.staff.get({ id: member.id })).avatar_url).toBe(null);
  });
});
