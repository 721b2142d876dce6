import { randomUUID } from 'node:crypto';
import type { StaffMember } from '@callout/contract/staff';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildTestEmail } from '../../../test/accounts.ts';
import { buildMember } from '../../../test/factories/inputs.ts';
import { waitForInvitationTokens } from '../../../test/factories/invitations.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
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

const staffApi = () => firm.people.admin.client.staff;
/** Expects the same member, but with any delivery status, which changes in the background. */
const matchingMember = (member: StaffMember) => ({ ...member, delivery: expect.any(String) as string });
const matchingResponse = ({ member, ...response }: { member: StaffMember }) => ({ ...response, member: matchingMember(member) });
const viewInvitation = (token: string) => test.client().staff.viewInvitation({ token });
const EXPIRED = { code: 'LINK_EXPIRED', status: 410 };

const waitForTokens = (email: string, count?: number) => waitForInvitationTokens(mailbox, email, count);

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

describe('inviting the same email address again', () => {
  async function inviteAndWithdraw(): Promise<StaffMember> {
    const { member } = await staffApi().invite(buildMember());
    await waitForTokens(member.email);
    return staffApi().withdrawInvitation({ id: member.id });
  }

  it('is rejected while the first invitation is pending, and changes nothing', async () => {
    const { member } = await staffApi().invite(buildMember({ name: 'Quinn Rua' }));
    const [link = ''] = await waitForTokens(member.email);
    await expect(staffApi().invite(buildMember({ email: member.email.toUpperCase(), role: 'admin' }))).rejects.toMatchObject({
      code: 'EMAIL_TAKEN',
      message: 'Quinn Rua has already been invited.',
      data: { member: { id: member.id, status: 'invited' } },
    });
    expect(await staffApi().get({ id: member.id })).toEqual(matchingMember(member));
    expect(await viewInvitation(link)).toMatchObject({ name: 'Quinn Rua' });
    expect(await countMailsTo(member.email)).toBe(1);
  });

  it('replaces an expired invitation', async () => {
    const { member } = await staffApi().invite(buildMember());
    await test.owner.query(`update invitations set expires_at = now() - interval '1 second' where staff_id = $1`, [member.id]);
    const again = buildMember({ email: member.email, name: 'New Name' });
    expect((await staffApi().invite(again)).member).toMatchObject({ id: member.id, name: 'New Name', status: 'invited' });
  });

  it('replaces a withdrawn invitation, which leaves one member with new details and one working link', async () => {
    const first = await inviteAndWithdraw();
    const [old = ''] = await waitForTokens(first.email);
    const again = buildMember({ email: first.email.toUpperCase(), name: 'New Name', phone: '1', hourly_rate: '60', role: 'manager' });
    const { member } = await staffApi().invite(again);
    expect(member).toMatchObject({ ...again, id: first.id, hourly_rate: '60.00', color: first.color, version: 2, status: 'invited' });
    const [, fresh = ''] = await waitForTokens(first.email, 2);
    await expect(viewInvitation(old)).rejects.toMatchObject(EXPIRED);
    expect(await viewInvitation(fresh)).toMatchObject({ name: 'New Name', role: 'manager' });
    expect(await readMembers(firm.companyId)).toHaveLength(5);
  });

  it('replaces the first invitation once if the request is retried, and the link keeps working', async () => {
    const first = await inviteAndWithdraw();
    const input = buildMember({ email: first.email, name: 'New Name' });
    const response = await staffApi().invite(input);
    const [, fresh = ''] = await waitForTokens(first.email, 2);
    expect(await Promise.all([1, 2, 3].map(() => staffApi().invite(input)))).toEqual([1, 2, 3].map(() => matchingResponse(response)));
    await waitForQueue(test);
    expect(await countMailsTo(first.email)).toBe(2);
    expect(await viewInvitation(fresh)).toMatchObject({ name: 'New Name' });
    await expect(staffApi().invite({ ...input, name: 'Other Name' })).rejects.toMatchObject({ code: 'ID_TAKEN' });
  });

  it('recognizes a retried request even after the email was resent', async () => {
    const first = await inviteAndWithdraw();
    const input = buildMember({ email: first.email, name: 'New Name' });
    await staffApi().invite(input);
    const { member } = await staffApi().resendInvitation({ id: first.id });
    expect((await staffApi().invite(input)).member).toEqual(matchingMember(member));
  });

  it('resends the email once if the resend request is retried, and the link keeps working', async () => {
    const { member } = await staffApi().invite(buildMember());
    await waitForTokens(member.email);
    const resend = { id: member.id, request_id: randomUUID() };
    const first = await staffApi().resendInvitation(resend);
    const [, link = ''] = await waitForTokens(member.email, 2);
    await waitForQueue(test);
    expect(await Promise.all([1, 2, 3].map(() => staffApi().resendInvitation(resend)))).toEqual(
      [1, 2, 3].map(() => matchingResponse(first)),
    );
    await waitForQueue(test);
    expect(await countMailsTo(member.email)).toBe(2);
    expect(await viewInvitation(link)).toMatchObject({ email: member.email });
    await staffApi().resendInvitation({ ...resend, request_id: randomUUID() });
    await waitForQueue(test);
    expect(await countMailsTo(member.email)).toBe(3);
  });

  it('several times at once leaves one member with one working link', async () => {
    const email = buildTestEmail();
    const outcomes = await Promise.allSettled([1, 2, 3, 4].map((n) => staffApi().invite(buildMember({ email, name: `Name ${n}` }))));
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected']);
    await waitForQueue(test);
    const working = await Promise.allSettled((await waitForTokens(email, mailbox.listMailsTo(email).length)).map(viewInvitation));
    expect(working.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});
