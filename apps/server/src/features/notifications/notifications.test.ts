import { randomUUID } from 'node:crypto';
import type { Role } from '@callout/domain/roles/roles';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitUntilBlocked, withOwner } from '../../../test/database.ts';
import { openStream } from '../../../test/event-stream.ts';
import { createFirm, type Firm, hire, tenantOf } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { changeAs } from '../../platform/db/tenant-scope.ts';
import { adminsOf, type NotificationInput, notifyPeople, purgeClearedNotifications } from './notifications.sql.ts';

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
  changeAs(test.app.platform.pools.app, { ...tenantOf(firm), now }, (scope) =>
    notifyPeople(
      scope,
      roles.map((role) => firm.people[role].userId),
      notification,
    ),
  );

const of = (role: Role) => firm.people[role].client.notifications;
const list = (role: Role) => of(role).list();
const messages = async (role: Role) => (await list(role)).rows.map((row) => row.message);
const firstId = async (role: Role) => (await list(role)).rows[0]?.id ?? '';

const minute = (number: number) => new Date(Date.UTC(2026, 0, 1, 0, number)).toISOString();

describe('notifications', () => {
  it('reach only their recipients, unread, with what a click opens', async () => {
    const data = { quote_id: randomUUID(), job_id: randomUUID() };
    await notify(['admin', 'staff'], { ...NOTIFICATION, data }, minute(7));
    const expected = { ...NOTIFICATION, data, id: expect.any(String) as string, read: false, created_at: minute(7) };
    expect(await list('admin')).toEqual({ rows: [expected], unread: 1 });
    expect(await list('staff')).toEqual({ rows: [expected], unread: 1 });
    expect(await list('manager')).toEqual({ rows: [], unread: 0 });
  });

  it('that were rolled back were never created', async () => {
    const rolledBack = changeAs(test.app.platform.pools.app, tenantOf(firm), async (scope) => {
      await notifyPeople(scope, [firm.people.staff.userId], NOTIFICATION);
      throw new Error('changed my mind');
    });
    await expect(rolledBack).rejects.toThrow('changed my mind');
    expect(await messages('staff')).toEqual([]);
  });

  it('never reach a person of another company, nor somebody who was deleted', async () => {
    const other = await createFirm(test, 'Other');
    const strangers = [other.people.admin.userId, randomUUID()];
    await changeAs(test.app.platform.pools.app, tenantOf(firm), (scope) =>
      notifyPeople(scope, [...strangers, firm.people.staff.userId], NOTIFICATION),
    );
    expect((await other.people.admin.client.notifications.list()).rows).toEqual([]);
    expect(await messages('staff')).toEqual(['Quote accepted']);
  });

  it('that have no recipients left are no error', async () => {
    const other = await createFirm(test, 'Other');
    await changeAs(test.app.platform.pools.app, tenantOf(firm), (scope) => notifyPeople(scope, [other.people.admin.userId], NOTIFICATION));
    expect((await other.people.admin.client.notifications.list()).rows).toEqual([]);
  });

  it('and the deletion of the company never deadlock', async () => {
    const outcome = await withOwner(test.database, async (client) => {
      await client.query('begin');
      await client.query('select from companies where company_id = $1 for update', [firm.companyId]);
      const notifying = notify(['staff']).catch((error: unknown) => error);
      await waitUntilBlocked(test.database);
      await client.query('select from staff_members where company_id = $1 for update', [firm.companyId]);
      await client.query('commit');
      return notifying;
    });
    expect(outcome).toBeUndefined();
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
  it('has the newest 50, and counts all unread ones', async () => {
    for (let number = 0; number < 60; number += 1)
      await notify(['staff'], { ...NOTIFICATION, message: `Notification ${number}` }, minute(number));
    const { rows, unread } = await list('staff');
    expect(rows.map((row) => row.message)).toEqual(Array.from({ length: 50 }, (_, index) => `Notification ${59 - index}`));
    expect(unread).toBe(60);
  });
});

describe('marking as read', () => {
  it('marks only that one, and returns how many are unread', async () => {
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

  it('of all marks all of mine and none of a colleague’s', async () => {
    await notify(['staff', 'manager']);
    await notify(['staff']);
    expect(await of('staff').markAllRead()).toEqual({ unread: 0 });
    expect([(await list('staff')).unread, (await list('manager')).unread]).toEqual([0, 1]);
  });
});

describe('deleting', () => {
  it('deletes only that one, and returns how many are unread', async () => {
    await notify(['staff'], NOTIFICATION, minute(1));
    await notify(['staff'], { ...NOTIFICATION, message: 'Newer' }, minute(2));
    expect(await of('staff').remove({ id: await firstId('staff') })).toEqual({ unread: 1 });
    expect(await messages('staff')).toEqual(['Quote accepted']);
  });
});

describe('clearing all', () => {
  const clear = async (role: Role) => {
    const id = randomUUID();
    expect(await of(role).clear({ id })).toEqual({ unread: 0 });
    return id;
  };

  it('hides all of mine and none of a colleague’s', async () => {
    await notify(['staff', 'manager']);
    await clear('staff');
    expect(await list('staff')).toEqual({ rows: [], unread: 0 });
    expect(await messages('manager')).toEqual(['Quote accepted']);
  });

  it('can be undone: everything is back as it was, together with what arrived since', async () => {
    await notify(['staff'], NOTIFICATION, minute(1));
    await of('staff').markAllRead();
    await notify(['staff'], { ...NOTIFICATION, message: 'Newer' }, minute(2));
    const before = await list('staff');
    const id = await clear('staff');
    await notify(['staff'], { ...NOTIFICATION, message: 'Newest' }, minute(3));
    expect(await of('staff').restore({ id })).toEqual({ unread: 2 });
    expect((await list('staff')).rows.slice(1)).toEqual(before.rows);
    expect(await of('staff').restore({ id })).toEqual({ unread: 2 });
  });

  it('sent again after a lost response can still be undone', async () => {
    await notify(['staff']);
    const id = await clear('staff');
    expect(await of('staff').clear({ id })).toEqual({ unread: 0 });
    expect(await of('staff').restore({ id })).toEqual({ unread: 1 });
  });

  it('sent again hides nothing that arrived since, also when there was nothing to clear', async () => {
    for (const isEmpty of [true, false]) {
      if (!isEmpty) await notify(['staff']);
      const id = await clear('staff');
      await notify(['staff'], { ...NOTIFICATION, message: 'Newer' });
      expect(await of('staff').clear({ id })).toEqual({ unread: 1 });
      expect(await messages('staff')).toEqual(['Newer']);
      await clear('staff');
    }
  });

  it('sent again after it was undone hides nothing', async () => {
    await notify(['staff']);
    const id = await clear('staff');
    await of('staff').restore({ id });
    expect(await of('staff').clear({ id })).toEqual({ unread: 1 });
    expect(await messages('staff')).toEqual(['Quote accepted']);
  });

  it('that arrives after its undo hides nothing', async () => {
    await notify(['staff']);
    const id = randomUUID();
    await of('staff').restore({ id });
    expect(await of('staff').clear({ id })).toEqual({ unread: 1 });
  });

  it('hides mine even if a colleague used the same id', async () => {
    await notify(['staff', 'manager']);
    const id = await clear('manager');
    expect(await of('staff').clear({ id })).toEqual({ unread: 0 });
  });

  it('is remembered for a month', async () => {
    const [old, recent] = [await clear('staff'), await clear('staff')];
    const { system } = test.app.platform.pools;
    const age = (id: string, days: number) =>
      system.query(`update notification_clearings set created_at = now() - make_interval(days => $2) where id = $1`, [id, days]);
    await age(old, 31);
    await age(recent, 29);
    await purgeClearedNotifications(system);
    const { rows } = await system.query('select id from notification_clearings where company_id = $1', [firm.companyId]);
    expect(rows).toEqual([{ id: recent }]);
  });

  it('is undone only by the person who did it, and each clearing by itself', async () => {
    await notify(['staff', 'manager']);
    const first = await clear('staff');
    await notify(['staff'], { ...NOTIFICATION, message: 'Later' });
    await clear('staff');
    expect(await of('manager').restore({ id: first })).toEqual({ unread: 1 });
    expect(await messages('staff')).toEqual([]);
    await of('staff').restore({ id: first });
    expect(await messages('staff')).toEqual(['Quote accepted']);
  });

  it('leaves nothing to mark or delete', async () => {
    await notify(['staff']);
    const id = await firstId('staff');
    await clear('staff');
    for (const call of ['markRead', 'remove'] as const)
      await expect(of('staff')[call]({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is final after a day, for those that were cleared and no others', async () => {
    await notify(['staff', 'manager', 'admin']);
    const [old, recent] = [await clear('staff'), await clear('manager')];
    const { system } = test.app.platform.pools;
    await system.query(`update notifications set cleared_at = now() - interval '25 hours' where cleared_by = $1`, [old]);
    await purgeClearedNotifications(system);
    await of('staff').restore({ id: old });
    await of('manager').restore({ id: recent });
    expect([await messages('staff'), await messages('manager'), await messages('admin')]).toEqual([
      [],
      ['Quote accepted'],
      ['Quote accepted'],
    ]);
  });
});

describe('a notification of a colleague', () => {
  it.each(['markRead', 'remove'] as const)('is not found by %s, and nothing changes', async (call) => {
    await notify(['staff']);
    const before = await list('staff');
    await expect(of('admin')[call]({ id: before.rows[0]?.id ?? '' })).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404 });
    expect(await list('staff')).toEqual(before);
  });
});

describe('a person’s pages', () => {
  const POLL = { event: 'change', data: { topics: ['notifications'] } };

  it('are updated by new notifications and changes made elsewhere, and no colleague’s are', async () => {
    const [phone, office] = [await openStream(test, firm.people.staff.cookie), await openStream(test, firm.people.manager.cookie)];
    await notify(['staff']);
    expect(await phone.next()).toEqual(POLL);
    const [id, clearing] = [await firstId('staff'), randomUUID()];
    for (const change of [
      () => of('staff').markRead({ id }),
      () => of('staff').markAllRead(),
      () => of('staff').remove({ id }),
      () => of('staff').clear({ id: clearing }),
      () => of('staff').restore({ id: clearing }),
    ]) {
      await change();
      expect(await phone.next()).toEqual(POLL);
    }
    expect(office.events).toEqual([]);
  });
});
