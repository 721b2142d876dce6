import { randomUUID } from 'node:crypto';
import { hasCapability, ROLES } from '@callout/domain/roles/roles';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildTestEmail, getSessionCookie, signIn, signUp } from '../../../test/accounts.ts';
import { openEventStream } from '../../../test/event-stream.ts';
import { buildProfile, type NewMemberInput } from '../../../test/factories/inputs.ts';
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
  message: 'This link has already been used or has expired. If you have already joined, sign in. Otherwise, ask for a new one.',
};
const EMAIL_TAKEN = { code: 'EMAIL_TAKEN', status: 409 };

const invite = (overrides: Partial<NewMemberInput> = {}, by: Firm = firm) => inviteMember(test, by, overrides);

const acceptInvitation = (token: string, password = 'secret-1') => test.client().staff.acceptInvitation({ token, password });
const queryRows = async <Row extends object>(statement: string, ...values: unknown[]) =>
  (await test.app.platform.pools.system.query<Row>(statement, values)).rows;

describe('accepting an invitation', () => {
  it.each(ROLES)('signs in the %s immediately, with exactly that role', async (role) => {
    const { member, token } = await invite({ role });
    const response = await test.request('POST', '/api/invitations/accept', { body: { token, password: 'secret-1' } });
    expect([response.statusCode, response.json()]).toEqual([200, {}]);
    const client = test.client(getSessionCookie(response));
    const { user, profile } = await client.company.me();
    expect(user).toMatchObject({ email: member.email, name: member.name, staff_id: member.id });
    expect(profile).toMatchObject({ role, company_id: firm.companyId, company_name: 'Tane Plumbing' });
    const reached = await client.staff.list().then(
      () => true,
      () => false,
    );
    expect(reached).toBe(hasCapability(role, 'staff.manage'));
  });

  it('sets the password for later sign-ins with the email address in any letter case', async () => {
    const { member, token } = await invite({ email: buildTestEmail().toUpperCase() });
    await acceptInvitation(token, 'my own secret');
    expect(await signIn(test, member.email, 'my own secret')).not.toBe('');
    expect(await signIn(test, member.email.toLowerCase(), 'my own secret')).not.toBe('');
  });

  it('activates the member and stores the password only as a hash', async () => {
    const { member, token } = await invite();
    await acceptInvitation(token, 'my own secret');
    const joined = await firm.people.admin.client.staff.get({ id: member.id });
    expect(joined).toMatchObject({ status: 'active', invited_at: null, invitation_expires_at: null, version: member.version });
    const [account] = await queryRows<{ password: string }>('select password from accounts where user_id = $1', joined.profile_id);
    expect(account?.password).toMatch(/^\$argon2id\$/);
  });

  it('immediately notifies the other admins and no one else', async () => {
    const page = await openEventStream(test, firm.people.admin.cookie);
    const { token } = await invite({ name: 'Aroha', role: 'admin' });
    await page.next();
    await acceptInvitation(token);
    const publishedTopics = () =>
      [...new Set(page.events.slice(1).flatMap(({ data }) => (data as { topics: string[] }).topics))].toSorted();
    await expect.poll(publishedTopics, { timeout: 10_000 }).toEqual(['notifications', 'staff']);
    expect(await queryRows('select user_id, message, type from notifications where company_id = $1', firm.companyId)).toEqual([
      { user_id: firm.people.admin.userId, message: 'Aroha accepted your invitation', type: 'success' },
    ]);
  });

  it('rejects a password of 5 characters without using up the link', async () => {
    const { token } = await invite();
    const fields = { password: 'Password must be at least 6 characters long' };
    await expect(acceptInvitation(token, '12345')).rejects.toMatchObject({ code: 'INVALID_INPUT', data: { fields } });
    await acceptInvitation(token, 'h7k2pq');
  });

  it('rejects a common password, or the name in the email address, without using up the link', async () => {
    const { member, token } = await invite({ email: `aroha.ngata.${buildTestEmail()}` });
    const name = member.email.split('@')[0] ?? '';
    for (const password of ['password1', name]) {
      const fields = { password: `This password is too ${password === name ? 'easy to guess' : 'common'}. Please choose another one.` };
      await expect(acceptInvitation(token, password)).rejects.toMatchObject({ code: 'INVALID_INPUT', data: { fields } });
    }
    expect(await queryRows('select from users where email = $1', member.email)).toEqual([]);
    await acceptInvitation(token);
  });

  it('takes over an existing account without a company, sets its new password and ends its sessions', async () => {
    const { email, password } = await signUp(test);
    const cookie = await signIn(test, email, password);
    const { user } = await test.client(cookie).company.me();
    const { member, token } = await invite({ email });
    await acceptInvitation(token, 'secret-new');
    expect((await firm.people.admin.client.staff.get({ id: member.id })).profile_id).toBe(user.id);
    expect((await test.request('GET', '/api/me', { cookie })).statusCode).toBe(401);
    await expect(signIn(test, email, password)).rejects.toThrow('401');
    expect(await signIn(test, email, 'secret-new')).not.toBe('');
  });

  it('works even after too many failed sign-ins', async () => {
    const { member, token } = await invite();
    for (let n = 0; n < 12; n += 1) await signIn(test, member.email, 'wrong-one').catch(() => undefined);
    await acceptInvitation(token);
    expect(await signIn(test, member.email, 'secret-1')).not.toBe('');
  });
});

describe('an invitation link', () => {
  it('works only once', async () => {
    const { member, token } = await invite();
    await acceptInvitation(token, 'secret-1');
    await expect(acceptInvitation(token, 'secret-2')).rejects.toMatchObject(EXPIRED);
    await expect(test.client().staff.viewInvitation({ token })).rejects.toMatchObject(EXPIRED);
    expect(await signIn(test, member.email, 'secret-1')).not.toBe('');
  });

  it('works only once when used concurrently', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { member, token } = await invite();
      const passwords = ['secret-a', 'secret-b', 'secret-c', 'secret-d'];
      const outcomes = await Promise.allSettled(passwords.map((password) => acceptInvitation(token, password)));
      const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
      expect(refused).toMatchObject([EXPIRED, EXPIRED, EXPIRED]);
      const winner = passwords[outcomes.findIndex((outcome) => outcome.status === 'fulfilled')] ?? '';
      expect(await signIn(test, member.email, winner)).not.toBe('');
      expect(await queryRows('select 1 from users where email = $1', member.email)).toHaveLength(1);
    }
  });

  it.each([
    ['it has expired', `update invitations set expires_at = now() - interval '1 second' where staff_id = $1`],
    ['it was withdrawn', 'delete from invitations where staff_id = $1'],
    ['its member was deleted', 'delete from staff_members where id = $1'],
    ['its company was deleted', 'delete from companies c using staff_members m where m.company_id = c.company_id and m.id = $1'],
  ])('gets the same response as an unknown link and creates no login if %s', async (_, statement) => {
    const { member, token } = await invite();
    await queryRows(statement, member.id);
    const responses = await Promise.all(
      [token, 'unknown'].flatMap((linkToken) =>
        ['view', 'accept'].map((action) =>
          test.request('POST', `/api/invitations/${action}`, { body: { token: linkToken, password: 'secret-1' } }),
        ),
      ),
    );
    expect(new Set(responses.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1);
    expect(responses[0]?.statusCode).toBe(410);
    expect(await queryRows('select 1 from users where email = $1', member.email)).toEqual([]);
  });
});

describe('a person who joined another company after being invited', () => {
  it('cannot join a second company, and the attempt changes nothing', async () => {
    const person = await createPerson(test);
    const { member, token } = await invite({ email: person.email });
    await person.client.company.completeOnboarding(buildProfile());
    await expect(acceptInvitation(token)).rejects.toMatchObject(EMAIL_TAKEN);
    expect(await firm.people.admin.client.staff.get({ id: member.id })).toEqual({ ...member, delivery: expect.any(String) as string });
    expect((await person.client.company.me()).profile?.company_id).not.toBe(firm.companyId);
  });

  it('joins only one of two companies when accepting both at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const other = await createFirm(test, 'Other');
      const email = buildTestEmail();
      const links = [await invite({ email }), await invite({ email }, other)];
      const outcomes = await Promise.allSettled(links.map(({ token }) => acceptInvitation(token)));
      const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
      expect(refused).toMatchObject([EMAIL_TAKEN]);
      const membershipsQuery = 'select m.id from staff_members m join users u on u.id = m.profile_id where u.email = $1';
      expect(await queryRows(membershipsQuery, email)).toEqual([{ id: links[outcomes[0]?.status === 'fulfilled' ? 0 : 1]?.member.id }]);
    }
  });
});

it('leaves no login or member behind if the member is deleted while joining', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { member, token } = await invite({ id: randomUUID() });
    const { remove } = firm.people.admin.client.staff;
    const [accepted, removed] = await Promise.allSettled([acceptInvitation(token), remove({ id: member.id })]);
    expect(removed.status).toBe('fulfilled');
    expect(['joined', 'LINK_EXPIRED']).toContain(accepted.status === 'fulfilled' ? 'joined' : (accepted.reason as { code: string }).code);
    expect(await queryRows('select 1 from users where email = $1', member.email)).toEqual([]);
    await expect.poll(() => queryRows('select 1 from staff_members where id = $1', member.id)).toEqual([]);
  }
});
