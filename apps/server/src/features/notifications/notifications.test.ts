import { randomUUID } from 'node:crypto';
import type { Role } from '@callout/domain/roles/roles';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitUntilBlocked, withOwner } from '../../../test/database.ts';
import { openStream } from '../../../test/event-stream.ts';
import { createFirm, type Firm, hire, tenantOf } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { changeAs } from '../../platform/db/tenant-scope.ts';
import { adminsOf, type NotificationInput, notifyPeople } from './notifications.sql.ts';

let test: TestApp;
let firm: Firm;

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createFirm(test);
});

const NOTIFICATION: NotificationInput = { message: 'Quote accepted', type: 'success' };

const notify = (roles: readonly Role[], news = NOTIFICATION, now = new Date().toISOString()) =>
  changeAs(test.app.platform.pools.app, { ...tenantOf(firm), now }, (scope) =>
    notifyPeople(
      scope,
      roles.map((role) => firm.people[role].userId),
      news,
    ),
  );

const of = (role: Role) => firm.people[role].client.notifications;
const list = (role: Role) => of(role).list();
const messages = async (role: Role) => (await list(role)).rows.map((row) => row.message);
const firstId = async (role: Role) => (await list(role)).rows[0]?.id ?? '';

const minute = (number: number) => new Date(Date.UTC(2026, 0, 1, 0, number)).toISOString();

describe('a notification', () => {
  it('arrives unread with its link for its recipients, and for nobody else', async () => {
    const data = { quote_id: randomUUID(), job_id: randomUUID() };
    await notify(['admin', 'staff'], { ...NOTIFICATION, data }, minute(7));
    const expected = { ...NOTIFICATION, data, id: expect.any(String) as string, read: false, created_at: minute(7) };
    expect(await list('admin')).toEqual({ rows: [expected], unread: 1 });
    expect(await list('staff')).toEqual({ rows: [expected], unread: 1 });
    expect(await list('manager')).toEqual({ rows: [], unread: 0 });
  });

  it('that was rolled back does not exist', async () => {
    const rolledBack = changeAs(test.app.platform.pools.app, tenantOf(firm), async (scope) => {
      await notifyPeople(scope, [firm.people.staff.userId], NOTIFICATION);
      throw new Error('changed my mind');
    });
    await expect(rolledBack).rejects.toThrow('changed my mind');
    expect(await messages('staff')).toEqual([]);
  });

  it('never reaches a person of another company or a former member', async () => {
    const other = await createFirm(test, 'Other');
    const strangers = [other.people.admin.userId, randomUUID()];
    await changeAs(test.app.platform.pools.app, tenantOf(firm), (scope) =>
      notifyPeople(scope, [...strangers, firm.people.staff.userId], NOTIFICATION),
    );
    expect((await other.people.admin.client.notifications.list()).rows).toEqual([]);
    expect(await messages('staff')).toEqual(['Quote accepted']);
  });

  it('never deadlocks with the deletion of the company', async () => {
    const told = await withOwner(test.database, async (client) => {
      await client.query('begin');
      await client.query('select from companies where company_id = $1 for update', [firm.companyId]);
      const telling = notify(['staff']).catch((error: unknown) => error);
      await waitUntilBlocked(test.database);
      await client.query('select from staff_members where company_id = $1 for update', [firm.companyId]);
      await client.query('commit');
      return telling;
    });
    expect(told).toBeUndefined();
    expect(await messages('staff')).toEqual(['Quote accepted']);
  });

  it('for the admins goes to every admin with a login', async () => {
    const second = await hire(test, firm.companyId, 'admin');
    await test.app.platform.pools.system.query(
      `insert into staff_members (company_id, id, name, email, role) values ($1, $2, 'Invited', 'invited@example.com', 'admin')`,
      [firm.companyId, randomUUID()],
    );
    const admins = await changeAs(test.app.platform.pools.app, tenantOf(firm), adminsOf);
    expect(admins.toSorted()).toEqual([firm.people.admin.userId, second.userId].toSorted());
  });
});

describe('the list', () => {
  it('has the newest 50 first and counts the unread ones beyond them', async () => {
    for (let number = 0; number < 60; number += 1)
      await notify(['staff'], { ...NOTIFICATION, message: `Notification ${number}` }, minute(number));
    const { rows, unread } = await list('staff');
    expect(rows.map((row) => row.message)).toEqual(Array.from({ length: 50 }, (_, index) => `Notification ${59 - index}`));
    expect(unread).toBe(60);
  });
});

describe('marking as read', () => {
  it('marks one, keeps the rest and returns how many are left', async () => {
    await notify(['staff'], NOTIFICATION, minute(1));
    await notify(['staff'], { ...NOTIFICATION, message: 'Newer' }, minute(2));
    const id = await firstId('staff');
    expect(await of('staff').markRead({ id })).toEqual({ unread: 1 });
    expect(await of('staff').markRead({ id })).toEqual({ unread: 1 });
    expect((await list('staff')).rows.map(({ message, read }) => ({ message, read }))).toEqual([
      { message: 'Newer', read: true },
      { message: 'Quote accepted', read: false },
    ]);
  });

  it('marks all of mine and none of a colleague’s', async () => {
    await notify(['staff', 'manager']);
    await notify(['staff']);
    expect(await of('staff').markAllRead()).toEqual({ unread: 0 });
    expect([(await list('staff')).unread, (await list('manager')).unread]).toEqual([0, 1]);
  });
});

describe('deleting', () => {
  it('deletes one and returns how many unread are left', async () => {
    await notify(['staff'], NOTIFICATION, minute(1));
    await notify(['staff'], { ...NOTIFICATION, message: 'Newer' }, minute(2));
    expect(await of('staff').remove({ id: await firstId('staff') })).toEqual({ unread: 1 });
    expect(await messages('staff')).toEqual(['Quote accepted']);
  });

  it('deletes all of mine and none of a colleague’s', async () => {
    await notify(['staff', 'manager']);
    expect(await of('staff').clear()).toEqual({ unread: 0 });
    expect([await messages('staff'), await messages('manager')]).toEqual([[], ['Quote accepted']]);
  });
});

describe('a colleague’s notification', () => {
  it.each(['markRead', 'remove'] as const)('answers 404 to %s, and nothing changes', async (call) => {
    await notify(['staff']);
    const before = await list('staff');
    await expect(of('admin')[call]({ id: before.rows[0]?.id ?? '' })).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404 });
    expect(await list('staff')).toEqual(before);
  });
});

describe('a person’s pages', () => {
  const POLL = { event: 'change', data: { topics: ['notifications'] } };

  it('are notified of each notification and of changes made elsewhere, and no colleague’s are', async () => {
    const [phone, office] = [await openStream(test, firm.people.staff.cookie), await openStream(test, firm.people.manager.cookie)];
    await notify(['staff']);
    expect(await phone.next()).toEqual(POLL);
    const id = await firstId('staff');
    for (const change of [
      () => of('staff').markRead({ id }),
      () => of('staff').markAllRead(),
      () => of('staff').remove({ id }),
      () => of('staff').clear(),
    ]) {
      await change();
      expect(await phone.next()).toEqual(POLL);
    }
    expect(office.events).toEqual([]);
  });
});
