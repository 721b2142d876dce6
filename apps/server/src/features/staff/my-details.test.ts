import { ROLES } from '@callout/domain/roles/roles';
import sharp from 'sharp';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitUntilBlocked, withOwner } from '../../../test/database.ts';
import { openStream } from '../../../test/event-stream.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { uploadTo } from '../../../test/upload.ts';

let test: TestApp;
let firm: Firm;

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createFirm(test);
});

const photo = () =>
  sharp({ create: { width: 300, height: 200, channels: 3, background: '#0f766e' } })
    .jpeg()
    .toBuffer();

describe('one’s own details', () => {
  it.each(ROLES)('can be changed by the %s, and nothing else can', async (role) => {
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

  it('show no rate, role or email', async () => {
    expect(Object.keys(await firm.people.staff.client.staff.myDetails()).toSorted()).toEqual([
      'avatar_url',
      'color',
      'id',
      'name',
      'phone',
      'version',
    ]);
  });

  it('changed by an admin at the same time are not overwritten', async () => {
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

  it('need a name without a web address', async () => {
    const { client } = firm.people.staff;
    for (const name of ['', 'Win at evil.example']) {
      await expect(client.staff.updateMyDetails({ version: 1, name, phone: null })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    }
  });

  it('are updated in every open page of the company, and in one’s own menu', async () => {
    const [own, office] = [await openStream(test, firm.people.staff.cookie), await openStream(test, firm.people.admin.cookie)];
    await firm.people.staff.client.staff.updateMyDetails({ version: 1, name: 'Tama Rewi', phone: null });
    expect(await office.next()).toEqual({ event: 'change', data: { topics: ['staff', 'jobs', 'tasks'] } });
    const topics = () => [...new Set(own.events.flatMap(({ data }) => (data as { topics: string[] }).topics))].toSorted();
    await expect.poll(topics, { timeout: 10_000 }).toEqual(['jobs', 'me', 'staff', 'tasks']);
  });
});

describe('one’s own picture', () => {
  it.each(ROLES)('can be uploaded and removed by the %s', async (role) => {
    const { client, cookie } = firm.people[role];
    const answer = await uploadTo(test, '/api/me/avatar', cookie, 'me.jpg', await photo());
    const { avatar_url } = await client.staff.myDetails();
    expect([answer.statusCode, answer.json()]).toEqual([200, { avatar_url }]);
    expect((await client.company.me()).user.avatar_url).toBe(avatar_url);
    expect((await client.staff.removeMyAvatar()).avatar_url).toBeNull();
    expect((await test.request('GET', avatar_url ?? '')).statusCode).toBe(404);
  });

  it('is removed under the lock of the company, so that this never deadlocks with its deletion', async () => {
    const { client, cookie } = firm.people.staff;
    await uploadTo(test, '/api/me/avatar', cookie, 'me.jpg', await photo());
    const removed = await withOwner(test.database, async (owner) => {
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

  it('is refused to somebody who is not signed in', async () => {
    expect((await uploadTo(test, '/api/me/avatar', '', 'me.jpg', await photo())).statusCode).toBe(401);
  });
});
