import { randomUUID } from 'node:crypto';
import { ROLES } from '@callout/domain/roles/roles';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildTestEmail, requestPasswordResetToken, signIn, signUp } from '../../../test/accounts.ts';
import { waitUntilBlocked, withOwnerClient } from '../../../test/database.ts';
import { openEventStream } from '../../../test/event-stream.ts';
import { buildCustomer, buildMember } from '../../../test/factories/inputs.ts';
import { addStaffMember, createFirm, createPerson, type Firm } from '../../../test/factories/people.ts';
import { waitForQueue } from '../../../test/queue.ts';
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

const staffApi = () => firm.people.admin.client.staff;
const EMAIL_TAKEN = { code: 'EMAIL_TAKEN', status: 409, message: 'This email address already belongs to a company.' };

const readMemberByRole = async (role: string) => {
  const found = (await staffApi().list()).rows.find((member) => member.role === role && member.profile_id);
  if (!found) throw new Error(`No member has the role ${role}`);
  return found;
};

type ListedMember = Awaited<ReturnType<typeof readMemberByRole>>;

/** Builds the update input that the staff page would send for the member. */
const toUpdateInput = ({ id, version, name, email, phone, hourly_rate, role, color }: ListedMember) => ({
  id,
  version,
  name,
  email,
  phone: phone ?? '021 555 111',
  hourly_rate: hourly_rate ?? '50.00',
  role,
  color_id: color?.id ?? null,
});

describe('listing staff', () => {
  it('sorts members by name, ignoring letter case, and includes their color and status', async () => {
    await staffApi().invite(buildMember({ name: 'bea Lower', role: 'manager' }));
    await staffApi().invite(buildMember({ name: 'Ana Upper' }));
    const { rows } = await staffApi().list();
    expect(rows.map((row) => row.name)).toEqual(['Ana Upper', 'bea Lower', 'The accountant', 'The admin', 'The manager', 'The staff']);
    expect(rows[0]).toMatchObject({
      profile_id: null,
      phone: '021 555 987',
      hourly_rate: '45.00',
      role: 'staff',
      color: { hex_code: expect.stringMatching(/^#[0-9a-f]{6}$/) as string },
      avatar_url: null,
      status: 'invited',
      version: 1,
    });
    expect(rows[3]).toMatchObject({ profile_id: firm.people.admin.userId, status: 'active', invited_at: null, color: null });
  });

  it('shows the rates of people who can be assigned work only to roles that edit jobs', async () => {
    const readFields = async (role: (typeof ROLES)[number]) => Object.keys((await firm.people[role].client.staff.names()).rows[0] ?? {});
    for (const role of ROLES) {
      const fields = await readFields(role);
      expect([role, fields.includes('name'), fields.includes('hourly_rate')]).toEqual([role, true, ['admin', 'manager'].includes(role)]);
    }
  });

  it('excludes members of other companies', async () => {
    const other = await createFirm(test, 'Other');
    const { member } = await other.people.admin.client.staff.invite(buildMember());
    expect((await staffApi().list()).rows.map((row) => row.id)).not.toContain(member.id);
    await expect(staffApi().get({ id: member.id })).rejects.toMatchObject({ code: 'NOT_FOUND', message: 'Staff member not found' });
  });

  it('sorts the colors by name', async () => {
    const { rows } = await staffApi().colors();
    expect(rows.map((color) => color.name)).toEqual(rows.map((color) => color.name).toSorted());
    expect(rows).toHaveLength(12);
  });
});

describe('a new member', () => {
  it('gets the least used color, even if they are the founder', async () => {
    const founder = await createPerson(test);
    await founder.client.company.start();
    for (let n = 0; n < 12; n += 1) await founder.client.staff.invite(buildMember());
    const { rows } = await founder.client.staff.list();
    const uses = Map.groupBy(rows, (member) => member.color?.name ?? 'none');
    expect(uses.size).toBe(12);
    expect(uses.get('Amber')).toHaveLength(2);
    expect(rows.find((member) => member.profile_id === founder.userId)?.color?.name).toBe('Amber');
  });
});

describe('updating a member', () => {
  it('saves every field and increments the version', async () => {
    const before = await readMemberByRole('staff');
    const color = (await staffApi().colors()).rows[4];
    const change = {
      ...toUpdateInput(before),
      name: 'Sam Leota',
      phone: '09 1',
      hourly_rate: '0.5',
      role: 'manager' as const,
      color_id: color?.id ?? '',
    };
    const { member: after, mail } = await staffApi().update(change);
    expect(mail).toBeNull();
    expect(after).toMatchObject({
      name: 'Sam Leota',
      phone: '09 1',
      hourly_rate: '0.50',
      role: 'manager',
      color,
      version: before.version + 1,
    });
    expect(after.updated_at > before.updated_at).toBe(true);
    expect(await staffApi().get({ id: before.id })).toEqual(after);
    const { user, profile } = await firm.people.staff.client.company.me();
    expect({ name: user.name, role: profile?.role }).toEqual({ name: 'Sam Leota', role: 'manager' });
  });

  it('allows an empty phone number or rate only for members who never had one', async () => {
    const before = await readMemberByRole('admin');
    expect([before.phone, before.hourly_rate]).toEqual([null, null]);
    const bare = await staffApi().update({ ...toUpdateInput(before), name: 'Mia', phone: null, hourly_rate: null });
    expect(bare.member).toMatchObject({ name: 'Mia', phone: null, hourly_rate: null });
    const { member } = await staffApi().update(toUpdateInput(bare.member));
    for (const field of ['phone', 'hourly_rate'] as const) {
      await expect(staffApi().update({ ...toUpdateInput(member), [field]: null })).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        data: { fields: { [field]: expect.stringContaining('is required') as string } },
      });
    }
  });

  it('rejects an outdated version and returns the current record', async () => {
    const before = await readMemberByRole('staff');
    const { member: current } = await staffApi().update({ ...toUpdateInput(before), name: 'First' });
    const outdated = { ...toUpdateInput(before), name: 'Second' };
    await expect(staffApi().update(outdated)).rejects.toMatchObject({ code: 'STALE_VERSION', data: { current } });
    expect((await staffApi().get({ id: before.id })).name).toBe('First');
  });

  it('does not overwrite an email address that the member confirms at the same time', async () => {
    const before = await readMemberByRole('staff');
    const confirmed = buildTestEmail();
    const outcome = await withOwnerClient(test.database, async (client) => {
      await client.query('begin');
      await client.query('update staff_members set email = $2, version = version + 1 where id = $1', [before.id, confirmed]);
      const change = staffApi()
        .update({ ...toUpdateInput(before), name: 'Second' })
        .catch((error: unknown) => error);
      await waitUntilBlocked(test.database);
      await client.query('commit');
      return change;
    });
    const current = await staffApi().get({ id: before.id });
    expect(current).toMatchObject({ name: before.name, email: confirmed });
    expect(outcome).toMatchObject({ code: 'STALE_VERSION', data: { current } });
  });

  it('reports an unknown color on the color field', async () => {
    const before = await readMemberByRole('staff');
    const fields = { color_id: 'Please choose one of the colors' };
    await expect(staffApi().update({ ...toUpdateInput(before), color_id: randomUUID() })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      data: { fields },
    });
  });

  it('makes only the member’s own pages refetch their profile after a role change', async () => {
    const theirs = await openEventStream(test, firm.people.staff.cookie);
    const others = await openEventStream(test, firm.people.manager.cookie);
    await staffApi().update({ ...toUpdateInput(await readMemberByRole('staff')), role: 'accountant' });
    const listTopics = (stream: typeof theirs) => stream.events.flatMap(({ data }) => (data as { topics: string[] }).topics).toSorted();
    await expect.poll(() => listTopics(theirs), { timeout: 10_000 }).toEqual(['jobs', 'me', 'staff', 'tasks']);
    await expect.poll(() => listTopics(others), { timeout: 10_000 }).toEqual(['jobs', 'staff', 'tasks']);
  });

  it('keeps the sign-in address when the contact address changes', async () => {
    const { email, password } = await signUp(test);
    await firm.people.admin.client.company.me();
    await test.app.platform.pools.system.query(
      `update staff_members set profile_id = (select id from users where email = $2), email = $2 where company_id = $1 and role = 'staff'`,
      [firm.companyId, email],
    );
    const member = await readMemberByRole('staff');
    const { member: moved } = await staffApi().update({ ...toUpdateInput(member), email: 'Contact@Example.com' });
    expect(moved).toMatchObject({ email: 'Contact@Example.com', status: 'active' });
    expect(await signIn(test, email, password)).not.toBe('');
    expect(await staffApi().update({ ...toUpdateInput(moved), email: email.toUpperCase() })).toMatchObject({
      member: { email: email.toUpperCase() },
    });
  });

  it('rejects the email address of a colleague or of someone in another company', async () => {
    const other = await createFirm(test, 'Other');
    const invited = (await staffApi().invite(buildMember())).member;
    for (const member of [await readMemberByRole('staff'), invited]) {
      for (const email of [firm.people.manager.email, firm.people.manager.email.toUpperCase()]) {
        const named = { ...EMAIL_TAKEN, message: 'The manager is already on your staff.' };
        await expect(staffApi().update({ ...toUpdateInput(member), email })).rejects.toMatchObject(named);
      }
      await expect(staffApi().update({ ...toUpdateInput(member), email: other.people.staff.email })).rejects.toMatchObject(EMAIL_TAKEN);
      // Ignore the delivery status, because it changes in the background.
      const { delivery: _, ...unchanged } = member;
      expect(await staffApi().get({ id: member.id })).toMatchObject(unchanged);
    }
  });

  it('does not treat a change of letter case as a new email address', async () => {
    const member = await readMemberByRole('staff');
    const email = member.email.toUpperCase();
    expect(await staffApi().update({ ...toUpdateInput(member), email })).toMatchObject({ member: { email }, mail: null });
  });
});

it('rejects an email address that differs from the invited one only by a lookalike character (Kelvin sign)', async () => {
  const { member } = await staffApi().invite(buildMember({ email: `k${buildTestEmail()}` }));
  const email = member.email.replace('k', '\u212a');
  await expect(staffApi().update({ ...toUpdateInput(member), email })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  const uppercase = member.email.toUpperCase();
  expect((await staffApi().update({ ...toUpdateInput(member), email: uppercase })).member.email).toBe(uppercase);
});

it('limits a company to 1,000 staff members, but lets it invite an existing member again', async () => {
  const { member } = await staffApi().invite(buildMember());
  await test.owner.query(
    `insert into staff_members (company_id, id, name, email, role)
      select $1, gen_random_uuid(), 'Member', n || '@example.net', 'staff' from generate_series(1, 1000 - 5) n`,
    [firm.companyId],
  );
  const refused = { code: 'LIMIT_REACHED', message: 'A company can have at most 1,000 staff members.' };
  await expect(staffApi().invite(buildMember())).rejects.toMatchObject(refused);
  await staffApi().withdrawInvitation({ id: member.id });
  expect((await staffApi().invite(buildMember({ email: member.email }))).member.id).toBe(member.id);
});

describe('leaving the company', () => {
  it.each(ROLES)('signs out the %s and deletes their login and membership', async (role) => {
    if (role === 'admin') await addStaffMember(test, firm.companyId, 'admin');
    const { client, cookie, email, userId } = firm.people[role];
    const colleague = await openEventStream(test, (role === 'manager' ? firm.people.staff : firm.people.manager).cookie);
    const page = await openEventStream(test, cookie);
    await client.staff.leave();
    expect(await page.next()).toEqual({ event: 'signed-out', data: { removed_from: 'Tane Plumbing' } });
    expect(await colleague.next()).toEqual({ event: 'change', data: { topics: ['staff', 'jobs', 'tasks', 'timer'] } });
    expect((await test.request('GET', '/api/me', { cookie })).statusCode).toBe(401);
    await signUp(test, email);
    await waitForQueue(test);
    expect((await test.owner.query('select from staff_members where profile_id = $1 or email = $2', [userId, email])).rowCount).toBe(0);
  });

  it('is rejected for the last admin', async () => {
    const refused = { code: 'LAST_ADMIN', message: 'Cannot delete the last admin' };
    await expect(firm.people.admin.client.staff.leave()).rejects.toMatchObject(refused);
    expect((await firm.people.admin.client.company.me()).profile?.role).toBe('admin');
  });
});

describe('a deleted staff member', () => {
  const remove = async () => staffApi().remove({ id: (await readMemberByRole('staff')).id });

  it('is signed out on their next request', async () => {
    const { cookie } = firm.people.staff;
    expect((await test.request('GET', '/api/me', { cookie })).statusCode).toBe(200);
    await remove();
    expect((await test.request('GET', '/api/me', { cookie })).statusCode).toBe(401);
    expect((await test.request('GET', '/api/customers', { cookie })).statusCode).toBe(401);
  });

  it('is signed out on every open page, and colleagues’ lists are refreshed', async () => {
    const theirs = await openEventStream(test, firm.people.staff.cookie);
    const colleague = await openEventStream(test, firm.people.manager.cookie);
    await remove();
    expect(await theirs.next()).toEqual({ event: 'signed-out', data: { removed_from: 'Tane Plumbing' } });
    await expect.poll(() => theirs.ended, { timeout: 10_000 }).toBe(true);
    expect(await colleague.next()).toEqual({ event: 'change', data: { topics: ['staff', 'jobs', 'tasks', 'timer'] } });
  });

  it('cannot sign in or reset their password, but can sign up again', async () => {
    const { email, password } = await signUp(test);
    await test.app.platform.pools.system.query(
      `update staff_members set profile_id = (select id from users where email = $2), email = $2 where company_id = $1 and role = 'staff'`,
      [firm.companyId, email],
    );
    const token = await requestPasswordResetToken(test, email);
    await remove();
    const { auth } = test.client();
    await expect(auth.signIn({ email, password })).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
    await expect(auth.resetPassword({ token, password: 'secret-2' })).rejects.toMatchObject({ code: 'LINK_EXPIRED' });
    await signUp(test, email);
  });

  it('leaves behind the records they created', async () => {
    const customer = await firm.people.staff.client.customers.create(buildCustomer());
    await remove();
    expect(await firm.people.admin.client.customers.get({ id: customer.id })).toEqual(customer);
  });

  it('is not found when deleted a second time', async () => {
    const { id } = await readMemberByRole('staff');
    await staffApi().remove({ id });
    await expect(staffApi().remove({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(staffApi().get({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
