import type { MailLimits, SentMailLimits } from '../../platform/limits/mail-limits.ts';

const HOUR = 60 * 60;
const DAY = 24 * HOUR;

export const INVOICE_MAILS: SentMailLimits = {
  action: 'invoice-mail',
  /** A firm that bills once a month sends all of them in one evening. */
  company: { attempts: 200, seconds: HOUR },
  network: { attempts: 500, seconds: DAY },
  /** A customer with many jobs, billed at once. */
  companyToRecipient: { attempts: 30, seconds: DAY },
  recipient: { attempts: 60, seconds: DAY },
  tooManyToRecipient: 'This customer has been sent many emails today. Please try again tomorrow.',
};

/** Counted apart, so that reminders leave people their own mails. */
export const INVOICE_REMINDERS: MailLimits = {
  action: 'invoice-reminder',
  company: { attempts: 300, seconds: DAY },
  companyToRecipient: { attempts: 5, seconds: DAY },
};
