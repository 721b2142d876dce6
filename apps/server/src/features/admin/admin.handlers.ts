import { failure } from '../../platform/errors/failures.ts';
import { calls, requireUser } from '../../platform/http/calls.ts';
import { listMails } from './outbox-mails.sql.ts';
import { readQueueHealth } from './queue-health.sql.ts';
import { listCompanies } from './registered-companies.sql.ts';
import { removeCompany } from './remove-company.ts';
import { sendMailAgain } from './send-mail-again.ts';

export const adminHandlers = {
  companies: calls.admin.companies.handler(({ context, input }) => listCompanies(context.platform.pools.system, input.cursor)),

  removeCompany: calls.admin.removeCompany.handler(
    requireUser(async ({ context, input, errors }) => {
      // Another spelling of the same id.
      const id = input.id.toLowerCase();
      if (id === context.actor.member?.companyId) throw failure('FORBIDDEN', 'You cannot delete the company you work for');
      const removal = await removeCompany(context.platform, id, input.confirmation);
      if (removal === 'not found') throw errors.NOT_FOUND();
      if (removal === 'not confirmed') throw errors.NOT_CONFIRMED();
      return {};
    }),
  ),

  mails: calls.admin.mails.handler(({ context, input }) => listMails(context.platform.pools.system, input)),

  sendMailAgain: calls.admin.sendMailAgain.handler(async ({ context, input, errors }) => {
    const mail = await sendMailAgain(context.platform, input.id, input.attempts);
    if (mail === 'spent') throw errors.NOT_FOUND({ message: 'The link of this mail is no longer kept. Ask for a new one.' });
    if (!mail) throw errors.NOT_FOUND();
    return {};
  }),

  queue: calls.admin.queue.handler(async ({ context }) => {
    const { pools, config } = context.platform;
    return { ...(await readQueueHealth(pools.system)), sends_mail: config.smtpUrl !== undefined };
  }),
};
