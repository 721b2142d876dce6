import type { MailLimits, ManualMailLimits } from '../../platform/limits/mail-limits.ts';

const HOUR_SECONDS = 60 * 60;
const DAY_SECONDS = 24 * HOUR_SECONDS;

export const QUOTE_MAIL_LIMITS: ManualMailLimits = {
  action: 'quote-mail',
  /** More than any company sends in an hour, but too few to be useful for spam. */
  company: { attempts: 100, seconds: HOUR_SECONDS },
  network: { attempts: 300, seconds: DAY_SECONDS },
  /** Enough for a property manager with many jobs. Only people with a confirmed email address can send quotes. */
  companyToRecipient: { attempts: 200, seconds: DAY_SECONDS },
  recipient: { attempts: 400, seconds: DAY_SECONDS },
  recipientLimitMessage: 'This customer has been sent many emails today. Please try again tomorrow.',
};

/** Automatic reminders have their own limits, so they never use up the limits for emails sent by hand. */
export const QUOTE_REMINDER_LIMITS: MailLimits = {
  action: 'quote-reminder',
  company: { attempts: 300, seconds: DAY_SECONDS },
  companyToRecipient: { attempts: 5, seconds: DAY_SECONDS },
};
