import type { MailLimits, ManualMailLimits } from '../../platform/limits/mail-limits.ts';

const HOUR_SECONDS = 60 * 60;
const DAY_SECONDS = 24 * HOUR_SECONDS;

export const INVOICE_MAIL_LIMITS: ManualMailLimits = {
  action: 'invoice-mail',
  /** Enough for a company that sends all of a month's invoices in one evening. */
  company: { attempts: 200, seconds: HOUR_SECONDS },
  network: { attempts: 500, seconds: DAY_SECONDS },
  /** Enough for a property manager who is billed for every job. Only people with a confirmed email address can send invoices. */
  companyToRecipient: { attempts: 200, seconds: DAY_SECONDS },
  recipient: { attempts: 400, seconds: DAY_SECONDS },
  recipientLimitMessage: 'This customer has been sent many emails today. Please try again tomorrow.',
};

/** Automatic reminders have their own limits, so they never use up the limits for emails sent by hand. */
export const INVOICE_REMINDER_LIMITS: MailLimits = {
  action: 'invoice-reminder',
  company: { attempts: 300, seconds: DAY_SECONDS },
  companyToRecipient: { attempts: 5, seconds: DAY_SECONDS },
};
