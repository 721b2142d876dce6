import type { StaffMember } from '@callout/contract/staff';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildTestEmail } from '../../../test/accounts.ts';
import { waitUntilBlocked, withOwnerClient } from '../../../test/database.ts';
import { openEventStream } from '../../../test/event-stream.ts';
import { startAppWithAdministrator } from '../../../test/factories/administrator.ts';
import { buildMember } from '../../../test/factories/inputs.ts';
import { addStaffMember, createFirm, type Firm, type Person } from '../../../test/factories/people.ts';
import { type Mailbox, startMailbox } from '../../../test/mailbox.ts';
import { postponeQueuedWork, retryFailedWorkNow, waitForQueue } from '../../../test/queue.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { recordInvitationDelivery } from './send-invitation.ts';

let test: TestApp;
let mailbox: Mailbox;
let administrator: Person;
let firm: Firm;

beforeAll(async () => {
  mailbox = await startMailbox();
  ({ test, administrator } = await startAppWithAdministrator({ ...mailbox.environment, APP_URL: 'https://work.example.com' }));
  return () => mailbox.stop();
});

beforeEach(async () => {
  mailbox.beforeAccept(() => undefined);
  firm = await createFirm(test);
  await test.app.platform.pools.system.query('delete from rate_limits');
});

const staffApi = () => firm.people.admin.client.staff;
const readDelivery = async (id: string) => {
  const { delivery, delivery_problem } = await staffApi().get({ id });
  return [delivery, delivery_problem];
};
const waitForDelivery = (id: string, ...state: [string, string | null]) =>
  expect.poll(() => readDelivery(id), { timeout: 20_000 }).toEqual(state);
const listNotifications = async () => (await firm.people.admin.client.notifications.list()).rows;

/** Makes the mail server reject every email with the given response code and message. */
function rejectMails(responseCode: number, message: string): void {
  mailbox.beforeAccept(() => {
    throw Object.assign(new Error(message), { responseCode });
  });
}

describe('an invitation email', () => {
  it('changes from sending to delivered, which refreshes open pages', async () => {
    const smtpReply = Promise.withResolvers<void>();
    mailbox.beforeAccept(() => smtpReply.promise);
    const page = await openEventStream(test, firm.people.admin.cookie);
    const { member } = await staffApi().invite(buildMember());
    expect(member).toMatchObject({ delivery: 'sending', delivery_problem: null });
    expect(await page.next()).toEqual({ event: 'change', data: { topics: ['staff', 'jobs', 'tasks'] } });
    smtpReply.resolve();
    await waitForDelivery(member.id, 'delivered', null);
    expect(await page.next()).toEqual({ event: 'change', data: { topics: ['staff'] } });
    expect(await listNotifications()).toEqual([]);
  });

  it.each([
    [550, '5.1.1 no such user', 'This email address does not exist. Please check it for typos.'],
    [550, '5.1.10 null MX', 'This email address does not exist. Please check it for typos.'],
    [550, '5.1.8 bad sender', 'Their mail server refused the message.'],
    [550, '5.7.1 rejected by policy', 'Their mail server refused the message.'],
    [550, 'looks like spam', 'Their mail server refused the message.'],
    [552, '5.2.2 over quota', 'Their mailbox is full.'],
    [552, 'over quota', 'Their mailbox is full.'],
    [552, '5.3.4 message too large', 'Their mail server refused the message.'],
  ])('fails if the mail server responds %i %s, and its inviter is notified once', async (code, reply, problem) => {
    rejectMails(code, reply);
    const colleague = await addStaffMember(test, firm.companyId, 'admin');
    const { member } = await staffApi().invite(buildMember({ name: 'Aroha' }));
    await waitForDelivery(member.id, 'failed', problem);
    await waitForQueue(test);
    const message = `Your invitation to Aroha couldn't be delivered. ${problem}`;
    expect(await listNotifications()).toMatchObject([{ message, type: 'error', data: { staff_id: member.id } }]);
    expect((await colleague.client.notifications.list()).rows).toEqual([]);
    const mail_id = await readMailId(member.id);
    await test.app.platform.pools.system.query(`update outbox_mails set problem = 'Another reason.' where id = $1`, [mail_id]);
    await recordInvitationDelivery(test.app.platform, { mail_id, company_id: firm.companyId });
    expect(await readDelivery(member.id)).toEqual(['failed', 'Another reason.']);
    expect(await listNotifications()).toHaveLength(1);
  });

  it('has the latest delivery status even if it was sent while a report waited for the lock', async () => {
    const { member } = await staffApi().invite(buildMember());
    await waitForQueue(test);
    const mail_id = await readMailId(member.id);
    const { system } = test.app.platform.pools;
    await system.query(`update invitations set delivery = 'sending' where mail_id = $1`, [mail_id]);
    await system.query(`update outbox_mails set status = 'waiting' where id = $1`, [mail_id]);
    await withOwnerClient(test.database, async (owner) => {
      await owner.query('begin');
      await owner.query('select from companies where company_id = $1 for update', [firm.companyId]);
      const report = recordInvitationDelivery(test.app.platform, { mail_id, company_id: firm.companyId });
      await waitUntilBlocked(test.database);
      await system.query(`update outbox_mails set status = 'sent' where id = $1`, [mail_id]);
      await owner.query('commit');
      await report;
    });
    expect(await readDelivery(member.id)).toEqual(['delivered', null]);
  });

  it('returns to sending as soon as the system administrator resends it', async () => {
    rejectMails(550, '5.1.1 no such user');
    const { member } = await staffApi().invite(buildMember());
    await waitForDelivery(member.id, 'failed', 'This email address does not exist. Please check it for typos.');
    const smtpReply = Promise.withResolvers<void>();
    mailbox.beforeAccept(async () => {
      await smtpReply.promise;
      throw Object.assign(new Error('4.3.1 busy'), { responseCode: 452 });
    });
    await administrator.client.admin.sendMailAgain({ id: await readMailId(member.id), attempts: 1 });
    await waitForDelivery(member.id, 'sending', null);
    smtpReply.resolve();
    await waitForDelivery(member.id, 'sending', 'Their mail server is not accepting email right now.');
    await postponeQueuedWork(test);
    expect(await listNotifications()).toHaveLength(1);
  });

  it('shows why it is not delivered yet during retries, and notifies no one', async () => {
    rejectMails(452, '4.3.1 busy');
    const { member } = await staffApi().invite(buildMember());
    await waitForDelivery(member.id, 'sending', 'Their mail server is not accepting email right now.');
    await postponeQueuedWork(test);
    expect(await listNotifications()).toEqual([]);
  });

  it('is delivered if it is resent after a failure', async () => {
    rejectMails(550, '5.1.1 no such user');
    const { member } = await staffApi().invite(buildMember());
    await waitForDelivery(member.id, 'failed', 'This email address does not exist. Please check it for typos.');
    mailbox.beforeAccept(() => undefined);
    expect((await staffApi().resendInvitation({ id: member.id })).member).toMatchObject({ delivery: 'sending', delivery_problem: null });
    await waitForDelivery(member.id, 'delivered', null);
  });

  it('notifies no one if it was withdrawn while being sent', async () => {
    const smtpReply = Promise.withResolvers<void>();
    mailbox.beforeAccept(() => smtpReply.promise.then(() => Promise.reject(Object.assign(new Error('5.1.1 no'), { responseCode: 550 }))));
    const { member } = await staffApi().invite(buildMember());
    await expect.poll(async () => (await countLockedJobs()) > 0, { timeout: 20_000 }).toBe(true);
    await staffApi().withdrawInvitation({ id: member.id });
    smtpReply.resolve();
    await waitForQueue(test);
    expect(await staffApi().get({ id: member.id })).toMatchObject({ status: 'uninvited', delivery: null, delivery_problem: null });
    expect(await listNotifications()).toEqual([]);
  });

  it.each([
    ['withdrawn', async ({ id }: StaffMember) => void (await staffApi().withdrawInvitation({ id }))],
    [
      'sent to a corrected email',
      async ({ id, version, name }: StaffMember) =>
        void (await staffApi().update({
          id,
          version,
          name,
          email: buildTestEmail(),
          phone: '1',
          hourly_rate: '1',
          role: 'staff',
          color_id: null,
        })),
    ],
  ])('is not retried if it was %s during a failed attempt', async (_, endLink) => {
    const smtpReply = Promise.withResolvers<void>();
    const { email } = buildMember();
    let attempts = 0;
    mailbox.beforeAccept(async ({ to }) => {
      if (!to.includes(email)) return;
      attempts += 1;
      await smtpReply.promise;
      if (attempts === 1) throw Object.assign(new Error('4.3.1 busy'), { responseCode: 452 });
    });
    const { member } = await staffApi().invite(buildMember({ email }));
    await expect.poll(() => attempts, { timeout: 20_000 }).toBe(1);
    await endLink(member);
    smtpReply.resolve();
    const countFailedOnce = async () =>
      (await test.owner.query('select from outbox_mails where recipient = $1 and attempts = 1', [email])).rowCount;
    await expect.poll(countFailedOnce, { timeout: 20_000 }).toBe(1);
    await retryFailedWorkNow(test);
    await waitForQueue(test);
    expect(mailbox.listMailsTo(email)).toEqual([]);
    expect((await test.owner.query('select from outbox_mails where recipient = $1', [email])).rowCount).toBe(0);
  });

  it('is marked as not sent without a mail server', async () => {
    const appWithoutMail = await startTestApp();
    const { people } = await createFirm(appWithoutMail);
    const { member } = await people.admin.client.staff.invite(buildMember());
    await expect.poll(async () => (await people.admin.client.staff.get({ id: member.id })).delivery, { timeout: 20_000 }).toBe('not-sent');
  });

  it('uses the inviter as Reply-To, and their name cannot inject headers', async () => {
    await withOwnerClient(test.database, (owner) =>
      owner.query('update staff_members set name = $2 where profile_id = $1', [firm.people.admin.userId, 'Mia "Boss" Chen\r\nBcc: thief']),
    );
    const { member } = await staffApi().invite(buildMember());
    const mail = await mailbox.waitForMail(member.email);
    expect(mail.to).toEqual([member.email]);
    expect(mail.headers.filter((line) => /^bcc:/i.test(line))).toEqual([]);
    expect(mail.headers.find((line) => /^reply-to:/i.test(line))).toMatch(
      new RegExp(`^Reply-To: =\\?UTF-8\\?Q\\?Mia_.*\\s+<${firm.people.admin.email}>$`),
    );
  });

  it('shows the company’s logo if there is one', async () => {
    const plain = await staffApi().invite(buildMember());
    expect((await mailbox.waitForMail(plain.member.email)).html).not.toContain('<img');
    const logo = '/api/images/018f0000-0000-7000-8000-000000000021';
    await withOwnerClient(test.database, (owner) =>
      owner.query('update companies set avatar_url = $2 where company_id = $1', [firm.companyId, logo]),
    );
    const { member } = await staffApi().invite(buildMember());
    const mail = await mailbox.waitForMail(member.email);
    expect(mail.html).toContain(`<img src="https://work.example.com${logo}"`);
    expect(mail.html).toContain('<meta name="viewport" content="width=device-width,initial-scale=1">');
  });
});

async function readMailId(staffId: string): Promise<string> {
  const { rows } = await test.app.platform.pools.system.query<{ mail_id: string }>('select mail_id from invitations where staff_id = $1', [
    staffId,
  ]);
  return rows[0]?.mail_id ?? '';
}

async function countLockedJobs(): Promise<number> {
  const { rowCount } = await test.owner.query('select from graphile_worker.jobs where locked_at is not null');
  return rowCount ?? 0;
}
