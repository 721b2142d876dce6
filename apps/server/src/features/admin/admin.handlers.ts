import { inTransaction } from '../../platform/db/transaction.ts';
import { failure } from '../../platform/errors/failures.ts';
import { calls, requireUser } from '../../platform/http/calls.ts';
import { reportMail } from '../../platform/mail/outbox.sql.ts';
import { sendMail } from '../../platform/mail/send-mail.ts';
import { listMails, markWaiting, requireSendable } from './outbox-mails.sql.ts';
import { readQueueHealth } from './queue-health.sql.ts';
import { listCompanies } from './registered-companies.sql.ts';
import { removeCompany } from './remove-company.ts';

export const adminHandlers = {
  companies: calls.admin.companies.handler(({ context, input }) => listCompanies(context.platform.pools.system, input.cursor)),

  removeCompany: calls.admin.removeCompany.handler(
    requireUser(async ({ context, input }) => {
      if (input.id === context.actor.member?.companyId) throw failure('FORBIDDEN', 'You cannot delete the company you work for');
      await removeCompany(context.platform, input.id, input.confirmation);
      return {};
    }),
  ),

  mails: calls.admin.mails.handler(({ context, input }) => listMails(context.platform.pools.system, input)),

  sendMailAgain: calls.admin.sendMailAgain.handler(async ({ context, input: { id, attempts } }) => {
    await inTransaction(context.platform.pools.system, async (client) => {
      await requireSendable(client, id, attempts);
      const mail = await markWaiting(client, id, attempts);
      // Repeated clicks send it once.
      if (!mail) return;
      await sendMail.later(client, { id }, `send-mail ${id}`);
      await reportMail(client, mail);
    });
    return {};
  }),

  queue: calls.admin.queue.handler(async ({ context }) => {
    const { pools, config } = context.platform;
    return { ...(await readQueueHealth(pools.system)), sends_mail: config.smtpUrl !== undefined };
  }),
};
