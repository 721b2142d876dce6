import { randomUUID } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { uniqueEmail } from '../../test/accounts.ts';
import { backUp, makeTarget, restore } from '../../test/backup.ts';
import { withOwner } from '../../test/database.ts';
import { newCustomer, newMember, newQuote } from '../../test/factories/inputs.ts';
import { createFirm } from '../../test/factories/people.ts';
import { startMailbox } from '../../test/mailbox.ts';
import { retryNow, waitForQueue } from '../../test/queue.ts';
import { startTestApp } from '../../test/test-app.ts';

it('sends no mail again that was waiting in the backup and has gone out since, and says so', async () => {
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
  mailbox.beforeTaking(() => {
    throw Object.assign(new Error('try later'), { responseCode: 451 });
  });
  const [email, invited] = [uniqueEmail(), uniqueEmail()];
  const { id: customer_id } = await customers.create(newCustomer({ email }));
  const quote = await quotes.create(newQuote({ customer_id }));
  await quotes.send({ id: quote.id, mail_id: randomUUID(), subject: 'Your quote', body: 'Here it is.' });
  const { member } = await staff.invite(newMember({ email: invited }));
  const waiting = async () => (await test.owner.query(`select from outbox_mails where status = 'waiting' and attempts > 0`)).rowCount;
  await expect.poll(waiting, { timeout: 20_000 }).toBe(2);
  const { archive } = await backUp(test);

  mailbox.beforeTaking(() => undefined);
  await retryNow(test);
  for (const recipient of [email, invited]) await mailbox.mailTo(recipient);
  await waitForQueue(test);
  expect((await company.me()).profile?.company_id).toBe(companyId);
  await test.app.close();

  const target = await makeTarget();
  const said = await restore(archive, target);
  expect(said).toMatch(
    / 2 mails that were waiting are kept in the outbox and not sent, because they may have been sent since the backup\.$/,
  );
  const restored = await startTestApp(mailbox.environment, { database: target.database });
  await retryNow(restored);
  await waitForQueue(restored);
  for (const recipient of [email, invited]) expect(mailbox.mailsTo(recipient)).toHaveLength(1);

  const problem = 'Restored from a backup: it may have been sent before.';
  await withOwner(target.database, async (client) => {
    const { rows } = await client.query('select status, problem, last_error from outbox_mails');
    expect(rows).toEqual([problem, problem].map(() => ({ status: 'kept', problem, last_error: problem })));
    const ofQuote = await client.query('select status, problem from quote_mails where quote_id = $1', [quote.id]);
    expect(ofQuote.rows).toEqual([{ status: 'kept', problem }]);
    const ofMember = await client.query('select delivery, delivery_problem from invitations where staff_id = $1', [member.id]);
    expect(ofMember.rows).toEqual([{ delivery: 'not-sent', delivery_problem: problem }]);
    const reminding = await client.query(
      `select least(quote_reminders_since, invoice_reminders_since) > now() - interval '5 minutes' as fresh from companies`,
    );
    expect(reminding.rows).toEqual([{ fresh: true }]);
  });
});
