import { randomUUID } from 'node:crypto';
import { ROLES } from '@callout/domain/roles/roles';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { resetToken, signIn, signUp, uniqueEmail } from '../../../test/accounts.ts';
import { waitUntilBlocked, withOwner } from '../../../test/database.ts';
import { openStream } from '../../../test/event-stream.ts';
import { newCustomer, newMember } from '../../../test/factories/inputs.ts';
import { createFirm, createPerson, type Firm, hire } from '../../../test/factories/people.ts';
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

const staff = () => firm.people.admin.client.staff;
const EMAIL_TAKEN = { code: 'EMAIL_TAKEN', status: 409, message: 'This email address already belongs to a company.' };

const memberWho = async (role: string) => {
  const found = (await staff().list()).rows.find((member) => member.role === role && member.profile_id);
  if (!found) throw new Error(`Nobody is ${role}`);
  return found;
};

type Member = Awaited<ReturnType<typeof memberWho>>;

/** A member's form as the page sends it. */
const formOf = ({ id, version, name, email, phone, hourly_rate, role, color }: Member) => ({
  id,
  version,
  name,
  email,
  phone: phone ?? '021 555 111',
  hourly_rate: hourly_rate ?? '50.00',
  role,
  color_id: color?.id ?? null,
});

describe('the list', () => {
  it('is sorted by name, ignoring letter case, with color and state', async () => {
    await staff().invite(newMember({ name: 'bea Lower', role: 'manager' }));
    await staff().invite(newMember({ name: 'Ana Upper' }));
    const { rows } = await staff().list();
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

  it('shows nobody from another company', async () => {
    const other = await createFirm(test, 'Other');
    const { member } = await other.people.admin.client.staff.invite(newMember());
    expect((await staff().list()).rows.map((row) => row.id)).not.toContain(member.id);
    await expect(staff().get({ id: member.id })).rejects.toMatchObject({ code: 'NOT_FOUND', message: 'Staff member not found' });
  });

  it('of colors is in the order of their names', async () => {
    const { rows } = await staff().colors();
    expect(rows.map((color) => color.name)).toEqual(rows.map((color) => color.name).toSorted());
    expect(rows).toHaveLength(12);
  });
});

describe('a new member', () => {
  it('gets the least used color, the founder first', async () => {
    const founder = await createPerson(test);
    await founder.client.company.start();
    for (let n = 0; n < 12; n += 1) await founder.client.staff.invite(newMember());
    const { rows } = await founder.client.staff.list();
    const uses = Map.groupBy(rows, (member) => member.color?.name ?? 'none');
    expect(uses.size).toBe(12);
    expect(uses.get('Amber')).toHaveLength(2);
    expect(rows.find((member) => member.profile_id === founder.userId)?.color?.name).toBe('Amber');
  });
});

describe('a change', () => {
  it('keeps what was typed, in the next version', async () => {
    const before = await memberWho('staff');
    const color = (await staff().colors()).rows[4];
    const change = {
      ...formOf(before),
      name: 'Sam Leota',
      phone: '09 1',
      hourly_rate: '0.5',
      role: 'manager' as const,
      color_id: color?.id ?? '',
    };
    const { member: after, mail } = await staff().update(change);
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
    expect(await staff().get({ id: before.id })).toEqual(after);
    const { user, profile } = await firm.people.staff.client.company.me();
    expect({ name: user.name, role: profile?.role }).toEqual({ name: 'Sam Leota', role: 'manager' });
  });

  it('needs no phone number and rate of somebody who never had them, and takes them from nobody', async () => {
    const before = await memberWho('admin');
    expect([before.phone, before.hourly_rate]).toEqual([null, null]);
    const bare = await staff().update({ ...formOf(before), name: 'Mia', phone: null, hourly_rate: null });
    expect(bare.member).toMatchObject({ name: 'Mia', phone: null, hourly_rate: null });
    const { member } = await staff().update(formOf(bare.member));
    for (const field of ['phone', 'hourly_rate'] as const) {
      await expect(staff().update({ ...formOf(member), [field]: null })).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        data: { fields: { [field]: expect.stringContaining('is required') as string } },
      });
    }
  });

  it('from an old version is refused with the current record', async () => {
    const before = await memberWho('staff');
    const { member: current } = await staff().update({ ...formOf(before), name: 'First' });
    await expect(staff().update({ ...formOf(before), name: 'Second' })).rejects.toMatchObject({ code: 'STALE_VERSION', data: { current } });
    expect((await staff().get({ id: before.id })).name).toBe('First');
  });

  it('does not overwrite an email that the member confirms at the same time', async () => {
    const before = await memberWho('staff');
    const confirmed = uniqueEmail();
    const outcome = await withOwner(test.database, async (client) => {
      await client.query('begin');
      await client.query('update staff_members set email = $2, version = version + 1 where id = $1', [before.id, confirmed]);
      const change = staff()
        .update({ ...formOf(before), name: 'Second' })
        .catch((error: unknown) => error);
      await waitUntilBlocked(test.database);
      await client.query('commit');
      return change;
    });
    const current = await staff().get({ id: before.id });
    expect(current).toMatchObject({ name: before.name, email: confirmed });
    expect(outcome).toMatchObject({ code: 'STALE_VERSION', data: { current } });
  });

  it('to an unknown color is reported at its field', async () => {
    const before = await memberWho('staff');
    const fields = { color_id: 'Please choose one of the colors' };
    await expect(staff().update({ ...formOf(before), color_id: randomUUID() })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      data: { fields },
    });
  });

  it('of a role notifies the member’s open pages and nobody else’s', async () => {
    const [theirs, others] = [await openStream(test, firm.people.staff.cookie), await openStream(test, firm.people.manager.cookie)];
    await staff().update({ ...formOf(await memberWho('staff')), role: 'accountant' });
    const topicsOf = (stream: typeof theirs) => stream.events.flatMap(({ data }) => (data as { topics: string[] }).topics).toSorted();
    await expect.poll(() => topicsOf(theirs), { timeout: 10_000 }).toEqual(['jobs', 'me', 'staff', 'tasks']);
    await expect.poll(() => topicsOf(others), { timeout: 10_000 }).toEqual(['jobs', 'staff', 'tasks']);
  });

  it('of a member’s email does not change their login', async () => {
    const { email, password } = await signUp(test);
    await firm.people.admin.client.company.me();
    await test.app.platform.pools.system.query(
      `update staff_members set profile_id = (select id from users where email = $2), email = $2 where company_id = $1 and role = 'staff'`,
      [firm.companyId, email],
    );
    const member = await memberWho('staff');
    const { member: moved } = await staff().update({ ...formOf(member), email: 'Contact@Example.com' });
    expect(moved).toMatchObject({ email: 'Contact@Example.com', status: 'active' });
    expect(await signIn(test, email, password)).not.toBe('');
    expect(await staff().update({ ...formOf(moved), email: email.toUpperCase() })).toMatchObject({
      member: { email: email.toUpperCase() },
    });
  });

  it('to the email of a colleague or of someone elsewhere is refused', async () => {
    const other = await createFirm(test, 'Other');
    const invited = (await staff().invite(newMember())).member;
    for (const member of [await memberWho('staff'), invited]) {
      for (const email of [firm.people.manager.email, firm.people.manager.email.toUpperCase()]) {
        const named = { ...EMAIL_TAKEN, message: 'The manager is already on your staff.' };
        await expect(staff().update({ ...formOf(member), email })).rejects.toMatchObject(named);
      }
      await expect(staff().update({ ...formOf(member), email: other.people.staff.email })).rejects.toMatchObject(EMAIL_TAKEN);
      // The mail may have been sent since.
      const { delivery: _, ...unchanged } = member;
      expect(await staff().get({ id: member.id })).toMatchObject(unchanged);
    }
  });

  it('of only the letter case of an email is not a new email', async () => {
    const member = await memberWho('staff');
    const email = member.email.toUpperCase();
    expect(await staff().update({ ...formOf(member), email })).toMatchObject({ member: { email }, mail: null });
  });
});

it('refuses an email that only looks like an invited member’s own, such as one with a Kelvin sign', async () => {
  const { member } = await staff().invite(newMember({ email: `k${uniqueEmail()}` }));
  const email = member.email.replace('k', '\u212a');
  await expect(staff().update({ ...formOf(member), email })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  expect((await staff().update({ ...formOf(member), email: member.email.toUpperCase() })).member.email).toBe(member.email.toUpperCase());
});

it('a company can have at most 1,000 staff members, and can still invite one of them again', async () => {
  const { member } = await staff().invite(newMember());
  await test.owner.query(
    `insert into staff_members (company_id, id, name, email, role)
      select $1, gen_random_uuid(), 'Member', n || '@example.net', 'staff' from generate_series(1, 1000 - 5) n`,
    [firm.companyId],
  );
  const refused = { code: 'LIMIT_REACHED', message: 'A company can have at most 1,000 staff members.' };
  await expect(staff().invite(newMember())).rejects.toMatchObject(refused);
  await staff().withdrawInvitation({ id: member.id });
  expect((await staff().invite(newMember({ email: member.email }))).member.id).toBe(member.id);
});

describe('somebody who leaves', () => {
  it.each(ROLES)('as %s is signed out, and their login and membership are gone', async (role) => {
    if (role === 'admin') await hire(test, firm.companyId, 'admin');
    const { client, cookie, email, userId } = firm.people[role];
    const colleague = await openStream(test, (role === 'manager' ? firm.people.staff : firm.people.manager).cookie);
    const page = await openStream(test, cookie);
    await client.staff.leave();
    expect(await page.next()).toEqual({ event: 'signed-out', data: {} });
    expect(await colleague.next()).toEqual({ event: 'change', data: { topics: ['staff', 'jobs', 'tasks'] } });
    expect((await test.request('GET', '/api/me', { cookie })).statusCode).toBe(401);
    expect((await test.owner.query('select from staff_members where profile_id = $1 or email = $2', [userId, email])).rowCount).toBe(0);
    await signUp(test, email);
  });

  it('as the last admin is refused', async () => {
    const refused = { code: 'LAST_ADMIN', message: 'Cannot delete the last admin' };
    await expect(firm.people.admin.client.staff.leave()).rejects.toMatchObject(refused);
    expect((await firm.people.admin.client.company.me()).profile?.role).toBe('admin');
  });
});

describe('a deleted staff member', () => {
  const remove = async () => staff().remove({ id: (await memberWho('staff')).id });

  it('is signed out with their next call, on every device', async () => {
    const { cookie } = firm.people.staff;
    expect((await test.request('GET', '/api/me', { cookie })).statusCode).toBe(200);
    await remove();
    expect((await test.request('GET', '/api/me', { cookie })).statusCode).toBe(401);
    expect((await test.request('GET', '/api/customers', { cookie })).statusCode).toBe(401);
  });

  it('is signed out on every open page, and colleagues’ lists refresh', async () => {
    const [theirs, colleague] = [await openStream(test, firm.people.staff.cookie), await openStream(test, firm.people.manager.cookie)];
    await remove();
    expect(await theirs.next()).toEqual({ event: 'signed-out', data: {} });
    await expect.poll(() => theirs.ended, { timeout: 10_000 }).toBe(true);
    expect(await colleague.next()).toEqual({ event: 'change', data: { topics: ['staff', 'jobs', 'tasks'] } });
  });

  it('cannot sign in or reset the password, but can sign up again', async () => {
    const { email, password } = await signUp(test);
    await test.app.platform.pools.system.query(
      `update staff_members set profile_id = (select id from users where email = $2), email = $2 where company_id = $1 and role = 'staff'`,
      [firm.companyId, email],
    );
    const token = await resetToken(test, email);
    await remove();
    const { auth } = test.client();
    await expect(auth.signIn({ email, password })).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
    await expect(auth.resetPassword({ token, password: 'secret-2' })).rejects.toMatchObject({ code: 'LINK_EXPIRED' });
    await signUp(test, email);
  });

  it('leaves their records', async () => {
    const customer = await firm.people.staff.client.customers.create(newCustomer());
    await remove();
    expect(await firm.people.admin.client.customers.get({ id: customer.id })).toEqual(customer);
  });

  it('answers 404 the second time', async () => {
    const { id } = await memberWho('staff');
    await staff().remove({ id });
    await expect(staff().remove({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(staff().get({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
