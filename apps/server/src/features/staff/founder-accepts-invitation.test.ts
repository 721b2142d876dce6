import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildTestEmail, signIn, signUp } from '../../../test/accounts.ts';
import { buildCustomer, buildMember, buildProfile } from '../../../test/factories/inputs.ts';
import { inviteMember, readNewestInvitationToken } from '../../../test/factories/invitations.ts';
import { addStaffMember, createFirm, createPerson, type Firm } from '../../../test/factories/people.ts';
import { waitForQueue } from '../../../test/queue.ts';
import { buildPng } from '../../../test/sample-files.ts';
import { findTablesContaining, readAllFiles } from '../../../test/stored-data.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { uploadFile } from '../../../test/upload.ts';

let test: TestApp;
let firm: Firm;

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createFirm(test);
  await systemPool().query('delete from rate_limits');
});

const systemPool = () => test.app.platform.pools.system;
const EMAIL_TAKEN = { code: 'EMAIL_TAKEN', status: 409 };

/** Signs up a founder, without confirming their email address, and starts a company that is not set up yet. */
async function startCompany(email = buildTestEmail()) {
  const { password } = await signUp(test, email);
  const cookie = await signIn(test, email, password);
  const client = test.client(cookie);
  const { profile, user } = await client.company.start();
  return { email, password, cookie, client, userId: user.id, companyId: profile?.company_id ?? '' };
}

type Founder = Awaited<ReturnType<typeof startCompany>>;

const invite = (email: string, by: Firm = firm) => inviteMember(test, by, { email });

const acceptInvitation = (token: string) => test.client().staff.acceptInvitation({ token, password: 'their own secret' });
const companyExists = async (companyId: string) =>
  (await systemPool().query('select from companies where company_id = $1', [companyId])).rowCount === 1;

async function readCompanyRows(companyId: string): Promise<object[]> {
  const tables = ['companies', 'staff_members', 'customers', 'categories', 'files', 'invitations', 'notifications'];
  const found = tables.map((table) =>
    systemPool().query<{ row: object }>(`select to_jsonb(t) as row from ${table} t where company_id = $1 order by 1`, [companyId]),
  );
  return (await Promise.all(found)).flatMap(({ rows }) => rows.map(({ row }) => row));
}

describe('an unfinished company', () => {
  it('does not block an invitation to its founder’s email address in any letter case', async () => {
    const { email } = await startCompany();
    expect((await firm.people.admin.client.staff.invite(buildMember({ email: email.toUpperCase() }))).member.status).toBe('invited');
    const { member } = await firm.people.admin.client.staff.invite(buildMember());
    const moved = { ...buildMember({ id: member.id, email: (await startCompany()).email }), version: 1, color_id: null };
    expect((await firm.people.admin.client.staff.update(moved)).member.status).toBe('invited');
  });

  it('is deleted with all its data when its founder accepts an invitation', async () => {
    const squatter = await startCompany();
    await squatter.client.categories.create({ id: randomUUID(), name: 'Drains' });
    await squatter.client.staff.invite(buildMember());
    await uploadFile(test, `/api/files/${randomUUID()}`, squatter.cookie, 'leak.png', buildPng());
    const { token, member } = await invite(squatter.email);
    await acceptInvitation(token);

    expect((await firm.people.admin.client.staff.get({ id: member.id })).profile_id).toBe(squatter.userId);
    expect((await test.request('GET', '/api/me', { cookie: squatter.cookie })).statusCode).toBe(401);
    await expect(signIn(test, squatter.email, squatter.password)).rejects.toThrow('401');
    const { profile } = await test.client(await signIn(test, squatter.email, 'their own secret')).company.me();
    expect(profile).toMatchObject({ company_id: firm.companyId, role: 'staff' });
    await waitForQueue(test);
    expect(await findTablesContaining(test, squatter.companyId)).toEqual([]);
    expect(Object.keys(await readAllFiles(test)).filter((path) => path.includes(squatter.companyId))).toEqual([]);
  });

  it('is not deleted by inviting its founder or by viewing the link', async () => {
    const { email, companyId } = await startCompany();
    const before = await readCompanyRows(companyId);
    const { token } = await invite(email);
    expect(await test.client().staff.viewInvitation({ token })).toMatchObject({
      company_id: firm.companyId,
      email,
      replaces_company: true,
    });
    await expect(test.client().staff.acceptInvitation({ token, password: '12345' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(acceptInvitation('no-such-token')).rejects.toMatchObject({ code: 'LINK_EXPIRED' });
    expect(await readCompanyRows(companyId)).toEqual(before);
  });

  it('is not deleted by a link that the inviter first emailed to themselves', async () => {
    const victim = await startCompany();
    const selfInvited = await invite(buildTestEmail());
    const moved = { ...buildMember({ id: selfInvited.member.id, email: victim.email }), version: 1, color_id: null };
    await firm.people.admin.client.staff.update(moved);
    await expect(acceptInvitation(selfInvited.token)).rejects.toMatchObject({ code: 'LINK_EXPIRED' });
    await firm.people.admin.client.staff.withdrawInvitation({ id: selfInvited.member.id });
    await expect(acceptInvitation(selfInvited.token)).rejects.toMatchObject({ code: 'LINK_EXPIRED' });
    expect(await companyExists(victim.companyId)).toBe(true);
  });

  it('is not deleted when it invites its own admin', async () => {
    const { client, companyId, userId } = await startCompany();
    await systemPool().query('update staff_members set email = $2 where profile_id = $1', [userId, buildTestEmail()]);
    const { user } = await client.company.me();
    await expect(client.staff.invite(buildMember({ email: user.email }))).rejects.toMatchObject(EMAIL_TAKEN);
    expect(await companyExists(companyId)).toBe(true);
  });
});

describe('a company', () => {
  const updateCompany = (column: string) => (companyId: string) =>
    systemPool().query(`update companies set ${column} where company_id = $1`, [companyId]);

  it.each([
    ['that is set up', updateCompany('onboarding_completed = true')],
    ['that has a name', updateCompany(`company_name = 'Mia Drains'`)],
    ['that has a customer', (_: string, { client }: Founder) => client.customers.create(buildCustomer())],
    ['with another member', (companyId: string) => addStaffMember(test, companyId, 'staff')],
  ])('%s blocks its founder from joining another company, even with an earlier link, and nothing changes', async (_, finish) => {
    const person = await startCompany();
    const { email, companyId, userId } = person;
    const { token, member } = await invite(email);
    await systemPool().query('update users set email_verified = true where id = $1', [userId]);
    await finish(companyId, person);
    const before = await readCompanyRows(companyId);
    await expect(acceptInvitation(token)).rejects.toMatchObject(EMAIL_TAKEN);
    await expect(firm.people.admin.client.staff.resendInvitation({ id: member.id })).rejects.toMatchObject(EMAIL_TAKEN);
    const other = await createFirm(test, 'Other');
    await expect(other.people.admin.client.staff.invite(buildMember({ email }))).rejects.toMatchObject(EMAIL_TAKEN);
    expect(await readCompanyRows(companyId)).toEqual(before);
    expect(await test.client().staff.viewInvitation({ token })).toMatchObject({ replaces_company: false });
  });

  it.each([
    ['that is set up', ({ client }: Founder) => client.company.completeOnboarding(buildProfile())],
    ['with a customer', ({ client }: Founder) => client.customers.create(buildCustomer())],
  ])('%s does not block a founder with an unconfirmed email address, and accepting moves only the login', async (_, finish) => {
    const squatter = await startCompany();
    await finish(squatter);
    const before = await readCompanyRows(squatter.companyId);
    const { token, member } = await invite(squatter.email);
    expect(await test.client().staff.viewInvitation({ token })).toMatchObject({ replaces_company: false, leaves_company: true });
    expect(await readCompanyRows(squatter.companyId)).toEqual(before);
    await acceptInvitation(token);
    await expect(squatter.client.company.me()).rejects.toMatchObject({ status: 401 });
    await expect(signIn(test, squatter.email, squatter.password)).rejects.toThrow('401');
    expect((await firm.people.admin.client.staff.get({ id: member.id })).status).toBe('active');
    const withoutLogin = before.map((row) => ('profile_id' in row ? { ...row, profile_id: null } : row));
    expect(await readCompanyRows(squatter.companyId)).toEqual(withoutLogin);
  });

  it('whose other members are only invited does not block its founder', async () => {
    const { email, client, companyId } = await startCompany();
    await client.staff.invite(buildMember());
    await acceptInvitation((await invite(email)).token);
    expect(await companyExists(companyId)).toBe(false);
  });
});

describe('the app’s database role', () => {
  const queryAsFirm = async (statement: string, ...values: unknown[]) => {
    const client = await test.app.platform.pools.app.connect();
    try {
      await client.query(`select set_config('app.company_id', $1, false)`, [firm.companyId]);
      return await client.query(statement, values);
    } finally {
      client.release(true);
    }
  };

  it.each(['delete_unfinished_company($1::uuid)', 'unfinished_company_of($1)', 'prepare_to_join($1::uuid)', 'forget_traces(array[$1])'])(
    'cannot call %s directly',
    async (call) => {
      const { companyId } = await startCompany();
      await expect(queryAsFirm(`select ${call}`, companyId)).rejects.toMatchObject({ code: '42501' });
      expect(await companyExists(companyId)).toBe(true);
    },
  );

  it('cannot attach an unconfirmed login or attach a login to another company’s member', async () => {
    const victim = await startCompany();
    const other = await createFirm(test, 'Other');
    const { id: theirs } = (await invite(victim.email, other)).member;
    const { id: ours } = (await invite(victim.email)).member;
    const before = await readCompanyRows(victim.companyId);
    const attached = await queryAsFirm(`select login from give_login($1, $2, 'hash')`, theirs, randomUUID());
    expect(attached.rows).toEqual([{ login: null }]);
    for (const staff of [theirs, ours]) {
      const { rows } = await queryAsFirm('select joined from join_with_login($1, $2)', staff, victim.userId);
      expect(rows).toEqual([{ joined: false }]);
    }
    expect(await readCompanyRows(victim.companyId)).toEqual(before);
  });
});

describe('concurrent requests', () => {
  /** The session and the company are deleted together, so onboarding may report either one as missing. */
  const MISSING = { status: expect.toBeOneOf([401, 404]) as number };

  it('let a founder either accept an invitation or finish their company, not both', async () => {
    for (let round = 0; round < 8; round += 1) {
      const { email, client, companyId, userId } = await startCompany();
      await systemPool().query('update users set email_verified = true where id = $1', [userId]);
      const { token, member } = await invite(email);
      const [accepted, finished] = await Promise.allSettled([acceptInvitation(token), client.company.completeOnboarding(buildProfile())]);
      const joined = accepted.status === 'fulfilled';
      const refusals = [accepted, finished].flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
      expect(refusals).toMatchObject([joined ? MISSING : EMAIL_TAKEN]);
      expect(await companyExists(companyId)).toBe(!joined);
      const { rows } = await systemPool().query('select company_id from staff_members where profile_id = $1', [userId]);
      expect(rows).toEqual([{ company_id: joined ? firm.companyId : companyId }]);
      expect((await firm.people.admin.client.staff.get({ id: member.id })).profile_id).toBe(joined ? userId : null);
    }
  });

  it('leave two founders who accept each other’s invitations in the same company', async () => {
    for (let round = 0; round < 8; round += 1) {
      const [one, two] = [await startCompany(), await startCompany()];
      await one.client.staff.invite(buildMember({ email: two.email }));
      await two.client.staff.invite(buildMember({ email: one.email }));
      const tokens = [await readNewestInvitationToken(test, one.email), await readNewestInvitationToken(test, two.email)];
      const outcomes = await Promise.allSettled(tokens.map(acceptInvitation));
      const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
      expect(refused).toMatchObject([{ code: 'LINK_EXPIRED' }]);
      const left = [await companyExists(one.companyId), await companyExists(two.companyId)];
      expect(left).toEqual([outcomes[1]?.status === 'fulfilled', outcomes[0]?.status === 'fulfilled']);
    }
  });

  it('put a person who starts a company while accepting an invitation into the inviting company', async () => {
    for (let round = 0; round < 8; round += 1) {
      const person = await createPerson(test);
      const { token, member } = await invite(person.email);
      const [accepted] = await Promise.allSettled([acceptInvitation(token), person.client.company.start()]);
      expect(accepted.status).toBe('fulfilled');
      expect((await firm.people.admin.client.staff.get({ id: member.id })).profile_id).toBe(person.userId);
    }
  });
});
