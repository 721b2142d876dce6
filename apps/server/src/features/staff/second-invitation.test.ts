import { randomUUID } from 'node:crypto';
import type { StaffMember } from '@callout/contract/staff';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { uniqueEmail } from '../../../test/accounts.ts';
import { newMember } from '../../../test/factories/inputs.ts';
import { mailedTokens } from '../../../test/factories/invitations.ts';
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

const staff = () => firm.people.admin.client.staff;
/** The same member, however far their mail has come. */
const sameMember = (member: StaffMember) => ({ ...member, delivery: expect.any(String) as string });
const sameAnswer = ({ member, ...answer }: { member: StaffMember }) => ({ ...answer, member: sameMember(member) });
const view = (token: string) => test.client().staff.viewInvitation({ token });
const EXPIRED = { code: 'LINK_EXPIRED', status: 410 };

const tokensTo = (email: string, count?: number) => mailedTokens(mailbox, email, count);

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

describe('a second invitation of the same email', () => {
  /** Somebody whose invitation was withdrawn. */
  async function withdrawn(): Promise<StaffMember> {
    const { member } = await staff().invite(newMember());
    await tokensTo(member.email);
    return staff().withdrawInvitation({ id: member.id });
  }

  it('is refused while the first is open, and changes nothing', async () => {
    const { member } = await staff().invite(newMember({ name: 'Quinn Rua' }));
    const [link = ''] = await tokensTo(member.email);
    await expect(staff().invite(newMember({ email: member.email.toUpperCase(), role: 'admin' }))).rejects.toMatchObject({
      code: 'EMAIL_TAKEN',
      message: 'Quinn Rua is already invited. Open Quinn Rua in Staff to change the details or send the invitation again.',
    });
    expect(await staff().get({ id: member.id })).toEqual(sameMember(member));
    expect(await view(link)).toMatchObject({ name: 'Quinn Rua' });
    expect(await mailsOf(member.email)).toBe(1);
  });

  it('replaces one that has expired', async () => {
    const { member } = await staff().invite(newMember());
    await test.owner.query(`update invitations set expires_at = now() - interval '1 second' where staff_id = $1`, [member.id]);
    const again = newMember({ email: member.email, name: 'New Name' });
    expect((await staff().invite(again)).member).toMatchObject({ id: member.id, name: 'New Name', status: 'invited' });
  });

  it('replaces one that was withdrawn: one member, the new details, only the new link', async () => {
    const first = await withdrawn();
    const [old = ''] = await tokensTo(first.email);
    const again = newMember({ email: first.email.toUpperCase(), name: 'New Name', phone: '1', hourly_rate: '60', role: 'manager' });
    const { member } = await staff().invite(again);
    expect(member).toMatchObject({ ...again, id: first.id, hourly_rate: '60.00', color: first.color, version: 2, status: 'invited' });
    const [, fresh = ''] = await tokensTo(first.email, 2);
    await expect(view(old)).rejects.toMatchObject(EXPIRED);
    expect(await view(fresh)).toMatchObject({ name: 'New Name', role: 'manager' });
    expect(await membersOf(firm.companyId)).toHaveLength(5);
  });

  it('sent again after a lost response replaces the first once, and its link keeps working', async () => {
    const first = await withdrawn();
    const input = newMember({ email: first.email, name: 'New Name' });
    const answer = await staff().invite(input);
    const [, fresh = ''] = await tokensTo(first.email, 2);
    expect(await Promise.all([1, 2, 3].map(() => staff().invite(input)))).toEqual([1, 2, 3].map(() => sameAnswer(answer)));
    await waitForQueue(test);
    expect(await mailsOf(first.email)).toBe(2);
    expect(await view(fresh)).toMatchObject({ name: 'New Name' });
    await expect(staff().invite({ ...input, name: 'Other Name' })).rejects.toMatchObject({ code: 'ID_TAKEN' });
  });

  it('sent again after a lost response is still recognized after its mail was resent', async () => {
    const first = await withdrawn();
    const input = newMember({ email: first.email, name: 'New Name' });
    await staff().invite(input);
    const { member } = await staff().resendInvitation({ id: first.id });
    expect((await staff().invite(input)).member).toEqual(sameMember(member));
  });

  it('mailed again is mailed once when that request is repeated, and its link keeps working', async () => {
    const { member } = await staff().invite(newMember());
    await tokensTo(member.email);
    const resend = { id: member.id, request_id: randomUUID() };
    const first = await staff().resendInvitation(resend);
    const [, link = ''] = await tokensTo(member.email, 2);
    await waitForQueue(test);
    expect(await Promise.all([1, 2, 3].map(() => staff().resendInvitation(resend)))).toEqual([1, 2, 3].map(() => sameAnswer(first)));
    await waitForQueue(test);
    expect(await mailsOf(member.email)).toBe(2);
    expect(await view(link)).toMatchObject({ email: member.email });
    await staff().resendInvitation({ ...resend, request_id: randomUUID() });
    await waitForQueue(test);
    expect(await mailsOf(member.email)).toBe(3);
  });

  it('at the same time leaves one member with one working link', async () => {
    const email = uniqueEmail();
    const answers = await Promise.allSettled([1, 2, 3, 4].map((n) => staff().invite(newMember({ email, name: `Name ${n}` }))));
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected']);
    await waitForQueue(test);
    const working = await Promise.allSettled((await tokensTo(email, mailbox.mailsTo(email).length)).map(view));
    expect(working.filter((one) => one.status === 'fulfilled')).toHaveLength(1);
  });
});
