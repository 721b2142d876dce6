import type { StaffMember } from '@callout/contract/staff';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { uniqueEmail } from '../../../test/accounts.ts';
import { waitUntilBlocked, withOwner } from '../../../test/database.ts';
import { openStream } from '../../../test/event-stream.ts';
import { startAdministeredApp } from '../../../test/factories/administrator.ts';
import { newMember } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm, hire, type Person } from '../../../test/factories/people.ts';
import { type Mailbox, startMailbox } from '../../../test/mailbox.ts';
import { postponeWork, retryNow, waitForQueue } from '../../../test/queue.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { recordDelivery } from './send-invitation.ts';

let test: TestApp;
let mailbox: Mailbox;
let administrator: Person;
let firm: Firm;

beforeAll(async () => {
  mailbox = await startMailbox();
  ({ test, administrator } = await startAdministeredApp({ ...mailbox.environment, APP_URL: 'https://work.example.com' }));
  return () => mailbox.stop();
});

beforeEach(async () => {
  mailbox.beforeTaking(() => undefined);
  firm = await createFirm(test);
  await test.app.platform.pools.system.query('delete from rate_limits');
});

const staff = () => firm.people.admin.client.staff;
const deliveryOf = async (id: string) => {
  const { delivery, delivery_problem } = await staff().get({ id });
  return [delivery, delivery_problem];
};
const becomes = (id: string, ...state: [string, string | null]) => expect.poll(() => deliveryOf(id), { timeout: 20_000 }).toEqual(state);
const notificationsOf = async () => (await firm.people.admin.client.notifications.list()).rows;

/** The mail server answers every mail with this. */
function refuseMails(responseCode: number, message: string): void {
  mailbox.beforeTaking(() => {
    throw Object.assign(new Error(message), { responseCode });
  });
}

describe('the mail of an invitation', () => {
  it('is being sent, then delivered, and open pages are updated', async () => {
    const held = Promise.withResolvers<void>();
    mailbox.beforeTaking(() => held.promise);
    const { member } = await staff().invite(newMember());
    expect(member).toMatchObject({ delivery: 'sending', delivery_problem: null });
    const page = await openStream(test, firm.people.admin.cookie);
    held.resolve();
    await becomes(member.id, 'delivered', null);
    expect(await page.next()).toEqual({ event: 'change', data: { topics: ['staff'] } });
    expect(await notificationsOf()).toEqual([]);
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
  ])('that is refused with %i %s has failed, and its inviter is notified once', async (code, reply, problem) => {
    refuseMails(code, reply);
    const colleague = await hire(test, firm.companyId, 'admin');
    const { member } = await staff().invite(newMember({ name: 'Aroha' }));
    await becomes(member.id, 'failed', problem);
    await waitForQueue(test);
    const message = `Your invitation to Aroha couldn't be delivered. ${problem}`;
    expect(await notificationsOf()).toMatchObject([{ message, type: 'error', data: { staff_id: member.id } }]);
    expect((await colleague.client.notifications.list()).rows).toEqual([]);
    const mail_id = await mailIdOf(member.id);
    await test.app.platform.pools.system.query(`update outbox_mails set problem = 'Another reason.' where id = $1`, [mail_id]);
    await recordDelivery(test.app.platform, { mail_id, company_id: firm.companyId });
    expect(await deliveryOf(member.id)).toEqual(['failed', 'Another reason.']);
    expect(await notificationsOf()).toHaveLength(1);
  });

  it('shows the latest delivery status, even if the mail was sent while a report waited for a change to the staff', async () => {
    const { member } = await staff().invite(newMember());
    await waitForQueue(test);
    const mail_id = await mailIdOf(member.id);
    const { system } = test.app.platform.pools;
    await system.query(`update invitations set delivery = 'sending' where mail_id = $1`, [mail_id]);
    await system.query(`update outbox_mails set status = 'waiting' where id = $1`, [mail_id]);
    await withOwner(test.database, async (owner) => {
      await owner.query('begin');
      await owner.query('select from companies where company_id = $1 for update', [firm.companyId]);
      const report = recordDelivery(test.app.platform, { mail_id, company_id: firm.companyId });
      await waitUntilBlocked(test.database);
      await system.query(`update outbox_mails set status = 'sent' where id = $1`, [mail_id]);
      await owner.query('commit');
      await report;
    });
    expect(await deliveryOf(member.id)).toEqual(['delivered', null]);
  });

  it('is being sent again as soon as the administrator sends it again', async () => {
    refuseMails(550, '5.1.1 no such user');
    const { member } = await staff().invite(newMember());
    await becomes(member.id, 'failed', 'This email address does not exist. Please check it for typos.');
    const held = Promise.withResolvers<void>();
    mailbox.beforeTaking(async () => {
      await held.promise;
      throw Object.assign(new Error('4.3.1 busy'), { responseCode: 452 });
    });
    await administrator.client.admin.sendMailAgain({ id: await mailIdOf(member.id), attempts: 1 });
    await becomes(member.id, 'sending', null);
    held.resolve();
    await becomes(member.id, 'sending', 'Their mail server is not accepting mail right now.');
    await postponeWork(test);
    expect(await notificationsOf()).toHaveLength(1);
  });

  it('that will be retried says why it is not delivered yet, and notifies nobody', async () => {
    refuseMails(452, '4.3.1 busy');
    const { member } = await staff().invite(newMember());
    await becomes(member.id, 'sending', 'Their mail server is not accepting mail right now.');
    await postponeWork(test);
    expect(await notificationsOf()).toEqual([]);
  });

  it('that failed is delivered when it is sent again', async () => {
    refuseMails(550, '5.1.1 no such user');
    const { member } = await staff().invite(newMember());
    await becomes(member.id, 'failed', 'This email address does not exist. Please check it for typos.');
    mailbox.beforeTaking(() => undefined);
    expect((await staff().resendInvitation({ id: member.id })).member).toMatchObject({ delivery: 'sending', delivery_problem: null });
    await becomes(member.id, 'delivered', null);
  });

  it('that was withdrawn while it was being sent notifies nobody', async () => {
    const held = Promise.withResolvers<void>();
    mailbox.beforeTaking(() => held.promise.then(() => Promise.reject(Object.assign(new Error('5.1.1 no'), { responseCode: 550 }))));
    const { member } = await staff().invite(newMember());
    await expect.poll(async () => (await lockedJobs()) > 0, { timeout: 20_000 }).toBe(true);
    await staff().withdrawInvitation({ id: member.id });
    held.resolve();
    await waitForQueue(test);
    expect(await staff().get({ id: member.id })).toMatchObject({ status: 'uninvited', delivery: null, delivery_problem: null });
    expect(await notificationsOf()).toEqual([]);
  });

  it.each([
    ['withdrawn', async ({ id }: StaffMember) => void (await staff().withdrawInvitation({ id }))],
    [
      'sent to a corrected email',
      async ({ id, version, name }: StaffMember) =>
        void (await staff().update({
          id,
          version,
          name,
          email: uniqueEmail(),
          phone: '1',
          hourly_rate: '1',
          role: 'staff',
          color_id: null,
        })),
    ],
  ])('that was %s during an attempt that failed is not tried again', async (_, end) => {
    const held = Promise.withResolvers<void>();
    const { email } = newMember();
    let attempts = 0;
    mailbox.beforeTaking(async ({ to }) => {
      if (!to.includes(email)) return;
      attempts += 1;
      await held.promise;
      if (attempts === 1) throw Object.assign(new Error('4.3.1 busy'), { responseCode: 452 });
    });
    const { member } = await staff().invite(newMember({ email }));
    await expect.poll(() => attempts, { timeout: 20_000 }).toBe(1);
    await end(member);
    held.resolve();
    const isWaiting = async () =>
      (await test.owner.query('select from outbox_mails where recipient = $1 and attempts = 1', [email])).rowCount;
    await expect.poll(isWaiting, { timeout: 20_000 }).toBe(1);
    await retryNow(test);
    await waitForQueue(test);
    expect(mailbox.mailsTo(email)).toEqual([]);
    expect((await test.owner.query('select from outbox_mails where recipient = $1', [email])).rowCount).toBe(0);
  });

  it('is marked as not sent without a mail server', async () => {
    const quiet = await startTestApp();
    const { people } = await createFirm(quiet);
    const { member } = await people.admin.client.staff.invite(newMember());
    await expect.poll(async () => (await people.admin.client.staff.get({ id: member.id })).delivery, { timeout: 20_000 }).toBe('not-sent');
  });

  it('has its inviter as Reply-To, whose name adds no header', async () => {
    await withOwner(test.database, (owner) =>
      owner.query('update staff_members set name = $2 where profile_id = $1', [firm.people.admin.userId, 'Mia "Boss" Chen\r\nBcc: thief']),
    );
    const { member } = await staff().invite(newMember());
    const mail = await mailbox.mailTo(member.email);
    expect(mail.to).toEqual([member.email]);
    expect(mail.headers.filter((line) => /^bcc:/i.test(line))).toEqual([]);
    expect(mail.headers.find((line) => /^reply-to:/i.test(line))).toMatch(
      new RegExp(`^Reply-To: =\\?UTF-8\\?Q\\?Mia_.*\\s+<${firm.people.admin.email}>$`),
    );
  });

  it('shows the logo of the company, and none without one', async () => {
    const plain = await staff().invite(newMember());
    expect((await mailbox.mailTo(plain.member.email)).html).not.toContain('<img');
    const logo = '/api/images/018f0000-0000-7000-8000-000000000021';
    await withOwner(test.database, (owner) =>
      owner.query('update companies set avatar_url = $2 where company_id = $1', [firm.companyId, logo]),
    );
    const { member } = await staff().invite(newMember());
    const mail = await mailbox.mailTo(member.email);
    expect(mail.html).toContain(`<img src="https://work.example.com${logo}"`);
    expect(mail.html).toContain('<meta name="viewport" content="width=device-width,initial-scale=1">');
  });
});

async function mailIdOf(staffId: string): Promise<string> {
  const { rows } = await test.app.platform.pools.system.query<{ mail_id: string }>('select mail_id from invitations where staff_id = $1', [
    staffId,
  ]);
  return rows[0]?.mail_id ?? '';
}

async function lockedJobs(): Promise<number> {
  const { rowCount } = await test.owner.query('select from graphile_worker.jobs where locked_at is not null');
  return rowCount ?? 0;
}
