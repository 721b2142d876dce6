import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { signIn, signUp, uniqueEmail } from '../../../test/accounts.ts';
import { everyFile, tablesWith } from '../../../test/every-row.ts';
import { newCustomer, newMember, newProfile } from '../../../test/factories/inputs.ts';
import { inviteMember, newestInvitationToken } from '../../../test/factories/invitations.ts';
import { createFirm, createPerson, type Firm, hire } from '../../../test/factories/people.ts';
import { waitForQueue } from '../../../test/queue.ts';
import { png } from '../../../test/sample-files.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { uploadTo } from '../../../test/upload.ts';

let test: TestApp;
let firm: Firm;

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createFirm(test);
  await system().query('delete from rate_limits');
});

const system = () => test.app.platform.pools.system;
const EMAIL_TAKEN = { code: 'EMAIL_TAKEN', status: 409 };

/** Signed up with this email, confirmed or not, with a company that is not set up. */
async function starter(email = uniqueEmail()) {
  const { password } = await signUp(test, email);
  const cookie = await signIn(test, email, password);
  const client = test.client(cookie);
  const { profile, user } = await client.company.start();
  return { email, password, cookie, client, userId: user.id, companyId: profile?.company_id ?? '' };
}

type Starter = Awaited<ReturnType<typeof starter>>;

const invited = (email: string, by: Firm = firm) => inviteMember(test, by, { email });

const accept = (token: string) => test.client().staff.acceptInvitation({ token, password: 'their own secret' });
const exists = async (companyId: string) =>
  (await system().query('select from companies where company_id = $1', [companyId])).rowCount === 1;

/** Everything in the company, and who works there. */
async function contentsOf(companyId: string): Promise<object[]> {
  const tables = ['companies', 'staff_members', 'customers', 'categories', 'files', 'invitations', 'notifications'];
  const found = tables.map((table) =>
    system().query<{ row: object }>(`select to_jsonb(t) as row from ${table} t where company_id = $1 order by 1`, [companyId]),
  );
  return (await Promise.all(found)).flatMap(({ rows }) => rows.map(({ row }) => row));
}

describe('an unfinished company', () => {
  it('does not prevent an invitation of its founder, however their email is written', async () => {
    const { email } = await starter();
    expect((await firm.people.admin.client.staff.invite(newMember({ email: email.toUpperCase() }))).member.status).toBe('invited');
    const { member } = await firm.people.admin.client.staff.invite(newMember());
    const moved = { ...newMember({ id: member.id, email: (await starter()).email }), version: 1, color_id: null };
    expect((await firm.people.admin.client.staff.update(moved)).member.status).toBe('invited');
  });

  it('is replaced when its founder accepts, with everything in it and every trace of it', async () => {
    const squatter = await starter();
    await squatter.client.categories.create({ id: randomUUID(), name: 'Drains' });
    await squatter.client.staff.invite(newMember());
    await uploadTo(test, `/api/files/${randomUUID()}`, squatter.cookie, 'leak.png', png());
    const { token, member } = await invited(squatter.email);
    await accept(token);

    expect((await firm.people.admin.client.staff.get({ id: member.id })).profile_id).toBe(squatter.userId);
    expect((await test.request('GET', '/api/me', { cookie: squatter.cookie })).statusCode).toBe(401);
    await expect(signIn(test, squatter.email, squatter.password)).rejects.toThrow('401');
    const { profile } = await test.client(await signIn(test, squatter.email, 'their own secret')).company.me();
    expect(profile).toMatchObject({ company_id: firm.companyId, role: 'staff' });
    await waitForQueue(test);
    expect(await tablesWith(test, squatter.companyId)).toEqual([]);
    expect(Object.keys(await everyFile(test)).filter((path) => path.includes(squatter.companyId))).toEqual([]);
  });

  it('is kept until the founder accepts: neither inviting nor viewing the link replaces it', async () => {
    const { email, companyId } = await starter();
    const before = await contentsOf(companyId);
    const { token } = await invited(email);
    expect(await test.client().staff.viewInvitation({ token })).toMatchObject({ email, replaces_company: true });
    await expect(test.client().staff.acceptInvitation({ token, password: '12345' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(accept('no-such-token')).rejects.toMatchObject({ code: 'LINK_EXPIRED' });
    expect(await contentsOf(companyId)).toEqual(before);
  });

  it('is not replaced by a link that its inviter had first mailed to themselves', async () => {
    const victim = await starter();
    const own = await invited(uniqueEmail());
    const moved = { ...newMember({ id: own.member.id, email: victim.email }), version: 1, color_id: null };
    await firm.people.admin.client.staff.update(moved);
    await expect(accept(own.token)).rejects.toMatchObject({ code: 'LINK_EXPIRED' });
    await firm.people.admin.client.staff.withdrawInvitation({ id: own.member.id });
    await expect(accept(own.token)).rejects.toMatchObject({ code: 'LINK_EXPIRED' });
    expect(await exists(victim.companyId)).toBe(true);
  });

  it('that invites its own admin’s login is not replaced by itself', async () => {
    const { client, companyId, userId } = await starter();
    await system().query('update staff_members set email = $2 where profile_id = $1', [userId, uniqueEmail()]);
    const { user } = await client.company.me();
    await expect(client.staff.invite(newMember({ email: user.email }))).rejects.toMatchObject(EMAIL_TAKEN);
    expect(await exists(companyId)).toBe(true);
  });
});

describe('a company', () => {
  const setCompany = (column: string) => (companyId: string) =>
    system().query(`update companies set ${column} where company_id = $1`, [companyId]);

  it.each([
    ['that was finished', setCompany('onboarding_completed = true')],
    ['that has a name', setCompany(`company_name = 'Mia Drains'`)],
    ['that has a customer', (_: string, { client }: Starter) => client.customers.create(newCustomer())],
    ['with another member', (companyId: string) => hire(test, companyId, 'staff')],
  ])('%s blocks the invitation of its founder, even if only after the link was created, and nothing changes', async (_, finish) => {
    const person = await starter();
    const { email, companyId, userId } = person;
    const { token, member } = await invited(email);
    await system().query('update users set email_verified = true where id = $1', [userId]);
    await finish(companyId, person);
    const before = await contentsOf(companyId);
    await expect(accept(token)).rejects.toMatchObject(EMAIL_TAKEN);
    await expect(firm.people.admin.client.staff.resendInvitation({ id: member.id })).rejects.toMatchObject(EMAIL_TAKEN);
    const other = await createFirm(test, 'Other');
    await expect(other.people.admin.client.staff.invite(newMember({ email }))).rejects.toMatchObject(EMAIL_TAKEN);
    expect(await contentsOf(companyId)).toEqual(before);
    expect(await test.client().staff.viewInvitation({ token })).toMatchObject({ replaces_company: false });
  });

  it.each([
    ['that was finished', ({ client }: Starter) => client.company.completeOnboarding(newProfile())],
    ['with a customer', ({ client }: Starter) => client.customers.create(newCustomer())],
  ])(
    '%s does not block it while its founder has not confirmed their email: accepting moves the login and the company keeps the rest',
    async (_, finish) => {
      const squatter = await starter();
      await finish(squatter);
      const before = await contentsOf(squatter.companyId);
      const { token, member } = await invited(squatter.email);
      expect(await test.client().staff.viewInvitation({ token })).toMatchObject({ replaces_company: false, leaves_company: true });
      expect(await contentsOf(squatter.companyId)).toEqual(before);
      await accept(token);
      await expect(squatter.client.company.me()).rejects.toMatchObject({ status: 401 });
      await expect(signIn(test, squatter.email, squatter.password)).rejects.toThrow('401');
      expect((await firm.people.admin.client.staff.get({ id: member.id })).status).toBe('active');
      const withoutLogin = before.map((row) => ('profile_id' in row ? { ...row, profile_id: null } : row));
      expect(await contentsOf(squatter.companyId)).toEqual(withoutLogin);
    },
  );

  it('with other people only invited does not block it', async () => {
    const { email, client, companyId } = await starter();
    await client.staff.invite(newMember());
    await accept((await invited(email)).token);
    expect(await exists(companyId)).toBe(false);
  });
});

describe('the database role of companies', () => {
  const asFirm = async (statement: string, ...values: unknown[]) => {
    const client = await test.app.platform.pools.app.connect();
    try {
      await client.query(`select set_config('app.company_id', $1, false)`, [firm.companyId]);
      return await client.query(statement, values);
    } finally {
      client.release(true);
    }
  };

  it.each(['delete_unfinished_company($1::uuid)', 'unfinished_company_of($1)', 'prepare_to_join($1::uuid)', 'forget_traces(array[$1])'])(
    'may not call %s directly',
    async (call) => {
      const { companyId } = await starter();
      await expect(asFirm(`select ${call}`, companyId)).rejects.toMatchObject({ code: '42501' });
      expect(await exists(companyId)).toBe(true);
    },
  );

  it('reaches no member of another company and no unconfirmed login', async () => {
    const victim = await starter();
    const other = await createFirm(test, 'Other');
    const { id: theirs } = (await invited(victim.email, other)).member;
    const { id: ours } = (await invited(victim.email)).member;
    const before = await contentsOf(victim.companyId);
    const given = await asFirm(`select login from give_login($1, $2, 'hash')`, theirs, randomUUID());
    expect(given.rows).toEqual([{ login: null }]);
    for (const staff of [theirs, ours]) {
      const { rows } = await asFirm('select joined from join_with_login($1, $2)', staff, victim.userId);
      expect(rows).toEqual([{ joined: false }]);
    }
    expect(await contentsOf(victim.companyId)).toEqual(before);
  });
});

describe('at the same time', () => {
  /** Their session and their company end together, and the onboarding may notice either first. */
  const GONE = { status: expect.toBeOneOf([401, 404]) as number };

  it('accepting and finishing one’s own company leaves one of the two, complete', async () => {
    for (let round = 0; round < 8; round += 1) {
      const { email, client, companyId, userId } = await starter();
      await system().query('update users set email_verified = true where id = $1', [userId]);
      const { token, member } = await invited(email);
      const [accepted, finished] = await Promise.allSettled([accept(token), client.company.completeOnboarding(newProfile())]);
      const joined = accepted.status === 'fulfilled';
      const refusals = [accepted, finished].flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
      expect(refusals).toMatchObject([joined ? GONE : EMAIL_TAKEN]);
      expect(await exists(companyId)).toBe(!joined);
      const { rows } = await system().query('select company_id from staff_members where profile_id = $1', [userId]);
      expect(rows).toEqual([{ company_id: joined ? firm.companyId : companyId }]);
      expect((await firm.people.admin.client.staff.get({ id: member.id })).profile_id).toBe(joined ? userId : null);
    }
  });

  it('two founders who accept each other’s invitations end up in one company', async () => {
    for (let round = 0; round < 8; round += 1) {
      const [one, two] = [await starter(), await starter()];
      await one.client.staff.invite(newMember({ email: two.email }));
      await two.client.staff.invite(newMember({ email: one.email }));
      const tokens = [await newestInvitationToken(test, one.email), await newestInvitationToken(test, two.email)];
      const outcomes = await Promise.allSettled(tokens.map(accept));
      const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
      expect(refused).toMatchObject([{ code: 'LINK_EXPIRED' }]);
      const left = [await exists(one.companyId), await exists(two.companyId)];
      expect(left).toEqual([outcomes[1]?.status === 'fulfilled', outcomes[0]?.status === 'fulfilled']);
    }
  });

  it('starting a company and accepting an invitation ends in the company of the invitation', async () => {
    for (let round = 0; round < 8; round += 1) {
      const person = await createPerson(test);
      const { token, member } = await invited(person.email);
      const [accepted] = await Promise.allSettled([accept(token), person.client.company.start()]);
      expect(accepted.status).toBe('fulfilled');
      expect((await firm.people.admin.client.staff.get({ id: member.id })).profile_id).toBe(person.userId);
    }
  });
});
