import { createHash } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newAddress, signIn, signUp } from '../../../test/accounts.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { newMember } from '../../../test/factories/staff.ts';
import { type Mailbox, startMailbox } from '../../../test/mailbox.ts';
import { queueSettles } from '../../../test/queue.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let mailbox: Mailbox;
let firm: Firm;

beforeAll(async () => {
  mailbox = await startMailbox();
  test = await startTestApp(mailbox.environment);
  return () => mailbox.stop();
});

beforeEach(async () => {
  firm = await createFirm(test);
  await system().query('delete from rate_limits');
});

const system = () => test.app.platform.pools.system;
const staff = () => firm.people.admin.client.staff;

/** The members and mails of a company, and what its members are invited to: what a refused invitation leaves alone. */
async function stateOf(companyId: string): Promise<unknown> {
  const read = async (table: string) =>
    (await system().query(`select * from ${table} where company_id = $1 order by 1, 2`, [companyId])).rows;
  // A mail that was sent meanwhile is still the same mail.
  const { rows: mails } = await system().query('select id, recipient, subject from outbox_mails where company_id = $1 order by 1', [
    companyId,
  ]);
  return { members: await read('staff_members'), invitations: await read('invitations'), mails };
}

async function expectRefused(companyId: string, attempt: () => Promise<unknown>, refusal: object): Promise<void> {
  const before = await stateOf(companyId);
  await expect(attempt()).rejects.toMatchObject(refusal);
  expect(await stateOf(companyId)).toEqual(before);
}

/** Of a company that was set up by somebody who signed up and confirmed nothing. */
async function newOwner(on = test) {
  const { email, password } = await signUp(on);
  const client = on.client(await signIn(on, email, password));
  const { profile } = await client.company.start();
  return { email, client, companyId: profile?.company_id ?? '' };
}

const tokenTo = async (address: string) => /token=([\w-]+)/.exec((await mailbox.mailTo(address)).text)?.[1] ?? '';

describe('who has not confirmed their own email', () => {
  const UNCONFIRMED = {
    code: 'EMAIL_UNCONFIRMED',
    status: 409,
    message: 'Please confirm your email address before you invite people.',
  };

  it('invites nobody, and nothing changes', async () => {
    const { client, companyId } = await newOwner();
    const input = newMember();
    await expectRefused(companyId, () => client.staff.invite(input), UNCONFIRMED);
    expect((await client.company.me()).must_confirm_email).toBe(true);
    await queueSettles(test);
    expect(mailbox.mailsTo(input.email)).toEqual([]);
  });

  it('sends no invitation again and none to another address, but changes everything else', async () => {
    const { member } = await staff().invite(newMember());
    await system().query('update users set email_verified = false where id = $1', [firm.people.admin.userId]);
    const change = (over: object) =>
      staff().update({ ...newMember({ id: member.id, email: member.email }), version: 1, color_id: null, ...over });
    await expectRefused(firm.companyId, () => staff().resendInvitation({ id: member.id }), UNCONFIRMED);
    await expectRefused(firm.companyId, () => change({ email: newAddress() }), UNCONFIRMED);
    expect(await change({ name: 'New Name' })).toMatchObject({ member: { name: 'New Name', email: member.email }, mail: null });
    expect(await staff().withdrawInvitation({ id: member.id })).toMatchObject({ status: 'uninvited' });
    const email = newAddress();
    expect(await change({ email, version: 2 })).toMatchObject({ member: { email, status: 'uninvited' }, mail: null });
  });

  it('may invite with the same session as soon as the mailed link was opened', async () => {
    const { email, client } = await newOwner();
    expect(await client.auth.requestEmailConfirmation()).toEqual({ mail: 'queued' });
    await client.auth.confirmEmailChange({ token: await tokenTo(email) });
    expect((await client.company.me()).must_confirm_email).toBe(false);
    expect((await client.staff.invite(newMember())).mail).toBe('queued');
  });

  it('is mailed a link five times in an hour at most, and none once it was opened', async () => {
    const { email, client } = await newOwner();
    for (let n = 0; n < 5; n += 1) await client.auth.requestEmailConfirmation();
    await expect(client.auth.requestEmailConfirmation()).rejects.toMatchObject({ code: 'TOO_MANY_ATTEMPTS' });
    await queueSettles(test);
    expect(mailbox.mailsTo(email)).toHaveLength(5);
    await expect(firm.people.admin.client.auth.requestEmailConfirmation()).rejects.toMatchObject({ code: 'ALREADY_DONE' });
  });

  it('invites on a server without mail, where nothing reaches a stranger', async () => {
    const { client } = await newOwner(await startTestApp());
    expect((await client.company.me()).must_confirm_email).toBe(false);
    expect(await client.staff.invite(newMember())).toMatchObject({ member: { status: 'invited' }, mail: 'kept' });
  });
});

describe('the mail of an invitation', () => {
  const mailFrom = async (company: string, inviter: string) => {
    const { people } = await createFirm(test, company);
    await system().query('update staff_members set name = $2 where profile_id = $1', [people.admin.userId, inviter]);
    const { member } = await people.admin.client.staff.invite(newMember({ name: 'Aroha' }));
    return mailbox.mailTo(member.email);
  };

  it('has our words in its subject, with the name of the company in quotes', async () => {
    const mail = await mailFrom('Your account is "locked"', 'Mia Tane');
    expect(mail.subject).toBe('You are invited to “Your account is locked” on Callout');
    expect(mail.text).toContain('Mia Tane invited you to “Your account is locked” on Callout as a staff member.');
  });

  it('leaves out a name that looks like a link, stored before such names were refused', async () => {
    const mail = await mailFrom('Go to evil.example', 'www.evil.example');
    expect(mail.subject).toBe('You are invited to a company on Callout');
    expect(mail.text).not.toMatch(/evil/);
    expect(mail.html).not.toMatch(/evil/);
  });
});

describe('a name that looks like a link', () => {
  const NAME = 'Your account is locked - go to evil.example';

  it.each(['company_name', 'name'])('is refused as %s', async (field) => {
    const { client, cookie } = await newPerson();
    await client.company.start();
    const path = field === 'name' ? '/api/staff' : '/api/company/onboarding';
    const body = field === 'name' ? newMember({ name: NAME }) : { company_name: NAME };
    const answer = await test.request('POST', path, { cookie, body });
    expect([answer.statusCode, answer.json()]).toMatchObject([
      422,
      { data: { fields: { [field]: expect.stringContaining('must not contain a web address') as string } } },
    ]);
  });

  const newPerson = async () => {
    const { email, password } = await signUp(test);
    const cookie = await signIn(test, email, password);
    return { cookie, client: test.client(cookie) };
  };
});

/** As the limits count: `left` of `limit` attempts are left under this key. */
async function leaveAttempts(key: string, limit: number, left: number): Promise<void> {
  await system().query(
    `insert into rate_limits (key, attempts, window_ends_at) values ($1, $2, now() + interval '1 hour')
      on conflict (key) do update set attempts = excluded.attempts`,
    [key, limit - left],
  );
}

const TOO_MANY = { code: 'TOO_MANY_ATTEMPTS', status: 429, data: { retry_after: expect.any(Number) as number } };

describe('invitations come to an end', () => {
  it('from one network after a hundred in a day, whatever companies it has', async () => {
    const other = await createFirm(test, 'Other');
    await leaveAttempts('invite-from 127.0.0.1', 100, 1);
    await staff().invite(newMember());
    await expectRefused(other.companyId, () => other.people.admin.client.staff.invite(newMember()), TOO_MANY);
  });

  it('from one company to one person after four in a day, also when they are deleted and invited anew', async () => {
    const email = newAddress();
    const { member } = await staff().invite(newMember({ email }));
    await staff().resendInvitation({ id: member.id });
    await staff().resendInvitation({ id: member.id });
    await staff().remove({ id: member.id });
    const again = (await staff().invite(newMember({ email: email.toUpperCase() }))).member;
    await expectRefused(firm.companyId, () => staff().resendInvitation({ id: again.id }), TOO_MANY);
    await expectRefused(firm.companyId, () => staff().invite(newMember({ email: email.replace('@', '+more@') })), TOO_MANY);
    const third = (await staff().invite(newMember())).member;
    const move = () => staff().update({ ...newMember({ id: third.id, email: email.replace('@', '+most@') }), version: 1, color_id: null });
    await expectRefused(firm.companyId, move, TOO_MANY);
    await queueSettles(test);
    expect(mailbox.mailsTo(email)).toHaveLength(4);
  });

  it('from all companies to one person after six in a day', async () => {
    const email = newAddress();
    for (let n = 0; n < 6; n += 1) {
      await (await createFirm(test, `Firm ${n}`)).people.admin.client.staff.invite(newMember({ email }));
    }
    await expectRefused(firm.companyId, () => staff().invite(newMember({ email })), TOO_MANY);
    expect((await staff().invite(newMember())).member.status).toBe('invited');
  });

  it('under keys that say nothing of the person', async () => {
    const { email } = (await staff().invite(newMember())).member;
    const { rows } = await system().query<{ key: string }>(`select key from rate_limits where key like 'invite%'`);
    const hash = createHash('sha256').update(email).digest('base64url');
    expect(rows.map(({ key }) => key).toSorted()).toEqual(
      ['invite-from 127.0.0.1', `invite-to ${hash}`, `invite ${firm.companyId}`, `invite ${firm.companyId} ${hash}`].toSorted(),
    );
  });
});
