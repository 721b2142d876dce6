import { createHash } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { buildTestEmail, signIn, signUp } from '../../../test/accounts.ts';
import { buildMember } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { type Mailbox, startMailbox } from '../../../test/mailbox.ts';
import { waitForQueue } from '../../../test/queue.ts';
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
  await systemPool().query('delete from rate_limits');
});

const systemPool = () => test.app.platform.pools.system;
const staffApi = () => firm.people.admin.client.staff;

/** Reads the company's members, invitations and emails, none of which a rejected invitation may change. */
async function readCompanyState(companyId: string): Promise<object[]> {
  // Earlier emails are still being delivered in the background, so wait until they stop changing the state.
  await waitForQueue(test);
  const state = ['staff_members', 'invitations', 'outbox_mails'].map((table) =>
    systemPool().query<{ row: object }>(`select to_jsonb(t) as row from ${table} t where company_id = $1 order by 1`, [companyId]),
  );
  return (await Promise.all(state)).flatMap(({ rows }) => rows.map(({ row }) => row));
}

/** Returns the error from an attempt to send an invitation, and whether the attempt changed anything. */
async function observeAttempt(companyId: string, attempt: () => Promise<unknown>) {
  const before = await readCompanyState(companyId);
  const error = await attempt().then(
    () => null,
    (reason: unknown) => reason,
  );
  return { error, hasChanged: JSON.stringify(await readCompanyState(companyId)) !== JSON.stringify(before) };
}

const rejectedWith = (error: object) => ({ error, hasChanged: false });

/** Signs up a new company's admin without confirming the admin's email address. */
async function signUpOwner(app = test) {
  const { email, password } = await signUp(app);
  const client = app.client(await signIn(app, email, password));
  const { profile } = await client.company.start();
  return { email, client, companyId: profile?.company_id ?? '' };
}

const waitForToken = async (email: string) => /token=([\w-]+)/.exec((await mailbox.waitForMail(email)).text)?.[1] ?? '';

describe('a person with an unconfirmed email address', () => {
  const UNCONFIRMED = { code: 'EMAIL_UNCONFIRMED', status: 409, message: 'Please confirm your email address before you invite people.' };

  it('cannot invite anyone, and nothing changes', async () => {
    const { client, companyId } = await signUpOwner();
    const input = buildMember();
    expect(await observeAttempt(companyId, () => client.staff.invite(input))).toMatchObject(rejectedWith(UNCONFIRMED));
    expect((await client.company.me()).must_confirm_email).toBe(true);
    await waitForQueue(test);
    expect(mailbox.listMailsTo(input.email)).toEqual([]);
  });

  it('cannot resend an invitation or change its email address, but can change all other details', async () => {
    const { member } = await staffApi().invite(buildMember());
    await systemPool().query('update users set email_verified = false where id = $1', [firm.people.admin.userId]);
    const change = (overrides: object) =>
      staffApi().update({ ...buildMember({ id: member.id, email: member.email }), version: 1, color_id: null, ...overrides });
    expect(await observeAttempt(firm.companyId, () => staffApi().resendInvitation({ id: member.id }))).toMatchObject(
      rejectedWith(UNCONFIRMED),
    );
    expect(await observeAttempt(firm.companyId, () => change({ email: buildTestEmail() }))).toMatchObject(rejectedWith(UNCONFIRMED));
    expect(await change({ name: 'New Name' })).toMatchObject({ member: { name: 'New Name', email: member.email }, mail: null });
    expect(await staffApi().withdrawInvitation({ id: member.id })).toMatchObject({ status: 'uninvited' });
    const email = buildTestEmail();
    expect(await change({ email, version: 2 })).toMatchObject({ member: { email, status: 'uninvited' }, mail: null });
  });

  it('can invite people in the same session right after confirming the address', async () => {
    const { email, client } = await signUpOwner();
    expect(await client.auth.requestEmailConfirmation()).toEqual({ mail: 'queued' });
    await client.auth.confirmEmailChange({ token: await waitForToken(email) });
    expect((await client.company.me()).must_confirm_email).toBe(false);
    expect((await client.staff.invite(buildMember())).mail).toBe('queued');
  });

  it('gets at most five confirmation emails an hour, and none once confirmed', async () => {
    const { email, client } = await signUpOwner();
    for (let n = 0; n < 5; n += 1) await client.auth.requestEmailConfirmation();
    await expect(client.auth.requestEmailConfirmation()).rejects.toMatchObject({ code: 'TOO_MANY_ATTEMPTS' });
    await waitForQueue(test);
    expect(mailbox.listMailsTo(email)).toHaveLength(5);
    await expect(firm.people.admin.client.auth.requestEmailConfirmation()).rejects.toMatchObject({ code: 'ALREADY_DONE' });
  });

  it('can invite people on a server without SMTP, since no email reaches strangers', async () => {
    const { client } = await signUpOwner(await startTestApp());
    expect((await client.company.me()).must_confirm_email).toBe(false);
    expect(await client.staff.invite(buildMember())).toMatchObject({ member: { status: 'invited' }, mail: 'kept' });
  });
});

describe('an invitation email', () => {
  const inviteAndReadMail = async (company: string, inviter: string) => {
    const { people } = await createFirm(test, company);
    await systemPool().query('update staff_members set name = $2 where profile_id = $1', [people.admin.userId, inviter]);
    const { member } = await people.admin.client.staff.invite(buildMember({ name: 'Aroha' }));
    return mailbox.waitForMail(member.email);
  };

  it('has a fixed subject with the company name in quotes', async () => {
    const mail = await inviteAndReadMail('Your account is "locked"', 'Mia Tane');
    expect(mail.subject).toBe("You're invited to join “Your account is locked” on Callout");
    expect(mail.text).toContain('Mia Tane invited you to join “Your account is locked” on Callout as a staff member.');
  });

  it('leaves out a stored name that looks like a link', async () => {
    const mail = await inviteAndReadMail('Go to evil.example', 'www.evil.example');
    expect(mail.subject).toBe("You're invited to join a company on Callout");
    expect(mail.text).not.toMatch(/evil/);
    expect(mail.html).not.toMatch(/evil/);
  });
});

describe('a name that looks like a link', () => {
  const NAME = 'Your account is locked - go to evil.example';

  it.each(['company_name', 'name'])('is rejected as %s', async (field) => {
    const { client, cookie } = await signUpPerson();
    await client.company.start();
    const path = field === 'name' ? '/api/staff' : '/api/company/onboarding';
    const body = field === 'name' ? buildMember({ name: NAME }) : { company_name: NAME };
    const response = await test.request('POST', path, { cookie, body });
    expect([response.statusCode, response.json()]).toMatchObject([
      422,
      { data: { fields: { [field]: expect.stringContaining('must not contain a web address') as string } } },
    ]);
  });

  const signUpPerson = async () => {
    const { email, password } = await signUp(test);
    const cookie = await signIn(test, email, password);
    return { cookie, client: test.client(cookie) };
  };
});

/** Sets a rate limit's counter so that only `remaining` attempts are left. */
async function setRemainingAttempts(key: string, limit: number, remaining: number): Promise<void> {
  await systemPool().query(
    `insert into rate_limits (key, attempts, window_ends_at) values ($1, $2, now() + interval '1 hour')
      on conflict (key) do update set attempts = excluded.attempts`,
    [key, limit - remaining],
  );
}

const TOO_MANY = { code: 'TOO_MANY_ATTEMPTS', status: 429, data: { retry_after: expect.any(Number) as number } };

describe('the invitation limit', () => {
  it('allows 100 invitations a day from one network, across all its companies', async () => {
    const other = await createFirm(test, 'Other');
    await setRemainingAttempts('invite-from 127.0.0.1', 100, 1);
    await staffApi().invite(buildMember());
    expect(await observeAttempt(other.companyId, () => other.people.admin.client.staff.invite(buildMember()))).toMatchObject(
      rejectedWith(TOO_MANY),
    );
  });

  it('allows four invitations a day from one company to one person, even if they are deleted and invited again', async () => {
    const email = buildTestEmail();
    const { member } = await staffApi().invite(buildMember({ email }));
    await staffApi().resendInvitation({ id: member.id });
    await staffApi().resendInvitation({ id: member.id });
    await staffApi().remove({ id: member.id });
    const again = (await staffApi().invite(buildMember({ email: email.toUpperCase() }))).member;
    expect(await observeAttempt(firm.companyId, () => staffApi().resendInvitation({ id: again.id }))).toMatchObject(rejectedWith(TOO_MANY));
    expect(
      await observeAttempt(firm.companyId, () => staffApi().invite(buildMember({ email: email.replace('@', '+more@') }))),
    ).toMatchObject(rejectedWith(TOO_MANY));
    const third = (await staffApi().invite(buildMember())).member;
    const changeEmail = () =>
      staffApi().update({ ...buildMember({ id: third.id, email: email.replace('@', '+most@') }), version: 1, color_id: null });
    expect(await observeAttempt(firm.companyId, changeEmail)).toMatchObject(rejectedWith(TOO_MANY));
    await waitForQueue(test);
    // An email is never sent if its link is replaced while the email is still queued, so there may be fewer than four.
    expect(mailbox.listMailsTo(email).length).toBeLessThanOrEqual(4);
  });

  it('allows six invitations a day from all companies to one person, but never blocks a company’s first', async () => {
    const email = buildTestEmail();
    for (const mails of [4, 2]) {
      const { client } = (await createFirm(test, 'Other')).people.admin;
      const { id } = (await client.staff.invite(buildMember({ email }))).member;
      for (let n = 1; n < mails; n += 1) await client.staff.resendInvitation({ id });
    }
    const { member } = await staffApi().invite(buildMember({ email }));
    expect(member.status).toBe('invited');
    expect(await observeAttempt(firm.companyId, () => staffApi().resendInvitation({ id: member.id }))).toMatchObject(
      rejectedWith(TOO_MANY),
    );
    expect((await staffApi().invite(buildMember())).member.status).toBe('invited');
  });

  describe('counts an invitation once if its transaction is retried', () => {
    const readCounters = async () =>
      (await systemPool().query<{ attempts: number }>(`select attempts from rate_limits where key like 'invite%'`)).rows.map(
        (row) => row.attempts,
      );

    /** Makes the next `times` inserts of an invitation fail with a serialization error. */
    async function failNextInserts(times: number): Promise<void> {
      await test.owner.query(`
        create sequence insert_failures;
        create function fail_insert() returns trigger language plpgsql as $$ begin
          if nextval('public.insert_failures') <= ${times} then raise serialization_failure; end if;
          return new;
        end $$;
        create trigger fail_insert before insert on invitations for each row execute function fail_insert();
        grant usage on sequence insert_failures to callout_app`);
      onTestFinished(async () => void (await test.owner.query('drop function fail_insert cascade; drop sequence insert_failures')));
    }

    it('and the retry succeeds', async () => {
      await failNextInserts(3);
      expect((await staffApi().invite(buildMember())).member.status).toBe('invited');
      expect(await readCounters()).toEqual([1, 1, 1, 1]);
    });

    it('and the last retry fails without changing anything', async () => {
      await failNextInserts(4);
      expect(await observeAttempt(firm.companyId, () => staffApi().invite(buildMember()))).toMatchObject(rejectedWith({}));
      expect(await readCounters()).toEqual([1, 1, 1, 1]);
    });

    it('after it is resent or sent to a new email address', async () => {
      const { id } = (await staffApi().invite(buildMember())).member;
      await systemPool().query('delete from rate_limits');
      await failNextInserts(2);
      await staffApi().resendInvitation({ id });
      expect(await readCounters()).toEqual([1, 1, 1, 1]);
      await systemPool().query('delete from rate_limits');
      await test.owner.query(`select setval('insert_failures', 1)`);
      await staffApi().update({ ...buildMember({ id }), version: 1, color_id: null });
      expect(await readCounters()).toEqual([1, 1, 1, 1]);
    });
  });

  it('uses keys that do not reveal the email address', async () => {
    const { email } = (await staffApi().invite(buildMember())).member;
    const { rows } = await systemPool().query<{ key: string }>(`select key from rate_limits where key like 'invite%'`);
    const hash = createHash('sha256').update(email).digest('base64url');
    expect(rows.map(({ key }) => key).toSorted()).toEqual(
      ['invite-from 127.0.0.1', `invite-to ${hash}`, `invite ${firm.companyId}`, `invite ${firm.companyId} ${hash}`].toSorted(),
    );
  });
});
