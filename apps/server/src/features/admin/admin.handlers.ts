import { runInTransaction } from '../../platform/db/transaction.ts';
import { createFailure } from '../../platform/errors/failures.ts';
import { calls, requireMember, requireUser } from '../../platform/http/calls.ts';
import { queueMailReport } from '../../platform/mail/outbox.sql.ts';
import { getMailOutcome, sendMailTask } from '../../platform/mail/send-mail.ts';
import { cancelCompanyDeletion, requestCompanyDeletion } from './close-company.ts';
import { listOutboxMails, requeueMail, requireResendableMail } from './outbox-mails.sql.ts';
import { readQueueHealth } from './queue-health.sql.ts';
import { listRegisteredCompanies } from './registered-companies.sql.ts';
import { removeCompany } from './remove-company.ts';

/** The deletion of a company by its own admin. */
export const companyDeletionHandlers = {
  requestDeletion: calls.company.requestDeletion.handler(async ({ input, context }) => {
    const deletes_at = await requestCompanyDeletion(requireMember(context), input.confirmation);
    return { deletes_at, mail: getMailOutcome(context.platform.config) };
  }),

  cancelDeletion: calls.company.cancelDeletion.handler(async ({ context }) => {
    await cancelCompanyDeletion(requireMember(context));
    return { mail: getMailOutcome(context.platform.config) };
  }),
};

export const adminHandlers = {
  companies: calls.admin.companies.handler(({ context, input }) => listRegisteredCompanies(context.platform.pools.system, input)),

  removeCompany: calls.admin.removeCompany.handler(
    requireUser(async ({ context, input }) => {
      if (input.id === context.actor.member?.companyId) throw createFailure('FORBIDDEN', "You can't delete the company you work for");
      await removeCompany(context.platform, input.id, input.confirmation);
      return {};
    }),
  ),

  mails: calls.admin.mails.handler(({ context, input }) => listOutboxMails(context.platform.pools.system, input)),

  sendMailAgain: calls.admin.sendMailAgain.handler(async ({ context, input: { id, attempts } }) => {
    await runInTransaction(context.platform.pools.system, async (client) => {
      await requireResendableMail(client, id, attempts);
      const mail = await requeueMail(client, id, attempts);
      // An earlier click has already sent the email or is sending it now, so don't queue it again.
      if (!mail) return;
      await sendMailTask.queue(client, { id }, `send-mail ${id}`);
      await queueMailReport(client, mail);
    });
    return {};
  }),

  queue: calls.admin.queue.handler(async ({ context }) => {
    const { pools, config } = context.platform;
    return { ...(await readQueueHealth(pools.system)), sends_mail: config.smtpUrl !== undefined };
  }),
};
