import { randomUUID } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { buildTestEmail } from '../../test/accounts.ts';
import { createRestoreTarget, runBackup, runRestore } from '../../test/backup.ts';
import { withOwnerClient } from '../../test/database.ts';
import { buildCustomer, buildMember, buildQuote } from '../../test/factories/inputs.ts';
import { createFirm } from '../../test/factories/people.ts';
import { startMailbox } from '../../test/mailbox.ts';
import { retryFailedWorkNow, waitForQueue } from '../../test/queue.ts';
import { startTestApp } from '../../test/test-app.ts';

it('does not resend emails that were waiting in the backup, and reports their number', async () => {
  const mailbox = await startMailbox();
  onTestFinished(() => mailbox.stop());
  const test = await startTestApp(mailbox.environment);
  const { people, companyId } = await createFirm(test);
  const { customers, quotes, staff, company } = people.admin.client;
  await test.owner.query(
    `update companies set quote_reminder_days = 7, quote_reminders_since = now() - interval '1 year',
      invoice_reminder_days = 7, invoice_reminders_since = now() - interval '1 year' where company_id = $1`,
    [companyId],
  );
  mailbox.beforeAccept(() => {
    throw Object.assign(new Error('try later'), { responseCode: 451 });
  });
  const [email, invited] = [buildTestEmail(), buildTestEmail()];
  const { id: customer_id } = await customers.create(buildCustomer({ email }));
  const quote = await quotes.create(buildQuote({ customer_id }));
  await quotes.send({ id: quote.id, mail_id: randomUUID(), subject: 'Your quote', body: 'Here it is.' });
  const { member } = await staff.invite(buildMember({ email: invited }));
  const countWaiting = async () => (await test.owner.query(`select from outbox_mails where status = 'waiting' and attempts > 0`)).rowCount;
  await expect.poll(countWaiting, { timeout: 20_000 }).toBe(2);
  const { archive } = await runBackup(test);

  mailbox.beforeAccept(() => undefined);
  await retryFailedWorkNow(test);
  for (const recipient of [email, invited]) await mailbox.waitForMail(recipient);
  await waitForQueue(test);
  expect((await company.me()).profile?.company_id).toBe(companyId);
  await test.app.close();

  const target = await createRestoreTarget();
  const summary = await runRestore(archive, target);
  expect(summary).toMatch(/ 2 waiting emails were not sent, because they may have been sent after the backup\. Check the outbox\.$/);
  const restored = await startTestApp(mailbox.environment, { database: target.database });
  await retryFailedWorkNow(restored);
  await waitForQueue(restored);
  for (const recipient of [email, invited]) expect(mailbox.listMailsTo(recipient)).toHaveLength(1);

  const problem = 'Restored from a backup. It may already have been sent.';
  await withOwnerClient(target.database, async (client) => {
    const { rows } = await client.query('select status, problem, last_error from outbox_mails');
    expect(rows).toEqual([problem, problem].map(() => ({ status: 'kept', problem, last_error: problem })));
    const quoteMails = await client.query('select status, problem from quote_mails where quote_id = $1', [quote.id]);
    expect(quoteMails.rows).toEqual([{ status: 'kept', problem }]);
    const invitations = await client.query('select delivery, delivery_problem from invitations where staff_id = $1', [member.id]);
    expect(invitations.rows).toEqual([{ delivery: 'not-sent', delivery_problem: problem }]);
    const reminders = await client.query(
      `select least(quote_reminders_since, invoice_reminders_since) > now() - interval '5 minutes' as fresh from companies`,
    );
    expect(reminders.rows).toEqual([{ fresh: true }]);
  });
});
