import { randomUUID } from 'node:crypto';
import { can, ROLES } from '@callout/domain/roles/roles';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cookieFrom, signIn, signUp, uniqueEmail } from '../../../test/accounts.ts';
import { openStream } from '../../../test/event-stream.ts';
import { type NewMemberInput, newProfile } from '../../../test/factories/inputs.ts';
import { inviteMember } from '../../../test/factories/invitations.ts';
import { createFirm, createPerson, type Firm } from '../../../test/factories/people.ts';
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

const EXPIRED = {
  code: 'LINK_EXPIRED',
  status: 410,
  message: 'This link was used before or has expired. If you have joined already, sign in; else ask for a new one.',
};
const EMAIL_TAKEN = { code: 'EMAIL_TAKEN', status: 409 };

const invited = (over: Partial<NewMemberInput> = {}, by: Firm = firm) => inviteMember(test, by, over);

const accept = (token: string, password = 'secret-1') => test.client().staff.acceptInvitation({ token, password });
const rowsOf = async <Row extends object>(statement: string, ...values: unknown[]) =>
  (await test.app.platform.pools.system.query<Row>(statement, values)).rows;

describe('accepting', () => {
  it.each(ROLES)('as %s signs in immediately, with exactly that role', async (role) => {
    const { member, token } = await invited({ role });
    const answer = await test.request('POST', '/api/invitations/accept', { body: { token, password: 'secret-1' } });
    expect([answer.statusCode, answer.json()]).toEqual([200, {}]);
    const client = test.client(cookieFrom(answer));
    const { user, profile } = await client.company.me();
    expect(user).toMatchObject({ email: member.email, name: member.name, staff_id: member.id });
    expect(profile).toMatchObject({ role, company_id: firm.companyId, company_name: 'Tane Plumbing' });
    const reached = await client.staff.list().then(
      () => true,
      () => false,
    );
    expect(reached).toBe(can(role, 'staff.manage'));
  });

  it('sets the password for later sign-ins, with the email in any letter case', async () => {
    const { member, token } = await invited({ email: uniqueEmail().toUpperCase() });
    await accept(token, 'my own secret');
    expect(await signIn(test, member.email, 'my own secret')).not.toBe('');
    expect(await signIn(test, member.email.toLowerCase(), 'my own secret')).not.toBe('');
  });

  it('activates the member and stores the password only as a hash', async () => {
    const { member, token } = await invited();
    await accept(token, 'my own secret');
    const joined = await firm.people.admin.client.staff.get({ id: member.id });
    expect(joined).toMatchObject({ status: 'active', invited_at: null, invitation_expires_at: null, version: member.version });
    const [account] = await rowsOf<{ password: string }>('select password from accounts where user_id = $1', joined.profile_id);
    expect(account?.password).toMatch(/^\$argon2id\$/);
  });

  it('notifies every admin live, and nobody else', async () => {
    const { token } = await invited({ name: 'Aroha', role: 'admin' });
    const page = await openStream(test, firm.people.admin.cookie);
    await accept(token);
    const publishedTopics = () => [...new Set(page.events.flatMap(({ data }) => (data as { topics: string[] }).topics))].toSorted();
    await expect.poll(publishedTopics, { timeout: 10_000 }).toEqual(['notifications', 'staff']);
    expect(await rowsOf('select user_id, message, type from notifications where company_id = $1', firm.companyId)).toEqual([
      { user_id: firm.people.admin.userId, message: 'Aroha accepted your invitation', type: 'success' },
    ]);
  });

  it('refuses a password of 5 characters, and the link still works', async () => {
    const { token } = await invited();
    const fields = { password: 'Password must be at least 6 characters long' };
    await expect(accept(token, '12345')).rejects.toMatchObject({ code: 'INVALID_INPUT', data: { fields } });
    await accept(token, 'h7k2pq');
  });

  it('refuses a common password and their own name as one, and the link still works', async () => {
    const { member, token } = await invited({ email: `aroha.ngata.${uniqueEmail()}` });
    const name = member.email.split('@')[0] ?? '';
    for (const password of ['password1', name]) {
      const fields = { password: `This password is too ${password === name ? 'easy to guess' : 'common'}. Please choose another one.` };
      await expect(accept(token, password)).rejects.toMatchObject({ code: 'INVALID_INPUT', data: { fields } });
    }
    expect(await rowsOf('select from users where email = $1', member.email)).toEqual([]);
    await accept(token);
  });

  it('with an existing account without a company joins with it under the new password, and ends its old sessions', async () => {
    const { email, password } = await signUp(test);
    const cookie = await signIn(test, email, password);
    const { user } = await test.client(cookie).company.me();
    const { member, token } = await invited({ email });
    await accept(token, 'secret-new');
    expect((await firm.people.admin.client.staff.get({ id: member.id })).profile_id).toBe(user.id);
    expect((await test.request('GET', '/api/me', { cookie })).statusCode).toBe(401);
    await expect(signIn(test, email, password)).rejects.toThrow('401');
    expect(await signIn(test, email, 'secret-new')).not.toBe('');
  });

  it('works also after too many failed sign-ins', async () => {
    const { member, token } = await invited();
    for (let n = 0; n < 12; n += 1) await signIn(test, member.email, 'wrong-one').catch(() => undefined);
    await accept(token);
    expect(await signIn(test, member.email, 'secret-1')).not.toBe('');
  });
});

describe('a link', () => {
  it('works once', async () => {
    const { member, token } = await invited();
    await accept(token, 'secret-1');
    await expect(accept(token, 'secret-2')).rejects.toMatchObject(EXPIRED);
    await expect(test.client().staff.viewInvitation({ token })).rejects.toMatchObject(EXPIRED);
    expect(await signIn(test, member.email, 'secret-1')).not.toBe('');
  });

  it('works once when used many times at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { member, token } = await invited();
      const passwords = ['secret-a', 'secret-b', 'secret-c', 'secret-d'];
      const outcomes = await Promise.allSettled(passwords.map((password) => accept(token, password)));
      const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
      expect(refused).toMatchObject([EXPIRED, EXPIRED, EXPIRED]);
      const winner = passwords[outcomes.findIndex((outcome) => outcome.status === 'fulfilled')] ?? '';
      expect(await signIn(test, member.email, winner)).not.toBe('');
      expect(await rowsOf('select 1 from users where email = $1', member.email)).toHaveLength(1);
    }
  });

  it.each([
    ['expired', `update invitations set expires_at = now() - interval '1 second' where staff_id = $1`],
    ['withdrawn', 'delete from invitations where staff_id = $1'],
    ['of a deleted member', 'delete from staff_members where id = $1'],
    ['of a deleted company', 'delete from companies c using staff_members m where m.company_id = c.company_id and m.id = $1'],
  ])('that is %s is answered like one that never existed, and creates no login', async (_, statement) => {
    const { member, token } = await invited();
    await rowsOf(statement, member.id);
    const answers = await Promise.all(
      [token, 'never'].flatMap((which) =>
        ['view', 'accept'].map((what) =>
          test.request('POST', `/api/invitations/${what}`, { body: { token: which, password: 'secret-1' } }),
        ),
      ),
    );
    expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1);
    expect(answers[0]?.statusCode).toBe(410);
    expect(await rowsOf('select 1 from users where email = $1', member.email)).toEqual([]);
  });
});

describe('somebody who has joined a company since they were invited', () => {
  it('cannot join a second one, and nothing changes', async () => {
    const person = await createPerson(test);
    const { member, token } = await invited({ email: person.email });
    await person.client.company.completeOnboarding(newProfile());
    await expect(accept(token)).rejects.toMatchObject(EMAIL_TAKEN);
    expect(await firm.people.admin.client.staff.get({ id: member.id })).toEqual({ ...member, delivery: expect.any(String) as string });
    expect((await person.client.company.me()).profile?.company_id).not.toBe(firm.companyId);
  });

  it('joins one of two that they accept at the same moment', async () => {
    for (let round = 0; round < 5; round += 1) {
      const other = await createFirm(test, 'Other');
      const email = uniqueEmail();
      const links = [await invited({ email }), await invited({ email }, other)];
      const outcomes = await Promise.allSettled(links.map(({ token }) => accept(token)));
      const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
      expect(refused).toMatchObject([EMAIL_TAKEN]);
      const places = 'select m.id from staff_members m join users u on u.id = m.profile_id where u.email = $1';
      expect(await rowsOf(places, email)).toEqual([{ id: links[outcomes[0]?.status === 'fulfilled' ? 0 : 1]?.member.id }]);
    }
  });
});

it('a member deleted while they join either joined and was deleted, or never joined', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { member, token } = await invited({ id: randomUUID() });
    const [accepted, removed] = await Promise.allSettled([accept(token), firm.people.admin.client.staff.remove({ id: member.id })]);
    expect(removed.status).toBe('fulfilled');
    expect(['in', 'LINK_EXPIRED']).toContain(accepted.status === 'fulfilled' ? 'in' : (accepted.reason as { code: string }).code);
    expect(await rowsOf('select 1 from users where email = $1', member.email)).toEqual([]);
    expect(await rowsOf('select 1 from staff_members where id = $1', member.id)).toEqual([]);
  }
});
