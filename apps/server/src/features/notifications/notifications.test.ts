import { randomUUID } from 'node:crypto';
import type { Role } from '@callout/domain/roles/roles';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitUntilBlocked, withOwnerClient } from '../../../test/database.ts';
import { openEventStream } from '../../../test/event-stream.ts';
import { addStaffMember, createFirm, type Firm, toTenant } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { runTenantTransaction } from '../../platform/db/tenant-scope.ts';
import { listAdminUserIds, type NotificationInput, notifyPeople, purgeNotifications } from './notifications.sql.ts';

const RETENTION = { readNotificationDays: 90, commandKeyDays: 30 };

let test: TestApp;
let firm: Firm;

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createFirm(test);
});

const NOTIFICATION: NotificationInput = { message: 'Quote accepted', type: 'success' };

const notify = (roles: readonly Role[], notification = NOTIFICATION, now = new Date().toISOString()) =>
  runTenantTransaction(test.app.platform.pools.app, { ...toTenant(firm), now }, (scope) =>
    notifyPeople(
      scope,
      roles.map((role) => firm.people[role].userId),
      notification,
    ),
  );

const notificationsApi = (role: Role) => firm.people[role].client.notifications;
const listNotifications = (role: Role) => notificationsApi(role).list();
const listMessages = async (role: Role) => (await listNotifications(role)).rows.map((row) => row.message);
const readFirstId = async (role: Role) => (await listNotifications(role)).rows[0]?.id ?? '';

const atMinute = (number: number) => new Date(Date.UTC(2026, 0, 1, 0, number)).toISOString();

describe('notifications', () => {
  it('reach only their recipients, as unread, and link to the records that a click opens', async () => {
    const data = { quote_id: randomUUID(), job_id: randomUUID() };
    await notify(['admin', 'staff'], { ...NOTIFICATION, data }, atMinute(7));
    const expected = { ...NOTIFICATION, data, id: expect.any(String) as string, read: false, created_at: atMinute(7) };
    expect(await listNotifications('admin')).toEqual({ rows: [expected], unread: 1 });
    expect(await listNotifications('staff')).toEqual({ rows: [expected], unread: 1 });
    expect(await listNotifications('manager')).toEqual({ rows: [], unread: 0 });
  });

  it('are not created if the transaction is rolled back', async () => {
    const rolledBack = runTenantTransaction(test.app.platform.pools.app, toTenant(firm), async (scope) => {
      await notifyPeople(scope, [firm.people.staff.userId], NOTIFICATION);
      throw new Error('rolled back on purpose');
    });
    await expect(rolledBack).rejects.toThrow('rolled back on purpose');
    expect(await listMessages('staff')).toEqual([]);
  });

  it('never reach deleted people or people in another company', async () => {
    const other = await createFirm(test, 'Other');
    const strangers = [other.people.admin.userId, randomUUID()];
    await runTenantTransaction(test.app.platform.pools.app, toTenant(firm), (scope) =>
      notifyPeople(scope, [...strangers, firm.people.staff.userId], NOTIFICATION),
    );
    expect((await other.people.admin.client.notifications.list()).rows).toEqual([]);
    expect(await listMessages('staff')).toEqual(['Quote accepted']);
  });

  it('cause no error if no recipients remain', async () => {
    const other = await createFirm(test, 'Other');
    await runTenantTransaction(test.app.platform.pools.app, toTenant(firm), (scope) =>
      notifyPeople(scope, [other.people.admin.userId], NOTIFICATION),
    );
    expect((await other.people.admin.client.notifications.list()).rows).toEqual([]);
  });

  it('never deadlock with a deletion of the company', async () => {
    const outcome = await withOwnerClient(test.database, async (client) => {
      await client.query('begin');
      await client.query('select from companies where company_id = $1 for update', [firm.companyId]);
      const notifying = notify(['staff']).catch((error: unknown) => error);
      await waitUntilBlocked(test.database);
      await client.query('select from staff_members where company_id = $1 for update', [firm.companyId]);
      await client.query('commit');
      return notifying;
    });
    expect(outcome).toBeUndefined();
    expect(await listMessages('staff')).toEqual(['Quote accepted']);
  });

  it('for admins reach every admin with a login', async () => {
    const second = await addStaffMember(test, firm.companyId, 'admin');
    await test.app.platform.pools.system.query(
      `insert into staff_members (company_id, id, name, email, role) values ($1, $2, 'Invited', 'invited@example.com', 'admin')`,
      [firm.companyId, randomUUID()],
    );
    const admins = await runTenantTransaction(test.app.platform.pools.app, toTenant(firm), listAdminUserIds);
    expect(admins.toSorted()).toEqual([firm.people.admin.userId, second.userId].toSorted());
  });
});

describe('the notification list', () => {
  it('returns the newest 50 and counts all unread ones', async () => {
    for (let number = 0; number < 60; number += 1)
      await notify(['staff'], { ...NOTIFICATION, message: `Notification ${number}` }, atMinute(number));
    const { rows, unread } = await listNotifications('staff');
    expect(rows.map((row) => row.message)).toEqual(Array.from({ length: 50 }, (_, index) => `Notification ${59 - index}`));
    expect(unread).toBe(60);
  });
});

describe('marking notifications as read', () => {
  it('works for a single notification and returns the unread count', async () => {
    await notify(['staff'], NOTIFICATION, atMinute(1));
    await notify(['staff'], { ...NOTIFICATION, message: 'Newer' }, atMinute(2));
    const id = await readFirstId('staff');
    expect(await notificationsApi('staff').markRead({ id })).toEqual({ unread: 1 });
    expect(await notificationsApi('staff').markRead({ id })).toEqual({ unread: 1 });
    expect((await listNotifications('staff')).rows.map(({ message, read }) => ({ message, read }))).toEqual([
      { message: 'Newer', read: true },
      { message: 'Quote accepted', read: false },
    ]);
  });

  it('works for all of mine at once, without affecting a colleague’s', async () => {
    await notify(['staff', 'manager']);
    await notify(['staff']);
    expect(await notificationsApi('staff').markAllRead()).toEqual({ unread: 0 });
    expect([(await listNotifications('staff')).unread, (await listNotifications('manager')).unread]).toEqual([0, 1]);
  });
});

describe('deleting a notification', () => {
  it('deletes no other notification and returns the unread count', async () => {
    await notify(['staff'], NOTIFICATION, atMinute(1));
    await notify(['staff'], { ...NOTIFICATION, message: 'Newer' }, atMinute(2));
    expect(await notificationsApi('staff').remove({ id: await readFirstId('staff') })).toEqual({ unread: 1 });
    expect(await listMessages('staff')).toEqual(['Quote accepted']);
  });
});

describe('clearing all notifications', () => {
  const clear = async (role: Role) => {
    const id = randomUUID();
    expect(await notificationsApi(role).clear({ id })).toEqual({ unread: 0 });
    return id;
  };

  it('hides all of mine and none of a colleague’s', async () => {
    await notify(['staff', 'manager']);
    await clear('staff');
    expect(await listNotifications('staff')).toEqual({ rows: [], unread: 0 });
    expect(await listMessages('manager')).toEqual(['Quote accepted']);
  });

  it('can be undone, which restores them alongside newer notifications', async () => {
    await notify(['staff'], NOTIFICATION, atMinute(1));
    await notificationsApi('staff').markAllRead();
    await notify(['staff'], { ...NOTIFICATION, message: 'Newer' }, atMinute(2));
    const before = await listNotifications('staff');
    const id = await clear('staff');
    await notify(['staff'], { ...NOTIFICATION, message: 'Newest' }, atMinute(3));
    expect(await notificationsApi('staff').restore({ id })).toEqual({ unread: 2 });
    expect((await listNotifications('staff')).rows.slice(1)).toEqual(before.rows);
    expect(await notificationsApi('staff').restore({ id })).toEqual({ unread: 2 });
  });

  it('can still be undone after the request was retried', async () => {
    await notify(['staff']);
    const id = await clear('staff');
    expect(await notificationsApi('staff').clear({ id })).toEqual({ unread: 0 });
    expect(await notificationsApi('staff').restore({ id })).toEqual({ unread: 1 });
  });

  it('does not hide newer notifications when retried, even if there were none to clear the first time', async () => {
    for (const isEmpty of [true, false]) {
      if (!isEmpty) await notify(['staff']);
      const id = await clear('staff');
      await notify(['staff'], { ...NOTIFICATION, message: 'Newer' });
      expect(await notificationsApi('staff').clear({ id })).toEqual({ unread: 1 });
      expect(await listMessages('staff')).toEqual(['Newer']);
      await clear('staff');
    }
  });

  it('hides nothing when retried after its undo', async () => {
    await notify(['staff']);
    const id = await clear('staff');
    await notificationsApi('staff').restore({ id });
    expect(await notificationsApi('staff').clear({ id })).toEqual({ unread: 1 });
    expect(await listMessages('staff')).toEqual(['Quote accepted']);
  });

  it('hides nothing when it arrives after its undo', async () => {
    await notify(['staff']);
    const id = randomUUID();
    await notificationsApi('staff').restore({ id });
    expect(await notificationsApi('staff').clear({ id })).toEqual({ unread: 1 });
  });

  it('hides mine even if a colleague used the same id', async () => {
    await notify(['staff', 'manager']);
    const id = await clear('manager');
    expect(await notificationsApi('staff').clear({ id })).toEqual({ unread: 0 });
  });

  it('keeps its id for a month, to recognize retries', async () => {
    const [old, recent] = [await clear('staff'), await clear('staff')];
    const { system } = test.app.platform.pools;
    const setAgeInDays = (id: string, days: number) =>
      system.query(`update notification_clearings set created_at = now() - make_interval(days => $2) where id = $1`, [id, days]);
    await setAgeInDays(old, 31);
    await setAgeInDays(recent, 29);
    await purgeNotifications(system, RETENTION);
    const { rows } = await system.query('select id from notification_clearings where company_id = $1', [firm.companyId]);
    expect(rows).toEqual([{ id: recent }]);
  });

  it('can be undone only by the same person, one clearing at a time', async () => {
    await notify(['staff', 'manager']);
    const first = await clear('staff');
    await notify(['staff'], { ...NOTIFICATION, message: 'Later' });
    await clear('staff');
    expect(await notificationsApi('manager').restore({ id: first })).toEqual({ unread: 1 });
    expect(await listMessages('staff')).toEqual([]);
    await notificationsApi('staff').restore({ id: first });
    expect(await listMessages('staff')).toEqual(['Quote accepted']);
  });

  it('leaves no notifications to mark as read or delete', async () => {
    await notify(['staff']);
    const id = await readFirstId('staff');
    await clear('staff');
    for (const call of ['markRead', 'remove'] as const)
      await expect(notificationsApi('staff')[call]({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('becomes final after a day, without affecting other notifications', async () => {
    await notify(['staff', 'manager', 'admin']);
    const [old, recent] = [await clear('staff'), await clear('manager')];
    const { system } = test.app.platform.pools;
    await system.query(`update notifications set cleared_at = now() - interval '25 hours' where cleared_by = $1`, [old]);
    await purgeNotifications(system, RETENTION);
    await notificationsApi('staff').restore({ id: old });
    await notificationsApi('manager').restore({ id: recent });
    expect([await listMessages('staff'), await listMessages('manager'), await listMessages('admin')]).toEqual([
      [],
      ['Quote accepted'],
      ['Quote accepted'],
    ]);
  });
});

it('is deleted some months after it was read, but never while it is unread', async () => {
  await notify(['staff', 'manager', 'admin']);
  for (const role of ['staff', 'manager'] as const) await notificationsApi(role).markRead({ id: await readFirstId(role) });
  const { system } = test.app.platform.pools;
  const setAgeInDays = (role: 'staff' | 'manager' | 'admin', days: number) =>
    system.query('update notifications set created_at = now() - make_interval(days => $2) where user_id = $1', [
      firm.people[role].userId,
      days,
    ]);
  await setAgeInDays('staff', 91);
  await setAgeInDays('manager', 89);
  await setAgeInDays('admin', 91);
  await purgeNotifications(system, RETENTION);
  expect([await listMessages('staff'), await listMessages('manager'), await listMessages('admin')]).toEqual([
    [],
    ['Quote accepted'],
    ['Quote accepted'],
  ]);
});

describe('a colleague’s notification', () => {
  it.each(['markRead', 'remove'] as const)('is not found by %s and does not change', async (call) => {
    await notify(['staff']);
    const before = await listNotifications('staff');
    const id = before.rows[0]?.id ?? '';
    await expect(notificationsApi('admin')[call]({ id })).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404 });
    expect(await listNotifications('staff')).toEqual(before);
  });
});

describe('a person’s open pages', () => {
  const NOTIFICATIONS_CHANGED = { event: 'change', data: { topics: ['notifications'] } };

  it('refetch notifications when new ones arrive or another device changes them, but colleagues’ pages do not', async () => {
    const phone = await openEventStream(test, firm.people.staff.cookie);
    const office = await openEventStream(test, firm.people.manager.cookie);
    await notify(['staff']);
    expect(await phone.next()).toEqual(NOTIFICATIONS_CHANGED);
    const [id, clearing] = [await readFirstId('staff'), randomUUID()];
    for (const change of [
      () => notificationsApi('staff').markRead({ id }),
      () => notificationsApi('staff').markAllRead(),
      () => notificationsApi('staff').remove({ id }),
      () => notificationsApi('staff').clear({ id: clearing }),
      () => notificationsApi('staff').restore({ id: clearing }),
    ]) {
      await change();
      expect(await phone.next()).toEqual(NOTIFICATIONS_CHANGED);
    }
    expect(office.events).toEqual([]);
  });
});
