import { ROLES } from '@callout/domain/roles/roles';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitUntilBlocked, withOwner } from '../../../test/database.ts';
import { newMember } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm, hire, type Person } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let firm: Firm;

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createFirm(test);
  await test.app.platform.pools.system.query('delete from rate_limits');
});

async function memberOf({ client }: Person, who: Person) {
  const member = (await client.staff.list()).rows.find((row) => row.profile_id === who.userId);
  if (!member) throw new Error('Not a member');
  return member;
}

type Member = Awaited<ReturnType<typeof memberOf>>;
type Way = (by: Person, member: Member) => Promise<unknown>;

const remove: Way = (by, { id }) => by.client.staff.remove({ id });
const demote: Way = (by, { id, version, name, email }) =>
  by.client.staff.update({ id, version, name, email, phone: '1', hourly_rate: '1', role: 'manager', color_id: null });

async function adminsLeft(): Promise<number> {
  const { rows } = await test.app.platform.pools.system.query(
    `select 1 from staff_members where company_id = $1 and role = 'admin' and profile_id is not null`,
    [firm.companyId],
  );
  return rows.length;
}

describe('the last admin', () => {
  it('cannot be deleted, not even by themselves', async () => {
    const { admin } = firm.people;
    const refused = { code: 'LAST_ADMIN', status: 409, message: 'Cannot delete the last admin' };
    await expect(remove(admin, await memberOf(admin, admin))).rejects.toMatchObject(refused);
    expect((await admin.client.company.me()).profile?.role).toBe('admin');
  });

  it.each(ROLES.filter((role) => role !== 'admin'))('cannot be made %s', async (role) => {
    const { admin } = firm.people;
    const before = await memberOf(admin, admin);
    const { id, version, name, email } = before;
    const refused = { code: 'LAST_ADMIN', status: 409, message: 'Cannot demote the last admin' };
    const change = { id, version, name: `${name} new`, email, phone: '1', hourly_rate: '1', role, color_id: null };
    await expect(admin.client.staff.update(change)).rejects.toMatchObject(refused);
    expect(await memberOf(admin, admin)).toEqual(before);
  });

  it('can change everything else', async () => {
    const { admin } = firm.people;
    const { id, version, email } = await memberOf(admin, admin);
    const change = { id, version, name: 'Mia', email, phone: '1', hourly_rate: '1', role: 'admin' as const, color_id: null };
    expect(await admin.client.staff.update(change)).toMatchObject({ member: { name: 'Mia', role: 'admin' }, mail: null });
  });

  it('is still the last while another admin is only invited, who can be deleted and demoted', async () => {
    const { admin } = firm.people;
    const { member: invited } = await admin.client.staff.invite(newMember({ role: 'admin' }));
    await expect(remove(admin, await memberOf(admin, admin))).rejects.toMatchObject({ code: 'LAST_ADMIN' });
    await expect(demote(admin, await memberOf(admin, admin))).rejects.toMatchObject({ code: 'LAST_ADMIN' });
    await demote(admin, invited);
    await remove(admin, invited);
  });

  it.each([
    ['deleted', remove],
    ['demoted', demote],
  ])('of two can be %s', async (_, way) => {
    const other = await hire(test, firm.companyId, 'admin');
    await way(other, await memberOf(other, firm.people.admin));
    expect(await adminsLeft()).toBe(1);
  });
});

const ROUNDS = 25;
/** What the second one is told: signed out, no longer an admin, or the last admin. */
const REFUSALS = ['UNAUTHENTICATED', 'FORBIDDEN', 'LAST_ADMIN', 'NOT_FOUND'];

describe.each([
  ['delete', remove, remove],
  ['demote', demote, demote],
  ['delete and demote', remove, demote],
])('two admins who %s', (_, first, second) => {
  it.each([
    ['each other', true],
    ['themselves', false],
  ])('%s at the same time leave one', async (__, eachOther) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      firm = await createFirm(test, `Round ${round}`);
      const one = firm.people.admin;
      const two = await hire(test, firm.companyId, 'admin');
      const [memberOne, memberTwo] = [await memberOf(one, one), await memberOf(one, two)];
      const outcomes = await Promise.allSettled(
        eachOther ? [first(one, memberTwo), second(two, memberOne)] : [first(one, memberOne), second(two, memberTwo)],
      );
      expect(await adminsLeft()).toBe(1);
      const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [(outcome.reason as { code: string }).code] : []));
      expect(refused).toHaveLength(1);
      expect(REFUSALS).toContain(refused[0]);
    }
  });
});

it('one of many admins stays when all leave at the same time', async () => {
  const admins = [firm.people.admin];
  for (let n = 0; n < 7; n += 1) admins.push(await hire(test, firm.companyId, 'admin'));
  const members = await Promise.all(admins.map((admin) => memberOf(admin, admin)));
  const outcomes = await Promise.allSettled(members.map((member, n) => (n % 2 ? remove : demote)(admins[n] ?? firm.people.admin, member)));
  expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(7);
  expect(await adminsLeft()).toBe(1);
});

describe('an admin whose call waits for the lock', () => {
  /** Runs a call up to where it waits for the company's staff, then has something else happen first. */
  async function overtaken(call: () => Promise<unknown>, statement: string, ...values: unknown[]): Promise<unknown> {
    return withOwner(test.database, async (client) => {
      await client.query('begin');
      await client.query('select from companies where company_id = $1 for update', [firm.companyId]);
      const outcome = call().catch((error: unknown) => error);
      await waitUntilBlocked(test.database);
      await client.query(statement, values);
      await client.query('commit');
      return outcome;
    });
  }

  it.each([
    ['deleted', 'delete from users where id = $1', 'UNAUTHENTICATED'],
    ['demoted', `update staff_members set role = 'manager' where profile_id = $1`, 'FORBIDDEN'],
  ])('and who is %s while it waits changes nothing', async (_, statement, code) => {
    const late = await hire(test, firm.companyId, 'admin');
    const target = await memberOf(late, firm.people.staff);
    expect(await overtaken(() => remove(late, target), statement, late.userId)).toMatchObject({ code });
    expect(await memberOf(firm.people.admin, firm.people.staff)).toEqual(target);
  });
});
