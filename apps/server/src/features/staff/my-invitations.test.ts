import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newAddress, signIn, signUp } from '../../../test/accounts.ts';
import { createFirm, createPerson, type Firm } from '../../../test/factories/people.ts';
import { newMember } from '../../../test/factories/staff.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let firm: Firm;

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createFirm(test, 'Harbour Plumbing');
  await system().query('delete from rate_limits');
});

const system = () => test.app.platform.pools.system;
const invite = async (email: string, by: Firm = firm) => (await by.people.admin.client.staff.invite(newMember({ email }))).member;

/** Signed up with this address, which nothing has confirmed. */
async function claimant(email: string) {
  const { password } = await signUp(test, email);
  const cookie = await signIn(test, email, password);
  return { cookie, client: test.client(cookie) };
}

/** Of the mail that waits; one that was replaced is taken back. */
async function tokenTo(email: string): Promise<string> {
  const { rows } = await system().query<{ text_body: string }>('select text_body from outbox_mails where recipient = $1', [email]);
  return /token=([\w-]+)/.exec(rows[0]?.text_body ?? '')?.[1] ?? '';
}

describe('whoever has confirmed their email', () => {
  it('sees who invited them, and joins without a link, with the password and session they have', async () => {
    const person = await createPerson(test);
    const member = await invite(person.email.toUpperCase());
    const companies = [{ company_id: firm.companyId, company_name: 'Harbour Plumbing' }];
    expect(await person.client.staff.myInvitations()).toEqual({ open: true, companies });
    await person.client.staff.joinCompany({ company_id: firm.companyId });
    expect((await person.client.company.me()).profile).toMatchObject({ company_id: firm.companyId, role: 'staff' });
    expect(await firm.people.admin.client.staff.get({ id: member.id })).toMatchObject({ status: 'active', profile_id: person.userId });
    const { rows } = await firm.people.admin.client.notifications.list();
    expect(rows.map(({ message }) => message)).toEqual([`${member.name} accepted your invitation`]);
    expect(await person.client.staff.myInvitations()).toEqual({ open: false, companies: [] });
  });

  it('is offered every company that invited them, and joins one', async () => {
    const person = await createPerson(test);
    const other = await createFirm(test, 'Other');
    await invite(person.email);
    await invite(person.email, other);
    const { companies } = await person.client.staff.myInvitations();
    expect(new Set(companies.map(({ company_name }) => company_name))).toEqual(new Set(['Harbour Plumbing', 'Other']));
    const outcomes = await Promise.allSettled(companies.map(({ company_id }) => person.client.staff.joinCompany({ company_id })));
    expect(outcomes.filter(({ status }) => status === 'rejected')).toMatchObject([{ reason: { code: 'EMAIL_TAKEN' } }]);
  });

  it('leaves an unfinished company behind, which is then gone', async () => {
    const person = await createPerson(test);
    await invite(person.email);
    const { profile } = await person.client.company.start();
    await person.client.staff.joinCompany({ company_id: firm.companyId });
    expect((await person.client.company.me()).profile?.company_id).toBe(firm.companyId);
    expect((await system().query('select from companies where company_id = $1', [profile?.company_id])).rowCount).toBe(0);
  });

  it('cannot join with a company that was finished, and nothing changes', async () => {
    const { people, companyId } = await createFirm(test, 'Own');
    await system().query('insert into staff_members (company_id, id, name, email, role) values ($1, gen_random_uuid(), $2, $3, $4)', [
      firm.companyId,
      'Somebody',
      people.staff.email,
      'staff',
    ]);
    await system().query(
      `insert into invitations (company_id, staff_id, token_hash, expires_at)
        select company_id, id, 'hash-of-finished', now() + interval '1 day' from staff_members where company_id = $1 and email = $2`,
      [firm.companyId, people.staff.email],
    );
    await expect(people.staff.client.staff.joinCompany({ company_id: firm.companyId })).rejects.toMatchObject({ code: 'EMAIL_TAKEN' });
    expect((await people.staff.client.company.me()).profile?.company_id).toBe(companyId);
  });

  it.each([
    ['was withdrawn', (id: string) => firm.people.admin.client.staff.withdrawInvitation({ id })],
    ['has expired', () => system().query(`update invitations set expires_at = now() - interval '1 second'`)],
    [
      'goes to another address by now',
      (id: string) => system().query('update staff_members set email = $2 where id = $1', [id, newAddress()]),
    ],
  ])('is neither offered nor let into a company whose invitation %s', async (_, end) => {
    const person = await createPerson(test);
    const { id } = await invite(person.email);
    await end(id);
    expect(await person.client.staff.myInvitations()).toEqual({ open: false, companies: [] });
    await expect(person.client.staff.joinCompany({ company_id: firm.companyId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await person.client.company.me()).profile).toBeNull();
  });
});

describe('whoever has not confirmed their email', () => {
  it('learns neither who invited them nor gets in, only that a link can be mailed', async () => {
    const email = newAddress();
    await invite(email);
    const { client, cookie } = await claimant(email);
    const answer = await test.request('GET', '/api/me/invitations', { cookie });
    expect(answer.json()).toEqual({ open: true, companies: [] });
    await expect(client.staff.joinCompany({ company_id: firm.companyId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await client.company.me()).profile).toBeNull();
  });

  it('has the link mailed again to that address: the new one works, the old one is dead', async () => {
    const email = newAddress();
    const member = await invite(email);
    const old = await tokenTo(email);
    const { client } = await claimant(email);
    expect(await client.staff.resendMyInvitation()).toEqual({ mail: 'kept' });
    const fresh = await tokenTo(email);
    await expect(test.client().staff.viewInvitation({ token: old })).rejects.toMatchObject({ code: 'LINK_EXPIRED' });
    await test.client().staff.acceptInvitation({ token: fresh, password: 'their own secret' });
    expect((await firm.people.admin.client.staff.get({ id: member.id })).status).toBe('active');
    await expect(client.company.me()).rejects.toMatchObject({ status: 401 });
  });

  it('has it mailed four times in a day at most, counted with what the company sends', async () => {
    const email = newAddress();
    const { id } = await invite(email);
    const { client } = await claimant(email);
    for (let n = 0; n < 3; n += 1) await client.staff.resendMyInvitation();
    const last = await tokenTo(email);
    await expect(client.staff.resendMyInvitation()).rejects.toMatchObject({ code: 'TOO_MANY_ATTEMPTS' });
    await expect(firm.people.admin.client.staff.resendInvitation({ id })).rejects.toMatchObject({ code: 'TOO_MANY_ATTEMPTS' });
    expect(await tokenTo(email)).toBe(last);
  });

  it('has nothing mailed when nobody invited them', async () => {
    const email = newAddress();
    const { client } = await claimant(email);
    await expect(client.staff.resendMyInvitation()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await tokenTo(email)).toBe('');
  });
});
