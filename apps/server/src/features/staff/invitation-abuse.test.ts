import { createHash } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { signIn, signUp, uniqueEmail } from '../../../test/accounts.ts';
import { newMember } from '../../../test/factories/inputs.ts';
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
  await system().query('delete from rate_limits');
});

const system = () => test.app.platform.pools.system;
const staff = () => firm.people.admin.client.staff;

/** The members, their invitations and the mails of a company, all of which a refused invitation leaves unchanged. */
async function stateOf(companyId: string): Promise<object[]> {
  // Earlier mails are sent, and their delivery status is recorded, while the test goes on.
  await waitForQueue(test);
  const state = ['staff_members', 'invitations', 'outbox_mails'].map((table) =>
    system().query<{ row: object }>(`select to_jsonb(t) as row from ${table} t where company_id = $1 order by 1`, [companyId]),
  );
  return (await Promise.all(state)).flatMap(({ rows }) => rows.map(({ row }) => row));
}

/** The outcome when this company tries to have an invitation mailed. */
async function outcomeOf(companyId: string, attempt: () => Promise<unknown>) {
  const before = await stateOf(companyId);
  const refusal = await attempt().then(
    () => null,
    (error: unknown) => error,
  );
  return { refusal, changes: JSON.stringify(await stateOf(companyId)) !== JSON.stringify(before) };
}

const refused = (refusal: object) => ({ refusal, changes: false });

/** An admin who signed up, set up a company and confirmed nothing. */
async function newOwner(on = test) {
  const { email, password } = await signUp(on);
  const client = on.client(await signIn(on, email, password));
  const { profile } = await client.company.start();
  return { email, client, companyId: profile?.company_id ?? '' };
}

const tokenTo = async (email: string) => /token=([\w-]+)/.exec((await mailbox.mailTo(email)).text)?.[1] ?? '';

describe('a person with an unconfirmed email', () => {
  const UNCONFIRMED = {
    code: 'EMAIL_UNCONFIRMED',
    status: 409,
    message: 'Please confirm your email address before you invite people.',
  };

  it('cannot invite anyone, and nothing changes', async () => {
    const { client, companyId } = await newOwner();
    const input = newMember();
    expect(await outcomeOf(companyId, () => client.staff.invite(input))).toMatchObject(refused(UNCONFIRMED));
    expect((await client.company.me()).must_confirm_email).toBe(true);
    await waitForQueue(test);
    expect(mailbox.mailsTo(input.email)).toEqual([]);
  });

  it('cannot resend an invitation or change its email, but can change everything else', async () => {
    const { member } = await staff().invite(newMember());
    await system().query('update users set email_verified = false where id = $1', [firm.people.admin.userId]);
    const change = (over: object) =>
      staff().update({ ...newMember({ id: member.id, email: member.email }), version: 1, color_id: null, ...over });
    expect(await outcomeOf(firm.companyId, () => staff().resendInvitation({ id: member.id }))).toMatchObject(refused(UNCONFIRMED));
    expect(await outcomeOf(firm.companyId, () => change({ email: uniqueEmail() }))).toMatchObject(refused(UNCONFIRMED));
    expect(await change({ name: 'New Name' })).toMatchObject({ member: { name: 'New Name', email: member.email }, mail: null });
    expect(await staff().withdrawInvitation({ id: member.id })).toMatchObject({ status: 'uninvited' });
    const email = uniqueEmail();
    expect(await change({ email, version: 2 })).toMatchObject({ member: { email, status: 'uninvited' }, mail: null });
  });

  it('can invite in the same session as soon as the mailed link was opened', async () => {
    const { email, client } = await newOwner();
    expect(await client.auth.requestEmailConfirmation()).toEqual({ mail: 'queued' });
    await client.auth.confirmEmailChange({ token: await tokenTo(email) });
    expect((await client.company.me()).must_confirm_email).toBe(false);
    expect((await client.staff.invite(newMember())).mail).toBe('queued');
  });

  it('is mailed at most five links an hour, and none once one was opened', async () => {
    const { email, client } = await newOwner();
    for (let n = 0; n < 5; n += 1) await client.auth.requestEmailConfirmation();
    await expect(client.auth.requestEmailConfirmation()).rejects.toMatchObject({ code: 'TOO_MANY_ATTEMPTS' });
    await waitForQueue(test);
    expect(mailbox.mailsTo(email)).toHaveLength(5);
    await expect(firm.people.admin.client.auth.requestEmailConfirmation()).rejects.toMatchObject({ code: 'ALREADY_DONE' });
  });

  it('can invite on a server without mail, where nothing reaches strangers', async () => {
    const { client } = await newOwner(await startTestApp());
    expect((await client.company.me()).must_confirm_email).toBe(false);
    expect(await client.staff.invite(newMember())).toMatchObject({ member: { status: 'invited' }, mail: 'kept' });
  });
});

describe('an invitation mail', () => {
  const mailFrom = async (company: string, inviter: string) => {
    const { people } = await createFirm(test, company);
    await system().query('update staff_members set name = $2 where profile_id = $1', [people.admin.userId, inviter]);
    const { member } = await people.admin.client.staff.invite(newMember({ name: 'Aroha' }));
    return mailbox.mailTo(member.email);
  };

  it('has a fixed subject, with the company’s name in quotes', async () => {
    const mail = await mailFrom('Your account is "locked"', 'Mia Tane');
    expect(mail.subject).toBe("You're invited to join “Your account is locked” on Callout");
    expect(mail.text).toContain('Mia Tane invited you to join “Your account is locked” on Callout as a staff member.');
  });

  it('leaves out a stored name that looks like a link', async () => {
    const mail = await mailFrom('Go to evil.example', 'www.evil.example');
    expect(mail.subject).toBe("You're invited to join a company on Callout");
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

/** Leaves `left` of `limit` attempts under this key. */
async function leaveAttempts(key: string, limit: number, left: number): Promise<void> {
  await system().query(
    `insert into rate_limits (key, attempts, window_ends_at) values ($1, $2, now() + interval '1 hour')
      on conflict (key) do update set attempts = excluded.attempts`,
    [key, limit - left],
  );
}

const TOO_MANY = { code: 'TOO_MANY_ATTEMPTS', status: 429, data: { retry_after: expect.any(Number) as number } };

describe('invitations are limited', () => {
  it('from one network after a hundred in a day, whatever companies it has', async () => {
    const other = await createFirm(test, 'Other');
    await leaveAttempts('invite-from 127.0.0.1', 100, 1);
    await staff().invite(newMember());
    expect(await outcomeOf(other.companyId, () => other.people.admin.client.staff.invite(newMember()))).toMatchObject(refused(TOO_MANY));
  });

  it('to four a day from one company to one person, even when deleted and invited again', async () => {
    const email = uniqueEmail();
    const { member } = await staff().invite(newMember({ email }));
    await staff().resendInvitation({ id: member.id });
    await staff().resendInvitation({ id: member.id });
    await staff().remove({ id: member.id });
    const again = (await staff().invite(newMember({ email: email.toUpperCase() }))).member;
    expect(await outcomeOf(firm.companyId, () => staff().resendInvitation({ id: again.id }))).toMatchObject(refused(TOO_MANY));
    expect(await outcomeOf(firm.companyId, () => staff().invite(newMember({ email: email.replace('@', '+more@') })))).toMatchObject(
      refused(TOO_MANY),
    );
    const third = (await staff().invite(newMember())).member;
    const move = () => staff().update({ ...newMember({ id: third.id, email: email.replace('@', '+most@') }), version: 1, color_id: null });
    expect(await outcomeOf(firm.companyId, move)).toMatchObject(refused(TOO_MANY));
    await waitForQueue(test);
    // A mail that was still queued when its link was replaced was withdrawn.
    expect(mailbox.mailsTo(email).length).toBeLessThanOrEqual(4);
  });

  it('to six a day to one person from all companies, though the first of each company is always sent', async () => {
    const email = uniqueEmail();
    for (const mails of [4, 2]) {
      const { client } = (await createFirm(test, 'Other')).people.admin;
      const { id } = (await client.staff.invite(newMember({ email }))).member;
      for (let n = 1; n < mails; n += 1) await client.staff.resendInvitation({ id });
    }
    const { member } = await staff().invite(newMember({ email }));
    expect(member.status).toBe('invited');
    expect(await outcomeOf(firm.companyId, () => staff().resendInvitation({ id: member.id }))).toMatchObject(refused(TOO_MANY));
    expect((await staff().invite(newMember())).member.status).toBe('invited');
  });

  describe('and each is counted once, however often its command is retried', () => {
    const counted = async () =>
      (await system().query<{ attempts: number }>(`select attempts from rate_limits where key like 'invite%'`)).rows.map(
        (row) => row.attempts,
      );

    /** As if others won the next few attempts to store an invitation. */
    async function loseTimes(times: number): Promise<void> {
      await test.owner.query(`
        create sequence losses;
        create function lose() returns trigger language plpgsql as $$ begin
          if nextval('public.losses') <= ${times} then raise serialization_failure; end if;
          return new;
        end $$;
        create trigger lose before insert on invitations for each row execute function lose();
        grant usage on sequence losses to callout_app`);
      onTestFinished(async () => void (await test.owner.query('drop function lose cascade; drop sequence losses')));
    }

    it('and succeeds in the end', async () => {
      await loseTimes(3);
      expect((await staff().invite(newMember())).member.status).toBe('invited');
      expect(await counted()).toEqual([1, 1, 1, 1]);
    });

    it('or fails in the end, and nothing changes', async () => {
      await loseTimes(4);
      expect(await outcomeOf(firm.companyId, () => staff().invite(newMember()))).toMatchObject(refused({}));
      expect(await counted()).toEqual([1, 1, 1, 1]);
    });

    it('also when resent or sent to another email', async () => {
      const { id } = (await staff().invite(newMember())).member;
      await system().query('delete from rate_limits');
      await loseTimes(2);
      await staff().resendInvitation({ id });
      expect(await counted()).toEqual([1, 1, 1, 1]);
      await system().query('delete from rate_limits');
      await test.owner.query(`select setval('losses', 1)`);
      await staff().update({ ...newMember({ id }), version: 1, color_id: null });
      expect(await counted()).toEqual([1, 1, 1, 1]);
    });
  });

  it('under keys that do not identify the person', async () => {
    const { email } = (await staff().invite(newMember())).member;
    const { rows } = await system().query<{ key: string }>(`select key from rate_limits where key like 'invite%'`);
    const hash = createHash('sha256').update(email).digest('base64url');
    expect(rows.map(({ key }) => key).toSorted()).toEqual(
      ['invite-from 127.0.0.1', `invite-to ${hash}`, `invite ${firm.companyId}`, `invite ${firm.companyId} ${hash}`].toSorted(),
    );
  });
});
