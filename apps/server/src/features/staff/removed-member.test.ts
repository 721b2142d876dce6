import { beforeAll, expect, it } from 'vitest';
import { openEventStream } from '../../../test/event-stream.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { purgeExpiredSessionsAndLinks } from '../../platform/auth/session.sql.ts';

let test: TestApp;
let firm: Firm;

beforeAll(async () => {
  test = await startTestApp();
  firm = await createFirm(test);
});

it('tells the open pages of a removed member which company they no longer belong to, and tells no one else', async () => {
  const { admin, staff } = firm.people;
  const company = (await admin.client.company.me()).profile?.company_name ?? '';
  const { rows } = await admin.client.staff.list();
  const member = rows.find(({ profile_id }) => profile_id === staff.userId);
  const stream = await openEventStream(test, staff.cookie);
  await admin.client.staff.remove({ id: member?.id ?? '' });
  expect(await stream.next()).toMatchObject({ event: 'signed-out', data: { removed_from: company } });
  await expect(staff.client.company.me()).rejects.toMatchObject({ code: 'UNAUTHENTICATED', data: { removed_from: company } });
  for (const cookie of [undefined, `${staff.cookie}x`]) {
    const { statusCode, body } = await test.request('GET', '/api/me', { cookie });
    expect([statusCode, body.includes(company)]).toEqual([401, false]);
  }
});

it('forgets the ended sessions of removed members after 30 days, when their cookies have expired', async () => {
  const { admin, manager, accountant } = firm.people;
  const { rows } = await admin.client.staff.list();
  const removed = rows.filter(({ profile_id }) => [manager.userId, accountant.userId].includes(profile_id ?? ''));
  await test.owner.query('delete from ended_memberships');
  for (const { id } of removed) await admin.client.staff.remove({ id });
  await test.owner.query(
    `update ended_memberships set ended_at = now() - interval '31 days' where session_hash = (select min(session_hash) from ended_memberships)`,
  );
  const countEnded = async () => (await test.owner.query('select from ended_memberships')).rowCount;
  expect(await countEnded()).toBe(2);
  await purgeExpiredSessionsAndLinks(test.app.platform.pools.system);
  expect(await countEnded()).toBe(1);
});
