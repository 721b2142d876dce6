import type { StaffMember } from '@callout/contract/staff';
import { ROLES } from '@callout/domain/roles/roles';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildTestEmail } from '../../../test/accounts.ts';
import { buildMember, buildProfile } from '../../../test/factories/inputs.ts';
import { waitForInvitationTokens } from '../../../test/factories/invitations.ts';
import { addStaffMember, createFirm, createPerson, type Firm } from '../../../test/factories/people.ts';
import { type Mailbox, startMailbox } from '../../../test/mailbox.ts';
import { waitForQueue } from '../../../test/queue.ts';
import { findTablesContaining } from '../../../test/stored-data.ts';
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

const staffApi = () => firm.people.admin.client.staff;
/** Expects the same member, but with any delivery status, which changes in the background. */
const matchingMember = (member: StaffMember) => ({ ...member, delivery: expect.any(String) as string });
const matchingResponse = ({ member, ...response }: { member: StaffMember }) => ({ ...response, member: matchingMember(member) });
const viewInvitation = (token: string) => test.client().staff.viewInvitation({ token });
const EXPIRED = { code: 'LINK_EXPIRED', status: 410 };
const EMAIL_TAKEN = { code: 'EMAIL_TAKEN', status: 409, message: 'This email address already belongs to a company.' };

const waitForTokens = (email: string, count?: number) => waitForInvitationTokens(mailbox, email, count);

async function setRemainingAttempts(count: number): Promise<void> {
  await test.app.platform.pools.system.query(
    `insert into rate_limits (key, attempts, window_ends_at) values ($1, 50 - $2::int, now() + interval '1 hour')
      on conflict (key) do update set attempts = excluded.attempts`,
    [`invite ${firm.companyId}`, count],
  );
}

async function countMailsTo(email: string): Promise<number> {
  const { rows } = await test.app.platform.pools.system.query('select from outbox_mails where lower(recipient) = lower($1)', [email]);
  return rows.length;
}

async function readMembers(companyId: string) {
  const { rows } = await test.app.platform.pools.system.query<Record<string, unknown>>(
    'select * from staff_members where company_id = $1 order by id',
    [companyId],
  );
  return rows;
}

describe('an invitation', () => {
  it('creates a member with an invitation that expires in seven days', async () => {
    const input = buildMember({ role: 'accountant', hourly_rate: '45.5' });
    const { member, mail } = await staffApi().invite(input);
    expect(mail).toBe('queued');
    expect(member).toMatchObject({ ...input, hourly_rate: '45.50', status: 'invited', profile_id: null, version: 1 });
    const days = (Date.parse(member.invitation_expires_at ?? '') - Date.parse(member.invited_at ?? '')) / 86_400_000;
    expect(days).toBe(7);
    expect(await staffApi().get({ id: input.id })).toEqual(matchingMember(member));
  });

  it('is emailed as text and HTML, with the company, inviter, role and link', async () => {
    const { email } = (await staffApi().invite(buildMember({ name: 'Aroha', role: 'accountant' }))).member;
    const [token = ''] = await waitForTokens(email);
    const mail = await mailbox.waitForMail(email);
    expect(mail).toMatchObject({ to: [email], subject: "You're invited to join “Tane & Sons <Plumbing>” on Callout" });
    expect(mail.text).toContain('The admin invited you to join “Tane & Sons <Plumbing>” on Callout as an accountant.');
    expect(mail.text).toContain(`https://work.example.com/invitation?token=${token}`);
    expect(mail.html).toContain('Tane &amp; Sons &lt;Plumbing&gt;');
    expect(mail.html).toContain(`href="https://work.example.com/invitation?token=${token}"`);
    expect(token).toMatch(/^[\w-]{43}$/);
  });

  it('shows the link’s holder only the company and their own details', async () => {
    const input = buildMember({ role: 'manager' });
    await staffApi().invite(input);
    const [token = ''] = await waitForTokens(input.email);
    expect(await viewInvitation(token)).toEqual({
      company_id: firm.companyId,
      company_name: 'Tane & Sons <Plumbing>',
      name: input.name,
      email: input.email,
      role: 'manager',
      replaces_company: false,
      leaves_company: false,
      takes_over_account: true,
    });
  });

  it('leaves no readable token in the database once it is sent', async () => {
    const { email } = (await staffApi().invite(buildMember())).member;
    const [token = ''] = await waitForTokens(email);
    await waitForQueue(test);
    expect(await findTablesContaining(test, token)).toEqual([]);
  });

  it('creates one member and one email if the request is retried', async () => {
    const input = buildMember({ hourly_rate: '45' });
    const first = await staffApi().invite(input);
    expect(await staffApi().invite(input)).toEqual(matchingResponse(first));
    const again = await Promise.all([1, 2, 3].map(() => staffApi().invite(input)));
    expect(again).toEqual([1, 2, 3].map(() => matchingResponse(first)));
    expect(await readMembers(firm.companyId)).toHaveLength(5);
    expect(await countMailsTo(input.email)).toBe(1);
  });

  it('is rejected if its id is taken', async () => {
    const { member } = await staffApi().invite(buildMember());
    await expect(staffApi().invite(buildMember({ id: member.id }))).rejects.toMatchObject({ code: 'ID_TAKEN' });
    expect(await staffApi().get({ id: member.id })).toEqual(matchingMember(member));
  });

  it('reports that its email stays in the outbox if no mail server is set up', async () => {
    const appWithoutMail = await startTestApp();
    const { people } = await createFirm(appWithoutMail);
    const { invite, update } = people.admin.client.staff;
    const { member, mail } = await invite(buildMember());
    const moved = await update({ ...buildMember({ id: member.id }), version: member.version, color_id: null });
    expect([mail, moved.mail]).toEqual(['kept', 'kept']);
  });

  it.each(ROLES.filter((role) => role !== 'admin'))('is rejected if sent by the %s', async (role) => {
    const before = await readMembers(firm.companyId);
    const refused = { code: 'FORBIDDEN', message: 'You do not have permission to add staff members' };
    await expect(firm.people[role].client.staff.invite(buildMember())).rejects.toMatchObject(refused);
    expect(await readMembers(firm.companyId)).toEqual(before);
  });

  it('counts toward the company’s limit of 50 an hour', async () => {
    const colleague = await addStaffMember(test, firm.companyId, 'admin');
    await setRemainingAttempts(1);
    const { member } = await staffApi().invite(buildMember());
    const refused = { code: 'TOO_MANY_ATTEMPTS' };
    await expect(colleague.client.staff.invite(buildMember())).rejects.toMatchObject(refused);
    await expect(staffApi().resendInvitation({ id: member.id })).rejects.toMatchObject(refused);
    expect(await readMembers(firm.companyId)).toHaveLength(6);
    await (await createFirm(test, 'Other')).people.admin.client.staff.invite(buildMember());
  });

  it('counts once toward the limit if the request is retried', async () => {
    const input = buildMember();
    await setRemainingAttempts(1);
    const first = await staffApi().invite(input);
    expect(await staffApi().invite(input)).toEqual(matchingResponse(first));
  });
});

/** Rate limits prevent people from trying many email addresses to find out which belong to staff. */
describe('probing for registered email addresses', () => {
  const TOO_MANY = { code: 'TOO_MANY_ATTEMPTS' };

  it('through invitations is limited to 50 an hour', async () => {
    const { email } = (await createFirm(test, 'Other')).people.staff;
    await setRemainingAttempts(1);
    await expect(staffApi().invite(buildMember({ email }))).rejects.toMatchObject(EMAIL_TAKEN);
    await expect(staffApi().invite(buildMember({ email }))).rejects.toMatchObject(TOO_MANY);
  });

  it('through resent invitations is limited', async () => {
    const person = await createPerson(test);
    const { member } = await staffApi().invite(buildMember({ email: person.email }));
    await person.client.company.completeOnboarding(buildProfile());
    await setRemainingAttempts(1);
    await expect(staffApi().resendInvitation({ id: member.id })).rejects.toMatchObject(EMAIL_TAKEN);
    await expect(staffApi().resendInvitation({ id: member.id })).rejects.toMatchObject(TOO_MANY);
  });

  it('through changes to a member’s email address is limited and counted once, while other edits are not', async () => {
    const { email } = (await createFirm(test, 'Other')).people.staff;
    const { member } = await staffApi().invite(buildMember());
    const change = (overrides: object) =>
      staffApi().update({ ...buildMember({ id: member.id, email: member.email }), version: 1, color_id: null, ...overrides });
    await setRemainingAttempts(2);
    await expect(change({ email })).rejects.toMatchObject(EMAIL_TAKEN);
    const { member: moved } = await change({ email: buildTestEmail() });
    await expect(change({ email, version: moved.version })).rejects.toMatchObject(TOO_MANY);
    expect(await change({ email: moved.email, name: 'New Name', version: moved.version })).toMatchObject({ member: { name: 'New Name' } });
  });
});

describe('inviting an email address', () => {
  it('that belongs to another company is rejected without naming the company', async () => {
    const other = await createFirm(test, 'Other');
    const before = await readMembers(firm.companyId);
    for (const email of [other.people.staff.email, other.people.admin.email.toUpperCase()]) {
      await expect(staffApi().invite(buildMember({ email }))).rejects.toMatchObject(EMAIL_TAKEN);
    }
    expect(await readMembers(firm.companyId)).toEqual(before);
  });

  it('that belongs to a colleague is rejected with the colleague’s name', async () => {
    const refused = staffApi().invite(buildMember({ email: firm.people.staff.email }));
    await expect(refused).rejects.toMatchObject({
      code: 'EMAIL_TAKEN',
      message: 'The staff is already on your staff.',
      data: { member: { email: firm.people.staff.email, status: 'active' } },
    });
  });

  it('that is a colleague’s contact address is rejected', async () => {
    const contact = buildTestEmail();
    await test.app.platform.pools.system.query('update staff_members set email = $2 where profile_id = $1', [
      firm.people.staff.userId,
      contact,
    ]);
    await expect(staffApi().invite(buildMember({ email: contact }))).rejects.toMatchObject({ code: 'EMAIL_TAKEN' });
  });

  it('that is invalid for an account is reported on the email field', async () => {
    const fields = { email: 'Please enter a valid email address' };
    await expect(staffApi().invite(buildMember({ email: 'josé@exämple.com' }))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      data: { fields },
    });
  });

  it('is possible for two companies until the person joins one', async () => {
    const other = await createFirm(test, 'Other');
    const { email } = await createPerson(test);
    expect((await staffApi().invite(buildMember({ email }))).member.status).toBe('invited');
    expect((await other.people.admin.client.staff.invite(buildMember({ email }))).member.status).toBe('invited');
  });
});

describe('resending an invitation', () => {
  it('sends a new link, and the old link stops working', async () => {
    const { member } = await staffApi().invite(buildMember());
    const [old = ''] = await waitForTokens(member.email);
    const { mail, member: resent } = await staffApi().resendInvitation({ id: member.id });
    expect([mail, resent.status]).toEqual(['queued', 'invited']);
    expect((resent.invited_at ?? '') > (member.invited_at ?? '')).toBe(true);
    const [, fresh = ''] = await waitForTokens(member.email, 2);
    await expect(viewInvitation(old)).rejects.toMatchObject(EXPIRED);
    expect(await viewInvitation(fresh)).toMatchObject({ email: member.email });
  });

  it('reopens an expired or withdrawn invitation', async () => {
    const { id } = (await staffApi().invite(buildMember())).member;
    await test.app.platform.pools.system.query(`update invitations set expires_at = now() - interval '1 second' where staff_id = $1`, [id]);
    expect(await staffApi().get({ id })).toMatchObject({ status: 'expired' });
    expect((await staffApi().resendInvitation({ id })).member.status).toBe('invited');
    await staffApi().withdrawInvitation({ id });
    expect((await staffApi().resendInvitation({ id })).member.status).toBe('invited');
  });

  it('is rejected for a person who has joined this or another company', async () => {
    const joined = (await staffApi().list()).rows.find(({ role }) => role === 'staff')?.id ?? '';
    await expect(staffApi().resendInvitation({ id: joined })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(staffApi().withdrawInvitation({ id: joined })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const person = await createPerson(test);
    const { member } = await staffApi().invite(buildMember({ email: person.email }));
    await person.client.company.completeOnboarding(buildProfile());
    await expect(staffApi().resendInvitation({ id: member.id })).rejects.toMatchObject(EMAIL_TAKEN);
  });
});

describe('withdrawing an invitation', () => {
  it('disables the link but keeps the member, as uninvited', async () => {
    const { member } = await staffApi().invite(buildMember());
    const [token = ''] = await waitForTokens(member.email);
    const withdrawn = await staffApi().withdrawInvitation({ id: member.id });
    expect(withdrawn).toEqual({ ...member, status: 'uninvited', invited_at: null, invitation_expires_at: null, delivery: null });
    expect(await staffApi().withdrawInvitation({ id: member.id })).toEqual(withdrawn);
    await expect(viewInvitation(token)).rejects.toMatchObject(EXPIRED);
  });

  it('happens automatically when the member is deleted', async () => {
    const { member } = await staffApi().invite(buildMember());
    const [token = ''] = await waitForTokens(member.email);
    await staffApi().remove({ id: member.id });
    await expect(viewInvitation(token)).rejects.toMatchObject(EXPIRED);
  });
});

describe('a queued email whose link', () => {
  const queueUndeliveredInvitation = async () => {
    mailbox.beforeAccept(() => {
      throw new Error('mailbox full');
    });
    const { member } = await staffApi().invite(buildMember());
    await waitForQueue(test);
    expect(await countMailsTo(member.email)).toBe(1);
    mailbox.beforeAccept(() => undefined);
    return member;
  };
  const resend = (id: string) => staffApi().resendInvitation({ id });
  const withdraw = (id: string) => staffApi().withdrawInvitation({ id });
  const remove = (id: string) => staffApi().remove({ id });

  it.each([
    ['is replaced', resend, 1],
    ['is withdrawn', withdraw, 0],
    ['is deleted with its member', remove, 0],
  ])('%s is never sent', async (_, endLink, remaining) => {
    const { id, email } = await queueUndeliveredInvitation();
    await endLink(id);
    await waitForQueue(test);
    expect([await countMailsTo(email), mailbox.listMailsTo(email).length]).toEqual([remaining, remaining]);
  });
});

describe('changing an invited member’s email address', () => {
  const changeEmail = async (id: string, email: string) => {
    const { version } = await staffApi().get({ id });
    return staffApi().update({ ...buildMember({ id, email }), version, color_id: null });
  };

  it('sends a new link, and the old link stops working', async () => {
    const { member } = await staffApi().invite(buildMember());
    const [old = ''] = await waitForTokens(member.email);
    const email = buildTestEmail();
    expect(await changeEmail(member.id, email)).toMatchObject({ member: { email, status: 'invited' }, mail: 'queued' });
    const [fresh = ''] = await waitForTokens(email);
    await expect(viewInvitation(old)).rejects.toMatchObject(EXPIRED);
    expect(await viewInvitation(fresh)).toMatchObject({ email });
  });

  it('sends no email if there is no valid link or the address stays the same', async () => {
    const { member } = await staffApi().invite(buildMember());
    await waitForTokens(member.email);
    await waitForQueue(test);
    await changeEmail(member.id, member.email);
    await staffApi().withdrawInvitation({ id: member.id });
    const email = buildTestEmail();
    expect(await changeEmail(member.id, email)).toMatchObject({ member: { email, status: 'uninvited' }, mail: null });
    const { rows } = await test.app.platform.pools.system.query('select recipient from outbox_mails where company_id = $1', [
      firm.companyId,
    ]);
    expect(rows).toEqual([{ recipient: member.email }]);
  });
});
