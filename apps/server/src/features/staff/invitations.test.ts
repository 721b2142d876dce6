import type { StaffMember } from '@callout/contract/staff';
import { ROLES } from '@callout/domain/roles/roles';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { uniqueEmail } from '../../../test/accounts.ts';
import { tablesWith } from '../../../test/every-row.ts';
import { newMember, newProfile } from '../../../test/factories/inputs.ts';
import { mailedTokens } from '../../../test/factories/invitations.ts';
import { createFirm, createPerson, type Firm, hire } from '../../../test/factories/people.ts';
import { type Mailbox, startMailbox } from '../../../test/mailbox.ts';
import { waitForQueue } from '../../../test/queue.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let mailbox: Mailbox;
let firm: Firm;

beforeAll(async () => {
  mailbox = await startMailbox();
  test = await startTestApp({ ...mailbox.environment, APP_URL: 'https://work.example.com' });
  return () => mailbox.stop();
});

beforeEach(async () => {
  firm = await createFirm(test, 'Tane & Sons <Plumbing>');
  await test.app.platform.pools.system.query('delete from rate_limits');
});

const staff = () => firm.people.admin.client.staff;
/** The same member, however far their mail has come. */
const sameMember = (member: StaffMember) => ({ ...member, delivery: expect.any(String) as string });
const sameAnswer = ({ member, ...answer }: { member: StaffMember }) => ({ ...answer, member: sameMember(member) });
const view = (token: string) => test.client().staff.viewInvitation({ token });
const EXPIRED = { code: 'LINK_EXPIRED', status: 410 };
const EMAIL_TAKEN = { code: 'EMAIL_TAKEN', status: 409, message: 'This email address already belongs to a company.' };

const tokensTo = (email: string, count?: number) => mailedTokens(mailbox, email, count);

async function attemptsLeft(count: number): Promise<void> {
  await test.app.platform.pools.system.query(
    `insert into rate_limits (key, attempts, window_ends_at) values ($1, 50 - $2::int, now() + interval '1 hour')
      on conflict (key) do update set attempts = excluded.attempts`,
    [`invite ${firm.companyId}`, count],
  );
}

async function mailsOf(email: string): Promise<number> {
  const { rows } = await test.app.platform.pools.system.query('select from outbox_mails where lower(recipient) = lower($1)', [email]);
  return rows.length;
}

async function membersOf(companyId: string) {
  const { rows } = await test.app.platform.pools.system.query<Record<string, unknown>>(
    'select * from staff_members where company_id = $1 order by id',
    [companyId],
  );
  return rows;
}

describe('an invitation', () => {
  it('creates a member who is invited for seven days', async () => {
    const input = newMember({ role: 'accountant', hourly_rate: '45.5' });
    const { member, mail } = await staff().invite(input);
    expect(mail).toBe('queued');
    expect(member).toMatchObject({ ...input, hourly_rate: '45.50', status: 'invited', profile_id: null, version: 1 });
    const days = (Date.parse(member.invitation_expires_at ?? '') - Date.parse(member.invited_at ?? '')) / 86_400_000;
    expect(days).toBe(7);
    expect(await staff().get({ id: input.id })).toEqual(sameMember(member));
  });

  it('is mailed with the company, inviter and role, and one link as text and HTML', async () => {
    const { email } = (await staff().invite(newMember({ name: 'Aroha', role: 'accountant' }))).member;
    const [token = ''] = await tokensTo(email);
    const mail = await mailbox.mailTo(email);
    expect(mail).toMatchObject({ to: [email], subject: "You're invited to join “Tane & Sons <Plumbing>” on Callout" });
    expect(mail.text).toContain('The admin invited you to join “Tane & Sons <Plumbing>” on Callout as an accountant.');
    expect(mail.text).toContain(`https://work.example.com/invitation?token=${token}`);
    expect(mail.html).toContain('Tane &amp; Sons &lt;Plumbing&gt;');
    expect(mail.html).toContain(`href="https://work.example.com/invitation?token=${token}"`);
    expect(token).toMatch(/^[\w-]{43}$/);
  });

  it('shows its holder the company and their details, and no more', async () => {
    const input = newMember({ role: 'manager' });
    await staff().invite(input);
    const [token = ''] = await tokensTo(input.email);
    expect(await view(token)).toEqual({
      company_name: 'Tane & Sons <Plumbing>',
      name: input.name,
      email: input.email,
      role: 'manager',
      replaces_company: false,
      leaves_company: false,
      takes_over_account: true,
    });
  });

  it('cannot be read from the database after it was sent', async () => {
    const { email } = (await staff().invite(newMember())).member;
    const [token = ''] = await tokensTo(email);
    await waitForQueue(test);
    expect(await tablesWith(test, token)).toEqual([]);
  });

  it('sent again after a lost response is one member and one mail', async () => {
    const input = newMember({ hourly_rate: '45' });
    const first = await staff().invite(input);
    expect(await staff().invite(input)).toEqual(sameAnswer(first));
    const again = await Promise.all([1, 2, 3].map(() => staff().invite(input)));
    expect(again).toEqual([1, 2, 3].map(() => sameAnswer(first)));
    expect(await membersOf(firm.companyId)).toHaveLength(5);
    expect(await mailsOf(input.email)).toBe(1);
  });

  it('under a taken id is refused', async () => {
    const { member } = await staff().invite(newMember());
    await expect(staff().invite(newMember({ id: member.id }))).rejects.toMatchObject({ code: 'ID_TAKEN' });
    expect(await staff().get({ id: member.id })).toEqual(sameMember(member));
  });

  it('says so when it is kept in the outbox because no mail server is set up', async () => {
    const silent = await startTestApp();
    const { people } = await createFirm(silent);
    const { invite, update } = people.admin.client.staff;
    const { member, mail } = await invite(newMember());
    const moved = await update({ ...newMember({ id: member.id }), version: member.version, color_id: null });
    expect([mail, moved.mail]).toEqual(['kept', 'kept']);
  });

  it.each(ROLES.filter((role) => role !== 'admin'))('by %s is refused', async (role) => {
    const before = await membersOf(firm.companyId);
    const refused = { code: 'FORBIDDEN', message: 'You do not have permission to add staff members' };
    await expect(firm.people[role].client.staff.invite(newMember())).rejects.toMatchObject(refused);
    expect(await membersOf(firm.companyId)).toEqual(before);
  });

  it('is limited to fifty an hour for the whole company', async () => {
    const colleague = await hire(test, firm.companyId, 'admin');
    await attemptsLeft(1);
    const { member } = await staff().invite(newMember());
    const refused = { code: 'TOO_MANY_ATTEMPTS' };
    await expect(colleague.client.staff.invite(newMember())).rejects.toMatchObject(refused);
    await expect(staff().resendInvitation({ id: member.id })).rejects.toMatchObject(refused);
    expect(await membersOf(firm.companyId)).toHaveLength(6);
    await (await createFirm(test, 'Other')).people.admin.client.staff.invite(newMember());
  });

  it('sent again after a lost response does not count twice', async () => {
    const input = newMember();
    await attemptsLeft(1);
    const first = await staff().invite(input);
    expect(await staff().invite(input)).toEqual(sameAnswer(first));
  });
});

/** Nobody can find out by trial which emails belong to staff. */
describe('probing for an email', () => {
  const TOO_MANY = { code: 'TOO_MANY_ATTEMPTS' };

  it('by inviting is limited to fifty an hour', async () => {
    const { email } = (await createFirm(test, 'Other')).people.staff;
    await attemptsLeft(1);
    await expect(staff().invite(newMember({ email }))).rejects.toMatchObject(EMAIL_TAKEN);
    await expect(staff().invite(newMember({ email }))).rejects.toMatchObject(TOO_MANY);
  });

  it('by resending an invitation is limited too', async () => {
    const person = await createPerson(test);
    const { member } = await staff().invite(newMember({ email: person.email }));
    await person.client.company.completeOnboarding(newProfile());
    await attemptsLeft(1);
    await expect(staff().resendInvitation({ id: member.id })).rejects.toMatchObject(EMAIL_TAKEN);
    await expect(staff().resendInvitation({ id: member.id })).rejects.toMatchObject(TOO_MANY);
  });

  it('by giving it to a member is limited and counted once; edits that keep the email are not', async () => {
    const { email } = (await createFirm(test, 'Other')).people.staff;
    const { member } = await staff().invite(newMember());
    const change = (over: object) =>
      staff().update({ ...newMember({ id: member.id, email: member.email }), version: 1, color_id: null, ...over });
    await attemptsLeft(2);
    await expect(change({ email })).rejects.toMatchObject(EMAIL_TAKEN);
    const { member: moved } = await change({ email: uniqueEmail() });
    await expect(change({ email, version: moved.version })).rejects.toMatchObject(TOO_MANY);
    expect(await change({ email: moved.email, name: 'New Name', version: moved.version })).toMatchObject({ member: { name: 'New Name' } });
  });
});

describe('the email of an invitation', () => {
  it('that belongs to another company is refused without saying which', async () => {
    const other = await createFirm(test, 'Other');
    const before = await membersOf(firm.companyId);
    for (const email of [other.people.staff.email, other.people.admin.email.toUpperCase()]) {
      await expect(staff().invite(newMember({ email }))).rejects.toMatchObject(EMAIL_TAKEN);
    }
    expect(await membersOf(firm.companyId)).toEqual(before);
  });

  it('that is a colleague’s is refused with their name', async () => {
    const refused = staff().invite(newMember({ email: firm.people.staff.email }));
    await expect(refused).rejects.toMatchObject({ code: 'EMAIL_TAKEN', message: 'The staff is already on your staff.' });
  });

  it('that is the contact email of a colleague is refused', async () => {
    const contact = uniqueEmail();
    await test.app.platform.pools.system.query('update staff_members set email = $2 where profile_id = $1', [
      firm.people.staff.userId,
      contact,
    ]);
    await expect(staff().invite(newMember({ email: contact }))).rejects.toMatchObject({ code: 'EMAIL_TAKEN' });
  });

  it('that no account can have is refused at its field', async () => {
    const fields = { email: 'Please enter a valid email address' };
    await expect(staff().invite(newMember({ email: 'josé@exämple.com' }))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      data: { fields },
    });
  });

  it('can be invited by two companies until one is joined', async () => {
    const other = await createFirm(test, 'Other');
    const { email } = await createPerson(test);
    expect((await staff().invite(newMember({ email }))).member.status).toBe('invited');
    expect((await other.people.admin.client.staff.invite(newMember({ email }))).member.status).toBe('invited');
  });
});

describe('an invitation sent again', () => {
  it('is a new mail with a new link; the old link stops working', async () => {
    const { member } = await staff().invite(newMember());
    const [old = ''] = await tokensTo(member.email);
    const { mail, member: resent } = await staff().resendInvitation({ id: member.id });
    expect([mail, resent.status]).toEqual(['queued', 'invited']);
    expect((resent.invited_at ?? '') > (member.invited_at ?? '')).toBe(true);
    const [, fresh = ''] = await tokensTo(member.email, 2);
    await expect(view(old)).rejects.toMatchObject(EXPIRED);
    expect(await view(fresh)).toMatchObject({ email: member.email });
  });

  it('revives one that expired or was withdrawn', async () => {
    const { id } = (await staff().invite(newMember())).member;
    await test.app.platform.pools.system.query(`update invitations set expires_at = now() - interval '1 second' where staff_id = $1`, [id]);
    expect(await staff().get({ id })).toMatchObject({ status: 'expired' });
    expect((await staff().resendInvitation({ id })).member.status).toBe('invited');
    await staff().withdrawInvitation({ id });
    expect((await staff().resendInvitation({ id })).member.status).toBe('invited');
  });

  it('is refused for someone who joined here or elsewhere', async () => {
    const joined = (await staff().list()).rows.find(({ role }) => role === 'staff')?.id ?? '';
    await expect(staff().resendInvitation({ id: joined })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(staff().withdrawInvitation({ id: joined })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const person = await createPerson(test);
    const { member } = await staff().invite(newMember({ email: person.email }));
    await person.client.company.completeOnboarding(newProfile());
    await expect(staff().resendInvitation({ id: member.id })).rejects.toMatchObject(EMAIL_TAKEN);
  });
});

describe('an invitation withdrawn', () => {
  it('stops working; the member stays, uninvited', async () => {
    const { member } = await staff().invite(newMember());
    const [token = ''] = await tokensTo(member.email);
    const withdrawn = await staff().withdrawInvitation({ id: member.id });
    expect(withdrawn).toEqual({ ...member, status: 'uninvited', invited_at: null, invitation_expires_at: null, delivery: null });
    expect(await staff().withdrawInvitation({ id: member.id })).toEqual(withdrawn);
    await expect(view(token)).rejects.toMatchObject(EXPIRED);
  });

  it('stops working when its member is deleted', async () => {
    const { member } = await staff().invite(newMember());
    const [token = ''] = await tokensTo(member.email);
    await staff().remove({ id: member.id });
    await expect(view(token)).rejects.toMatchObject(EXPIRED);
  });
});

describe('a queued mail whose link', () => {
  const waiting = async () => {
    mailbox.beforeTaking(() => {
      throw new Error('mailbox full');
    });
    const { member } = await staff().invite(newMember());
    await waitForQueue(test);
    expect(await mailsOf(member.email)).toBe(1);
    mailbox.beforeTaking(() => undefined);
    return member;
  };
  const resend = (id: string) => staff().resendInvitation({ id });
  const withdraw = (id: string) => staff().withdrawInvitation({ id });
  const remove = (id: string) => staff().remove({ id });

  it.each([
    ['is replaced', resend, 1],
    ['is withdrawn', withdraw, 0],
    ['is deleted with its member', remove, 0],
  ])('%s is not sent any more', async (_, end, left) => {
    const { id, email } = await waiting();
    await end(id);
    await waitForQueue(test);
    expect([await mailsOf(email), mailbox.mailsTo(email).length]).toEqual([left, left]);
  });
});

describe('changing the email of an invited member', () => {
  const move = async (id: string, email: string) => {
    const { version } = await staff().get({ id });
    return staff().update({ ...newMember({ id, email }), version, color_id: null });
  };

  it('gets a new link, and the old one stops working', async () => {
    const { member } = await staff().invite(newMember());
    const [old = ''] = await tokensTo(member.email);
    const email = uniqueEmail();
    expect(await move(member.id, email)).toMatchObject({ member: { email, status: 'invited' }, mail: 'queued' });
    const [fresh = ''] = await tokensTo(email);
    await expect(view(old)).rejects.toMatchObject(EXPIRED);
    expect(await view(fresh)).toMatchObject({ email });
  });

  it('mails nothing when no link is open or the email stays the same', async () => {
    const { member } = await staff().invite(newMember());
    await tokensTo(member.email);
    await waitForQueue(test);
    await move(member.id, member.email);
    await staff().withdrawInvitation({ id: member.id });
    const email = uniqueEmail();
    expect(await move(member.id, email)).toMatchObject({ member: { email, status: 'uninvited' }, mail: null });
    const { rows } = await test.app.platform.pools.system.query('select recipient from outbox_mails where company_id = $1', [
      firm.companyId,
    ]);
    expect(rows).toEqual([{ recipient: member.email }]);
  });
});
