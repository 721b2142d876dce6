import { ROLES } from '@callout/domain/roles/roles';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitUntilBlocked, withOwnerClient } from '../../../test/database.ts';
import { buildMember } from '../../../test/factories/inputs.ts';
import { addStaffMember, createFirm, type Firm, type Person } from '../../../test/factories/people.ts';
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

async function readMember({ client }: Person, who: Person) {
  const member = (await client.staff.list()).rows.find((row) => row.profile_id === who.userId);
  if (!member) throw new Error('The person is not a member');
  return member;
}

type ListedMember = Awaited<ReturnType<typeof readMember>>;
type AdminChange = (by: Person, member: ListedMember) => Promise<unknown>;

const remove: AdminChange = (by, { id }) => by.client.staff.remove({ id });
const demote: AdminChange = (by, { id, version, name, email }) =>
  by.client.staff.update({ id, version, name, email, phone: '1', hourly_rate: '1', role: 'manager', color_id: null });

async function countAdmins(): Promise<number> {
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
    await expect(remove(admin, await readMember(admin, admin))).rejects.toMatchObject(refused);
    expect((await admin.client.company.me()).profile?.role).toBe('admin');
  });

  it.each(ROLES.filter((role) => role !== 'admin'))('cannot be demoted to %s', async (role) => {
    const { admin } = firm.people;
    const before = await readMember(admin, admin);
    const { id, version, name, email } = before;
    const refused = { code: 'LAST_ADMIN', status: 409, message: 'Cannot demote the last admin' };
    const change = { id, version, name: `${name} new`, email, phone: '1', hourly_rate: '1', role, color_id: null };
    await expect(admin.client.staff.update(change)).rejects.toMatchObject(refused);
    expect(await readMember(admin, admin)).toEqual(before);
  });

  it('can change all other details', async () => {
    const { admin } = firm.people;
    const { id, version, email } = await readMember(admin, admin);
    const change = { id, version, name: 'Mia', email, phone: '1', hourly_rate: '1', role: 'admin' as const, color_id: null };
    expect(await admin.client.staff.update(change)).toMatchObject({ member: { name: 'Mia', role: 'admin' }, mail: null });
  });

  it('remains the last while another admin is only invited, and the invited admin can be demoted or deleted', async () => {
    const { admin } = firm.people;
    const { member: invited } = await admin.client.staff.invite(buildMember({ role: 'admin' }));
    await expect(remove(admin, await readMember(admin, admin))).rejects.toMatchObject({ code: 'LAST_ADMIN' });
    await expect(demote(admin, await readMember(admin, admin))).rejects.toMatchObject({ code: 'LAST_ADMIN' });
    await demote(admin, invited);
    await remove(admin, invited);
  });

  it.each([
    ['deleted', remove],
    ['demoted', demote],
  ])('can be %s once there is another admin', async (_, changeAdmin) => {
    const other = await addStaffMember(test, firm.companyId, 'admin');
    await changeAdmin(other, await readMember(other, firm.people.admin));
    expect(await countAdmins()).toBe(1);
  });
});

const ROUNDS = 25;
/** Which error the slower request gets depends on the order of execution. */
const POSSIBLE_ERRORS = ['UNAUTHENTICATED', 'FORBIDDEN', 'LAST_ADMIN', 'NOT_FOUND'];

describe.each([
  ['delete', remove, remove],
  ['demote', demote, demote],
  ['delete and demote', remove, demote],
])('two admins who %s', (_, first, second) => {
  it.each([
    ['each other', true],
    ['themselves', false],
  ])('%s at the same time leave one admin', async (__, eachOther) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      firm = await createFirm(test, `Round ${round}`);
      const one = firm.people.admin;
      const two = await addStaffMember(test, firm.companyId, 'admin');
      const [memberOne, memberTwo] = [await readMember(one, one), await readMember(one, two)];
      const outcomes = await Promise.allSettled(
        eachOther ? [first(one, memberTwo), second(two, memberOne)] : [first(one, memberOne), second(two, memberTwo)],
      );
      expect(await countAdmins()).toBe(1);
      const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [(outcome.reason as { code: string }).code] : []));
      expect(refused).toHaveLength(1);
      expect(POSSIBLE_ERRORS).toContain(refused[0]);
    }
  });
});

it('keeps one admin when eight admins delete or demote themselves at the same time', async () => {
  const admins = [firm.people.admin];
  for (let n = 0; n < 7; n += 1) admins.push(await addStaffMember(test, firm.companyId, 'admin'));
  const members = await Promise.all(admins.map((admin) => readMember(admin, admin)));
  const outcomes = await Promise.allSettled(members.map((member, n) => (n % 2 ? remove : demote)(admins[n] ?? firm.people.admin, member)));
  expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(7);
  expect(await countAdmins()).toBe(1);
});

describe('an admin whose call is waiting for a lock', () => {
  /** Starts a call and runs a statement while the call is waiting for the company's row. */
  async function runWhileBlocked(call: () => Promise<unknown>, statement: string, ...values: unknown[]): Promise<unknown> {
    return withOwnerClient(test.database, async (client) => {
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
  ])('changes nothing if they are %s in the meantime', async (_, statement, code) => {
    const late = await addStaffMember(test, firm.companyId, 'admin');
    const target = await readMember(late, firm.people.staff);
    expect(await runWhileBlocked(() => remove(late, target), statement, late.userId)).toMatchObject({ code });
    expect(await readMember(firm.people.admin, firm.people.staff)).toEqual(target);
  });
});
