import type { StaffMember } from '@callout/contract/staff';
import { hasCapability, ROLES } from '@callout/domain/roles/roles';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildTestEmail, signIn, signUp } from '../../../test/accounts.ts';
import { waitUntilBlocked, withOwnerClient } from '../../../test/database.ts';
import { openEventStream } from '../../../test/event-stream.ts';
import { buildMember } from '../../../test/factories/inputs.ts';
import { parseInvitationToken } from '../../../test/factories/invitations.ts';
import { addStaffMember, createFirm, createPerson, type Firm } from '../../../test/factories/people.ts';
import { type Mailbox, startMailbox } from '../../../test/mailbox.ts';
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
  firm = await createFirm(test);
  await test.app.platform.pools.system.query('delete from rate_limits');
});

const EXPIRED = { code: 'LINK_EXPIRED', status: 410 };
const HAS_ACCOUNT = {
  code: 'EMAIL_TAKEN',
  message: 'This email already has an account. Sign in to join, or ask for the invitation by email.',
};

const staffApi = () => firm.people.admin.client.staff;
const copyLink = async (id: string) => parseInvitationToken((await staffApi().copyInvitationLink({ id })).url);
const waitForMailedToken = async (email: string) => parseInvitationToken((await mailbox.waitForMail(email)).text);
const viewInvitation = (token: string) => test.client().staff.viewInvitation({ token });
const acceptInvitation = (token: string, password = 'secret-1') => test.client().staff.acceptInvitation({ token, password });
const invite = async (email?: string) => (await staffApi().invite(buildMember(email ? { email } : {}))).member;
/** Requests a calendar feed and returns the HTTP status code. */
const fetchFeedStatus = async (url: string | null) => (await test.request('GET', new URL(url ?? '').pathname)).statusCode;
const queryRows = async <Row extends object>(statement: string, ...values: unknown[]) =>
  (await test.app.platform.pools.system.query<Row>(statement, values)).rows;

describe('a copied invitation link', () => {
  it('lets its holder join, and is stored only as a hash', async () => {
    const member = await invite();
    const { url, member: current } = await staffApi().copyInvitationLink({ id: member.id });
    expect(url).toMatch(/^https:\/\/work\.example\.com\/invitation\?token=[\w-]{43}$/);
    expect(current.status).toBe('invited');
    expect(await findTablesContaining(test, parseInvitationToken(url))).toEqual([]);
    expect(await viewInvitation(parseInvitationToken(url))).toMatchObject({ email: member.email, role: member.role });
    await acceptInvitation(parseInvitationToken(url));
    expect(await staffApi().get({ id: member.id })).toMatchObject({ status: 'active' });
  });

  it('sends no email and leaves the emailed link unchanged', async () => {
    const member = await invite();
    const mailed = await waitForMailedToken(member.email);
    const mailedLinkQuery = `select token_hash, expires_at, created_at, invited_by from invitations where staff_id = $1`;
    const before = await queryRows(mailedLinkQuery, member.id);
    const colleague = await addStaffMember(test, firm.companyId, 'admin');
    const copied = parseInvitationToken((await colleague.client.staff.copyInvitationLink({ id: member.id })).url);
    expect(await queryRows(mailedLinkQuery, member.id)).toEqual(before);
    expect(await viewInvitation(copied)).toEqual({ ...(await viewInvitation(mailed)), takes_over_account: false });
    await acceptInvitation(copied);
    await expect(acceptInvitation(copied)).rejects.toMatchObject(EXPIRED);
    expect(mailbox.listMailsTo(member.email)).toHaveLength(1);
  });

  it('expires independently of the emailed link', async () => {
    const member = await invite();
    const [mailed, copied] = [await waitForMailedToken(member.email), await copyLink(member.id)];
    await queryRows(`update invitations set copied_expires_at = now() - interval '1 second' where staff_id = $1`, member.id);
    await expect(viewInvitation(copied)).rejects.toMatchObject(EXPIRED);
    await expect(acceptInvitation(copied)).rejects.toMatchObject(EXPIRED);
    expect(await staffApi().get({ id: member.id })).toMatchObject({ status: 'invited', copied_link: null });
    await acceptInvitation(mailed);
  });

  it('is listed with who copied it and when, until it is used', async () => {
    const { id, copied_link } = await invite();
    expect(copied_link).toBeNull();
    const before = Date.now();
    const { url, member } = await staffApi().copyInvitationLink({ id });
    expect(member.copied_link).toMatchObject({ by: 'The admin' });
    expect(Date.parse(member.copied_link?.created_at ?? '')).toBeGreaterThanOrEqual(before - 1000);
    await acceptInvitation(parseInvitationToken(url));
    expect(await staffApi().get({ id })).toMatchObject({ status: 'active', copied_link: null, invited_at: null, delivery: null });
    expect((await firm.people.admin.client.notifications.list()).rows).toMatchObject([
      { message: 'Aroha Ngata accepted your invitation with the copied link' },
    ]);
  });

  it('replaces the previously copied link', async () => {
    const { id } = await invite();
    const [first, second] = [await copyLink(id), await copyLink(id)];
    await expect(viewInvitation(first)).rejects.toMatchObject(EXPIRED);
    await acceptInvitation(second);
  });

  it.each([
    ['the invitation is withdrawn', async (id: string) => void (await staffApi().withdrawInvitation({ id }))],
    ['the invitation is mailed again', async (id: string) => void (await staffApi().resendInvitation({ id }))],
    ['the member is deleted', async (id: string) => void (await staffApi().remove({ id }))],
  ])('stops working when %s', async (_, endLink) => {
    const { id } = await invite();
    const token = await copyLink(id);
    await endLink(id);
    await expect(acceptInvitation(token)).rejects.toMatchObject(EXPIRED);
  });

  it.each([
    ['deleted', async ({ id }: StaffMember) => void (await staffApi().remove({ id }))],
    [
      'given another role',
      async ({ id, version, name, email }: StaffMember) =>
        void (await staffApi().update({ id, version, name, email, phone: '1', hourly_rate: '1', role: 'manager', color_id: null })),
    ],
  ])('stops working when the admin who copied it is %s, but other admins’ links keep working', async (_, endLink) => {
    const leaver = await addStaffMember(test, firm.companyId, 'admin');
    const [memberWithMail, memberWithoutMail, otherMember] = [await invite(), await invite(), await invite()];
    await staffApi().withdrawInvitation({ id: memberWithoutMail.id });
    const copyAsLeaver = async (id: string) => parseInvitationToken((await leaver.client.staff.copyInvitationLink({ id })).url);
    const leaverTokens = [await copyAsLeaver(memberWithMail.id), await copyAsLeaver(memberWithoutMail.id)];
    const [mailed, otherToken] = [await waitForMailedToken(memberWithMail.email), await copyLink(otherMember.id)];
    const member = (await staffApi().list()).rows.find(({ profile_id }) => profile_id === leaver.userId);
    if (!member) throw new Error('The admin is not a member');
    await endLink(member);
    for (const token of leaverTokens) await expect(acceptInvitation(token)).rejects.toMatchObject(EXPIRED);
    expect(await staffApi().get({ id: memberWithMail.id })).toMatchObject({ status: 'invited', copied_link: null });
    expect(await staffApi().get({ id: memberWithoutMail.id })).toMatchObject({ status: 'uninvited', copied_link: null });
    await acceptInvitation(mailed);
    await acceptInvitation(otherToken);
  });

  it('does not make an expired emailed link valid again', async () => {
    const member = await invite();
    const mailed = await waitForMailedToken(member.email);
    await queryRows(`update invitations set expires_at = now() - interval '1 second' where staff_id = $1`, member.id);
    const copied = await copyLink(member.id);
    await expect(viewInvitation(mailed)).rejects.toMatchObject(EXPIRED);
    expect(await viewInvitation(copied)).toMatchObject({ email: member.email });
  });

  it('reopens a withdrawn invitation', async () => {
    const { id } = await invite();
    await staffApi().withdrawInvitation({ id });
    const token = await copyLink(id);
    expect(await staffApi().get({ id })).toMatchObject({ status: 'invited', delivery: null });
    await acceptInvitation(token);
  });
});

describe('a copied invitation link, which the inviter knows,', () => {
  it('does not confirm the email address', async () => {
    const member = await invite();
    await acceptInvitation(await copyLink(member.id));
    expect(await queryRows('select email_verified from users where email = $1', member.email)).toEqual([{ email_verified: false }]);
  });

  it('cannot block a stranger’s email address, because the emailed link takes over the login', async () => {
    const member = await invite();
    const [mailed, copied] = [await waitForMailedToken(member.email), await copyLink(member.id)];
    await acceptInvitation(copied, 'secret-inviter');
    const squatter = await signIn(test, member.email, 'secret-inviter');
    // Changing the member's email address must not break the emailed link.
    const { id, version, name } = await staffApi().get({ id: member.id });
    await staffApi().update({ id, version, name, email: buildTestEmail(), phone: '1', hourly_rate: '1', role: 'staff', color_id: null });
    expect(await viewInvitation(mailed)).toMatchObject({ email: member.email, takes_over_account: true });
    const page = await openEventStream(test, squatter);
    const feed = await test.client(squatter).calendar.openFeed();
    expect(await fetchFeedStatus(feed.url)).toBe(200);
    await acceptInvitation(mailed, 'secret-owner');
    expect(await fetchFeedStatus(feed.url)).toBe(404);
    expect(await page.next()).toMatchObject({ event: 'signed-out' });
    expect((await test.request('GET', '/api/me', { cookie: squatter })).statusCode).toBe(401);
    await expect(signIn(test, member.email, 'secret-inviter')).rejects.toThrow('401');
    const owner = test.client(await signIn(test, member.email, 'secret-owner'));
    const { user, profile } = await owner.company.me();
    expect([user.staff_id, profile?.company_id]).toEqual([member.id, firm.companyId]);
    expect(await owner.calendar.feed()).toEqual({ url: null, last_opened_at: null });
    const ownerFeed = await owner.calendar.openFeed();
    expect([await fetchFeedStatus(ownerFeed.url), await fetchFeedStatus(feed.url)]).toEqual([200, 404]);
    expect(await queryRows('select email_verified from users where email = $1', member.email)).toEqual([{ email_verified: true }]);
    for (const token of [mailed, copied]) await expect(acceptInvitation(token)).rejects.toMatchObject(EXPIRED);
  });

  it('cannot prevent a stranger from joining another company that emails them an invitation', async () => {
    const member = await invite();
    await acceptInvitation(await copyLink(member.id), 'secret-inviter');
    const feed = await test.client(await signIn(test, member.email, 'secret-inviter')).calendar.openFeed();
    const other = await createFirm(test, 'Other');
    await other.people.admin.client.staff.invite(buildMember({ email: member.email }));
    await expect.poll(() => mailbox.listMailsTo(member.email).length, { timeout: 20_000 }).toBe(2);
    await acceptInvitation(parseInvitationToken(mailbox.listMailsTo(member.email)[1]?.text ?? ''), 'secret-owner');
    const { profile } = await test.client(await signIn(test, member.email, 'secret-owner')).company.me();
    expect(profile?.company_id).toBe(other.companyId);
    expect(await fetchFeedStatus(feed.url)).toBe(404);
  });

  it('leaves no emailed link that could take over the login once the login is confirmed', async () => {
    const member = await invite();
    const [mailed, copied] = [await waitForMailedToken(member.email), await copyLink(member.id)];
    await acceptInvitation(copied, 'secret-1');
    await queryRows('update users set email_verified = true where email = $1', member.email);
    await expect(viewInvitation(mailed)).rejects.toMatchObject(EXPIRED);
    await expect(acceptInvitation(mailed, 'secret-2')).rejects.toMatchObject(EXPIRED);
    expect(await signIn(test, member.email, 'secret-1')).not.toBe('');
  });

  it('cannot take over an existing account, which keeps its password, sessions and company', async () => {
    const { email, password } = await signUp(test);
    const cookie = await signIn(test, email, password);
    const before = await test.client(cookie).company.start();
    const { id } = await invite(email);
    const token = await copyLink(id);
    expect(await viewInvitation(token)).toMatchObject({ replaces_company: false, leaves_company: false });
    await expect(acceptInvitation(token, 'secret-new')).rejects.toMatchObject(HAS_ACCOUNT);
    expect((await test.client(cookie).company.me()).profile?.company_id).toBe(before.profile?.company_id);
    await expect(signIn(test, email, 'secret-new')).rejects.toThrow('401');
    expect(await staffApi().get({ id })).toMatchObject({ status: 'invited', profile_id: null });
  });

  it('is rejected, but stays valid, if an account with its email address is created at the same time', async () => {
    const member = await invite();
    const copied = await copyLink(member.id);
    const outcome = await withOwnerClient(test.database, async (owner) => {
      await owner.query('begin');
      await owner.query(`insert into users (id, name, email) values (gen_random_uuid(), 'Signed up', $1)`, [member.email.toLowerCase()]);
      const accepting = acceptInvitation(copied).catch((error: unknown) => error);
      await waitUntilBlocked(test.database);
      await owner.query('commit');
      return accepting;
    });
    expect(outcome).toMatchObject(HAS_ACCOUNT);
    expect(await staffApi().get({ id: member.id })).toMatchObject({ status: 'invited', profile_id: null });
  });

  it('does not prevent the owner of a confirmed account from joining after signing in', async () => {
    const person = await createPerson(test);
    const { id } = await invite(person.email);
    await staffApi().withdrawInvitation({ id });
    await copyLink(id);
    expect((await person.client.staff.myInvitations()).companies).toMatchObject([{ company_id: firm.companyId }]);
    await person.client.staff.joinCompany({ company_id: firm.companyId });
    expect(await staffApi().get({ id })).toMatchObject({ status: 'active', profile_id: person.userId });
  });
});

describe('copying an invitation link', () => {
  it.each(ROLES.filter((role) => !hasCapability(role, 'staff.manage')))('is forbidden for the %s', async (role) => {
    const { id } = await invite();
    await expect(firm.people[role].client.staff.copyInvitationLink({ id })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('is rejected for a member who has joined', async () => {
    const member = await invite();
    await acceptInvitation(await copyLink(member.id));
    await expect(staffApi().copyInvitationLink({ id: member.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is rejected while the inviter’s email address is unconfirmed', async () => {
    const { id } = await invite();
    await queryRows('update users set email_verified = false where id = $1', firm.people.admin.userId);
    await expect(staffApi().copyInvitationLink({ id })).rejects.toMatchObject({ code: 'EMAIL_UNCONFIRMED' });
  });

  it('counts once toward the invitation limit, but not toward the limit on emails to that person', async () => {
    const { id } = await invite();
    const limits = () => queryRows<{ key: string; attempts: number }>('select key, attempts from rate_limits order by key');
    const before = await limits();
    await copyLink(id);
    const counted = (await limits()).filter(({ key, attempts }) => before.some((row) => row.key === key && row.attempts + 1 === attempts));
    expect(counted.map(({ key }) => key.replace(/ .*/, ''))).toEqual(['invite', 'invite-from']);
    await queryRows('update rate_limits set attempts = 50 where key = $1', `invite ${firm.companyId}`);
    await expect(staffApi().copyInvitationLink({ id })).rejects.toMatchObject({ code: 'TOO_MANY_ATTEMPTS' });
  });
});
