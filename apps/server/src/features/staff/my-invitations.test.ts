import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildTestEmail, signIn, signUp } from '../../../test/accounts.ts';
import { buildMember } from '../../../test/factories/inputs.ts';
import { createFirm, createPerson, type Firm } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let firm: Firm;

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createFirm(test, 'Harbour Plumbing');
  await systemPool().query('delete from rate_limits');
});

const systemPool = () => test.app.platform.pools.system;
const invite = async (email: string, by: Firm = firm) => (await by.people.admin.client.staff.invite(buildMember({ email }))).member;

async function signUpUnconfirmed(email: string) {
  const { password } = await signUp(test, email);
  const cookie = await signIn(test, email, password);
  return { cookie, client: test.client(cookie) };
}

describe('a person with a confirmed email address', () => {
  it('sees who invited them and joins without a link, keeping their password and session', async () => {
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

  it('sees every company that invited them and can join only one', async () => {
    const person = await createPerson(test);
    const other = await createFirm(test, 'Other');
    await invite(person.email);
    await invite(person.email, other);
    const { companies } = await person.client.staff.myInvitations();
    expect(new Set(companies.map(({ company_name }) => company_name))).toEqual(new Set(['Harbour Plumbing', 'Other']));
    const outcomes = await Promise.allSettled(companies.map(({ company_id }) => person.client.staff.joinCompany({ company_id })));
    expect(outcomes.filter(({ status }) => status === 'rejected')).toMatchObject([{ reason: { code: 'EMAIL_TAKEN' } }]);
  });

  it('loses an unfinished company when joining another', async () => {
    const person = await createPerson(test);
    await invite(person.email);
    const { profile } = await person.client.company.start();
    await person.client.staff.joinCompany({ company_id: firm.companyId });
    expect((await person.client.company.me()).profile?.company_id).toBe(firm.companyId);
    expect((await systemPool().query('select from companies where company_id = $1', [profile?.company_id])).rowCount).toBe(0);
  });

  it('cannot join while they have a finished company, and nothing changes', async () => {
    const { people, companyId } = await createFirm(test, 'Own');
    await systemPool().query('insert into staff_members (company_id, id, name, email, role) values ($1, gen_random_uuid(), $2, $3, $4)', [
      firm.companyId,
      'Sam',
      people.staff.email,
      'staff',
    ]);
    await systemPool().query(
      `insert into invitations (company_id, staff_id, token_hash, expires_at)
        select company_id, id, 'hash-of-finished', now() + interval '1 day' from staff_members where company_id = $1 and email = $2`,
      [firm.companyId, people.staff.email],
    );
    await expect(people.staff.client.staff.joinCompany({ company_id: firm.companyId })).rejects.toMatchObject({ code: 'EMAIL_TAKEN' });
    expect((await people.staff.client.company.me()).profile?.company_id).toBe(companyId);
  });

  it.each([
    ['was withdrawn', (id: string) => firm.people.admin.client.staff.withdrawInvitation({ id })],
    ['has expired', () => systemPool().query(`update invitations set expires_at = now() - interval '1 second'`)],
    ['was readdressed', (id: string) => systemPool().query('update staff_members set email = $2 where id = $1', [id, buildTestEmail()])],
  ])('neither sees nor can join a company whose invitation %s', async (_, endInvitation) => {
    const person = await createPerson(test);
    const { id } = await invite(person.email);
    await endInvitation(id);
    expect(await person.client.staff.myInvitations()).toEqual({ open: false, companies: [] });
    await expect(person.client.staff.joinCompany({ company_id: firm.companyId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await person.client.company.me()).profile).toBeNull();
  });
});

describe('a person with an unconfirmed email address', () => {
  it('sees only that an invitation exists, and cannot join', async () => {
    const email = buildTestEmail();
    await invite(email);
    const { client, cookie } = await signUpUnconfirmed(email);
    const response = await test.request('GET', '/api/me/invitations', { cookie });
    expect(response.json()).toEqual({ open: true, companies: [] });
    await expect(client.staff.joinCompany({ company_id: firm.companyId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await client.company.me()).profile).toBeNull();
  });
});
