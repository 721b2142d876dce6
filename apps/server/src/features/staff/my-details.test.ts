import { ROLES } from '@callout/domain/roles/roles';
import sharp from 'sharp';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitUntilBlocked, withOwnerClient } from '../../../test/database.ts';
import { openEventStream } from '../../../test/event-stream.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { uploadFile } from '../../../test/upload.ts';

let test: TestApp;
let firm: Firm;

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createFirm(test);
});

const createPhoto = () =>
  sharp({ create: { width: 300, height: 200, channels: 3, background: '#0f766e' } })
    .jpeg()
    .toBuffer();

describe('my details', () => {
  it.each(ROLES)('let the %s change their name and phone, and nothing else', async (role) => {
    const { client, userId } = firm.people[role];
    const before = await client.staff.myDetails();
    const hostile = {
      version: before.version,
      name: ' Mia Chen ',
      phone: '021 555',
      role: 'admin',
      hourly_rate: '999',
      email: 'x@example.com',
    };
    const saved = await client.staff.updateMyDetails(hostile);
    expect(saved).toEqual({ ...before, name: 'Mia Chen', phone: '021 555', version: before.version + 1 });
    expect((await client.company.me()).user.name).toBe('Mia Chen');
    const member = await firm.people.admin.client.staff.get({ id: before.id });
    expect(member).toMatchObject({ profile_id: userId, role, hourly_rate: null, email: firm.people[role].email, name: 'Mia Chen' });
  });

  it('do not include my rate, role or email address', async () => {
    expect(Object.keys(await firm.people.staff.client.staff.myDetails()).toSorted()).toEqual([
      'avatar_url',
      'color',
      'id',
      'name',
      'phone',
      'version',
    ]);
  });

  it('do not overwrite a concurrent change by an admin', async () => {
    const { client } = firm.people.staff;
    const { id, version } = await client.staff.myDetails();
    const member = await firm.people.admin.client.staff.get({ id });
    await firm.people.admin.client.staff.update({
      id,
      version,
      name: 'Tama Rewi',
      email: member.email,
      phone: '1',
      hourly_rate: '50',
      role: 'staff',
      color_id: null,
    });
    const current = await client.staff.myDetails();
    await expect(client.staff.updateMyDetails({ version, name: 'Tama', phone: null })).rejects.toMatchObject({
      code: 'STALE_VERSION',
      data: { current },
    });
    expect(await client.staff.myDetails()).toEqual(current);
  });

  it('require a name that contains no web address', async () => {
    const { client } = firm.people.staff;
    for (const name of ['', 'Win at evil.example']) {
      await expect(client.staff.updateMyDetails({ version: 1, name, phone: null })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    }
  });

  it('are refreshed on every open page of the company and in my menu', async () => {
    const myPage = await openEventStream(test, firm.people.staff.cookie);
    const adminPage = await openEventStream(test, firm.people.admin.cookie);
    await firm.people.staff.client.staff.updateMyDetails({ version: 1, name: 'Tama Rewi', phone: null });
    expect(await adminPage.next()).toEqual({ event: 'change', data: { topics: ['staff', 'jobs', 'tasks'] } });
    const topics = () => [...new Set(myPage.events.flatMap(({ data }) => (data as { topics: string[] }).topics))].toSorted();
    await expect.poll(topics, { timeout: 10_000 }).toEqual(['jobs', 'me', 'staff', 'tasks']);
  });
});

describe('my picture', () => {
  it.each(ROLES)('can be uploaded and removed by the %s', async (role) => {
    const { client, cookie } = firm.people[role];
    const response = await uploadFile(test, '/api/me/avatar', cookie, 'me.jpg', await createPhoto());
    const { avatar_url } = await client.staff.myDetails();
    expect([response.statusCode, response.json()]).toEqual([200, { avatar_url }]);
    expect((await client.company.me()).user.avatar_url).toBe(avatar_url);
    expect((await client.staff.removeMyAvatar()).avatar_url).toBeNull();
    expect((await test.request('GET', avatar_url ?? '')).statusCode).toBe(404);
  });

  it('is removed without a deadlock while the company is deleted', async () => {
    const { client, cookie } = firm.people.staff;
    await uploadFile(test, '/api/me/avatar', cookie, 'me.jpg', await createPhoto());
    const removed = await withOwnerClient(test.database, async (owner) => {
      await owner.query('begin');
      await owner.query('select from companies where company_id = $1 for update', [firm.companyId]);
      const removing = client.staff.removeMyAvatar();
      await waitUntilBlocked(test.database);
      await owner.query('select from staff_members where company_id = $1 for update nowait', [firm.companyId]);
      await owner.query('commit');
      return removing;
    });
    expect(removed.avatar_url).toBeNull();
  });

  it('cannot be uploaded while signed out', async () => {
    expect((await uploadFile(test, '/api/me/avatar', '', 'me.jpg', await createPhoto())).statusCode).toBe(401);
  });
});
