import type { StaffMember } from '@callout/contract/staff';
import { can, ROLES } from '@callout/domain/roles/roles';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { signIn, signUp, uniqueEmail } from '../../../test/accounts.ts';
import { waitUntilBlocked, withOwner } from '../../../test/database.ts';
import { openStream } from '../../../test/event-stream.ts';
import { tablesWith } from '../../../test/every-row.ts';
import { newMember } from '../../../test/factories/inputs.ts';
import { invitationToken } from '../../../test/factories/invitations.ts';
import { createFirm, createPerson, type Firm, hire } from '../../../test/factories/people.ts';
import { type Mailbox, startMailbox } from '../../../test/mailbox.ts';
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

const staff = () => firm.people.admin.client.staff;
const copy = async (id: string) => invitationToken((await staff().copyInvitationLink({ id })).url);
const mailedToken = async (email: string) => invitationToken((await mailbox.mailTo(email)).text);
const view = (token: string) => test.client().staff.viewInvitation({ token });
const accept = (token: string, password = 'secret-1') => test.client().staff.acceptInvitation({ token, password });
const invited = async (email?: string) => (await staff().invite(newMember(email ? { email } : {}))).member;
/** How the calendar behind a feed's address answers. */
const statusOf = async (url: string | null) => (await test.request('GET', new URL(url ?? '').pathname)).statusCode;
const rowsOf = async <Row extends object>(statement: string, ...values: unknown[]) =>
  (await test.app.platform.pools.system.query<Row>(statement, values)).rows;

describe('a copied link', () => {
  it('lets its holder join, and is stored only as a hash', async () => {
    const member = await invited();
    const { url, member: current } = await staff().copyInvitationLink({ id: member.id });
    expect(url).toMatch(/^https:\/\/work\.example\.com\/invitation\?token=[\w-]{43}$/);
    expect(current.status).toBe('invited');
    expect(await tablesWith(test, invitationToken(url))).toEqual([]);
    expect(await view(invitationToken(url))).toMatchObject({ email: member.email, role: member.role });
    await accept(invitationToken(url));
    expect(await staff().get({ id: member.id })).toMatchObject({ status: 'active' });
  });

  it('sends no mail, and leaves the mailed link as it was', async () => {
    const member = await invited();
    const mailed = await mailedToken(member.email);
    const readMailed = `select token_hash, expires_at, created_at, invited_by from invitations where staff_id = $1`;
    const before = await rowsOf(readMailed, member.id);
    const colleague = await hire(test, firm.companyId, 'admin');
    const copied = invitationToken((await colleague.client.staff.copyInvitationLink({ id: member.id })).url);
    expect(await rowsOf(readMailed, member.id)).toEqual(before);
    expect(await view(copied)).toEqual({ ...(await view(mailed)), takes_over_account: false });
    await accept(copied);
    await expect(accept(copied)).rejects.toMatchObject(EXPIRED);
    expect(mailbox.mailsTo(member.email)).toHaveLength(1);
  });

  it('expires by itself, and so does the mailed one', async () => {
    const member = await invited();
    const [mailed, copied] = [await mailedToken(member.email), await copy(member.id)];
    await rowsOf(`update invitations set copied_expires_at = now() - interval '1 second' where staff_id = $1`, member.id);
    await expect(view(copied)).rejects.toMatchObject(EXPIRED);
    await expect(accept(copied)).rejects.toMatchObject(EXPIRED);
    expect(await staff().get({ id: member.id })).toMatchObject({ status: 'invited', copied_link: null });
    await accept(mailed);
  });

  it('is shown with who copied it and when, until it is used', async () => {
    const { id, copied_link } = await invited();
    expect(copied_link).toBeNull();
    const before = Date.now();
    const { url, member } = await staff().copyInvitationLink({ id });
    expect(member.copied_link).toMatchObject({ by: 'The admin' });
    expect(Date.parse(member.copied_link?.created_at ?? '')).toBeGreaterThanOrEqual(before - 1000);
    await accept(invitationToken(url));
    expect(await staff().get({ id })).toMatchObject({ status: 'active', copied_link: null, invited_at: null, delivery: null });
    expect((await firm.people.admin.client.notifications.list()).rows).toMatchObject([
      { message: 'Aroha Ngata accepted your invitation with the copied link' },
    ]);
  });

  it('replaces the one copied before', async () => {
    const { id } = await invited();
    const [first, second] = [await copy(id), await copy(id)];
    await expect(view(first)).rejects.toMatchObject(EXPIRED);
    await accept(second);
  });

  it.each([
    ['the invitation is withdrawn', async (id: string) => void (await staff().withdrawInvitation({ id }))],
    ['the invitation is mailed again', async (id: string) => void (await staff().resendInvitation({ id }))],
    ['the member is deleted', async (id: string) => void (await staff().remove({ id }))],
  ])('stops working when %s', async (_, end) => {
    const { id } = await invited();
    const token = await copy(id);
    await end(id);
    await expect(accept(token)).rejects.toMatchObject(EXPIRED);
  });

  it.each([
    ['deleted', async ({ id }: StaffMember) => void (await staff().remove({ id }))],
    [
      'given another role',
      async ({ id, version, name, email }: StaffMember) =>
        void (await staff().update({ id, version, name, email, phone: '1', hourly_rate: '1', role: 'manager', color_id: null })),
    ],
  ])('stops working when the admin who copied it is %s, and links that others made do not', async (_, end) => {
    const leaver = await hire(test, firm.companyId, 'admin');
    const [mailedToo, onlyCopied, byOther] = [await invited(), await invited(), await invited()];
    await staff().withdrawInvitation({ id: onlyCopied.id });
    const copyAs = async (id: string) => invitationToken((await leaver.client.staff.copyInvitationLink({ id })).url);
    const known = [await copyAs(mailedToo.id), await copyAs(onlyCopied.id)];
    const [mailed, others] = [await mailedToken(mailedToo.email), await copy(byOther.id)];
    const member = (await staff().list()).rows.find(({ profile_id }) => profile_id === leaver.userId);
    if (!member) throw new Error('Not a member');
    await end(member);
    for (const token of known) await expect(accept(token)).rejects.toMatchObject(EXPIRED);
    expect(await staff().get({ id: mailedToo.id })).toMatchObject({ status: 'invited', copied_link: null });
    expect(await staff().get({ id: onlyCopied.id })).toMatchObject({ status: 'uninvited', copied_link: null });
    await accept(mailed);
    await accept(others);
  });

  it('does not bring an expired mailed link back', async () => {
    const member = await invited();
    const mailed = await mailedToken(member.email);
    await rowsOf(`update invitations set expires_at = now() - interval '1 second' where staff_id = $1`, member.id);
    const copied = await copy(member.id);
    await expect(view(mailed)).rejects.toMatchObject(EXPIRED);
    expect(await view(copied)).toMatchObject({ email: member.email });
  });

  it('opens an invitation that was withdrawn', async () => {
    const { id } = await invited();
    await staff().withdrawInvitation({ id });
    const token = await copy(id);
    expect(await staff().get({ id })).toMatchObject({ status: 'invited', delivery: null });
    await accept(token);
  });
});

describe('the inviter, who knows a copied link,', () => {
  it('does not confirm the email with it', async () => {
    const member = await invited();
    await accept(await copy(member.id));
    expect(await rowsOf('select email_verified from users where email = $1', member.email)).toEqual([{ email_verified: false }]);
  });

  it('can’t keep a stranger’s email by joining with it: the mailed link takes the login over', async () => {
    const member = await invited();
    const [mailed, copied] = [await mailedToken(member.email), await copy(member.id)];
    await accept(copied, 'secret-inviter');
    const squatter = await signIn(test, member.email, 'secret-inviter');
    // What the inviter can still change about the member.
    const { id, version, name } = await staff().get({ id: member.id });
    await staff().update({ id, version, name, email: uniqueEmail(), phone: '1', hourly_rate: '1', role: 'staff', color_id: null });
    expect(await view(mailed)).toMatchObject({ email: member.email, takes_over_account: true });
    const page = await openStream(test, squatter);
    const feed = await test.client(squatter).calendar.openFeed();
    expect(await statusOf(feed.url)).toBe(200);
    await accept(mailed, 'secret-owner');
    expect(await statusOf(feed.url)).toBe(404);
    expect(await page.next()).toMatchObject({ event: 'signed-out' });
    expect((await test.request('GET', '/api/me', { cookie: squatter })).statusCode).toBe(401);
    await expect(signIn(test, member.email, 'secret-inviter')).rejects.toThrow('401');
    const owner = test.client(await signIn(test, member.email, 'secret-owner'));
    const { user, profile } = await owner.company.me();
    expect([user.staff_id, profile?.company_id]).toEqual([member.id, firm.companyId]);
    expect(await owner.calendar.feed()).toEqual({ url: null, last_opened_at: null });
    const ownFeed = await owner.calendar.openFeed();
    expect([await statusOf(ownFeed.url), await statusOf(feed.url)]).toEqual([200, 404]);
    expect(await rowsOf('select email_verified from users where email = $1', member.email)).toEqual([{ email_verified: true }]);
    for (const token of [mailed, copied]) await expect(accept(token)).rejects.toMatchObject(EXPIRED);
  });

  it('can’t keep a stranger’s email from another company that mails them an invitation', async () => {
    const member = await invited();
    await accept(await copy(member.id), 'secret-inviter');
    const feed = await test.client(await signIn(test, member.email, 'secret-inviter')).calendar.openFeed();
    const other = await createFirm(test, 'Other');
    await other.people.admin.client.staff.invite(newMember({ email: member.email }));
    await expect.poll(() => mailbox.mailsTo(member.email).length, { timeout: 20_000 }).toBe(2);
    await accept(invitationToken(mailbox.mailsTo(member.email)[1]?.text ?? ''), 'secret-owner');
    const { profile } = await test.client(await signIn(test, member.email, 'secret-owner')).company.me();
    expect(profile?.company_id).toBe(other.companyId);
    expect(await statusOf(feed.url)).toBe(404);
  });

  it('leaves no mailed link that could take over a confirmed login', async () => {
    const member = await invited();
    const [mailed, copied] = [await mailedToken(member.email), await copy(member.id)];
    await accept(copied, 'secret-1');
    await rowsOf('update users set email_verified = true where email = $1', member.email);
    await expect(view(mailed)).rejects.toMatchObject(EXPIRED);
    await expect(accept(mailed, 'secret-2')).rejects.toMatchObject(EXPIRED);
    expect(await signIn(test, member.email, 'secret-1')).not.toBe('');
  });

  it('can’t take over an existing account: its password, sessions and company stay', async () => {
    const { email, password } = await signUp(test);
    const cookie = await signIn(test, email, password);
    const before = await test.client(cookie).company.start();
    const { id } = await invited(email);
    const token = await copy(id);
    expect(await view(token)).toMatchObject({ replaces_company: false, leaves_company: false });
    await expect(accept(token, 'secret-new')).rejects.toMatchObject(HAS_ACCOUNT);
    expect((await test.client(cookie).company.me()).profile?.company_id).toBe(before.profile?.company_id);
    await expect(signIn(test, email, 'secret-new')).rejects.toThrow('401');
    expect(await staff().get({ id })).toMatchObject({ status: 'invited', profile_id: null });
  });

  it('is refused when its email gets an account at the same moment, and stays open', async () => {
    const member = await invited();
    const copied = await copy(member.id);
    const outcome = await withOwner(test.database, async (owner) => {
      await owner.query('begin');
      await owner.query(`insert into users (id, name, email) values (gen_random_uuid(), 'Signed up', $1)`, [member.email.toLowerCase()]);
      const accepting = accept(copied).catch((error: unknown) => error);
      await waitUntilBlocked(test.database);
      await owner.query('commit');
      return accepting;
    });
    expect(outcome).toMatchObject(HAS_ACCOUNT);
    expect(await staff().get({ id: member.id })).toMatchObject({ status: 'invited', profile_id: null });
  });

  it('does not keep the owner of a confirmed account from joining after signing in', async () => {
    const person = await createPerson(test);
    const { id } = await invited(person.email);
    await staff().withdrawInvitation({ id });
    await copy(id);
    expect((await person.client.staff.myInvitations()).companies).toMatchObject([{ company_id: firm.companyId }]);
    await person.client.staff.joinCompany({ company_id: firm.companyId });
    expect(await staff().get({ id })).toMatchObject({ status: 'active', profile_id: person.userId });
  });
});

describe('copying a link', () => {
  it.each(ROLES.filter((role) => !can(role, 'staff.manage')))('is refused to the %s', async (role) => {
    const { id } = await invited();
    await expect(firm.people[role].client.staff.copyInvitationLink({ id })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('is refused for somebody who has joined', async () => {
    const member = await invited();
    await accept(await copy(member.id));
    await expect(staff().copyInvitationLink({ id: member.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is refused while the inviter’s own email is unconfirmed', async () => {
    const { id } = await invited();
    await rowsOf('update users set email_verified = false where id = $1', firm.people.admin.userId);
    await expect(staff().copyInvitationLink({ id })).rejects.toMatchObject({ code: 'EMAIL_UNCONFIRMED' });
  });

  it('counts once against the limit of invitations, and not against the mails to that person', async () => {
    const { id } = await invited();
    const limits = () => rowsOf<{ key: string; attempts: number }>('select key, attempts from rate_limits order by key');
    const before = await limits();
    await copy(id);
    const counted = (await limits()).filter(({ key, attempts }) => before.some((row) => row.key === key && row.attempts + 1 === attempts));
    expect(counted.map(({ key }) => key.replace(/ .*/, ''))).toEqual(['invite', 'invite-from']);
    await rowsOf('update rate_limits set attempts = 50 where key = $1', `invite ${firm.companyId}`);
    await expect(staff().copyInvitationLink({ id })).rejects.toMatchObject({ code: 'TOO_MANY_ATTEMPTS' });
  });
});
