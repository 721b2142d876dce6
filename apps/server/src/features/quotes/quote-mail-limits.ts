import type { MailLimits, SentMailLimits } from '../../platform/limits/mail-limits.ts';

const HOUR = 60 * 60;
const DAY = 24 * HOUR;

export const QUOTE_MAILS: SentMailLimits = {
  action: 'quote-mail',
  /** More than any firm quotes in an hour, but too few for spam. */
  company: { attempts: 100, seconds: HOUR },
  network: { attempts: 300, seconds: DAY },
  /** Several quotes, each changed a few times. */
  companyToRecipient: { attempts: 20, seconds: DAY },
  recipient: { attempts: 40, seconds: DAY },
  tooManyToRecipient: 'This customer has been sent many emails today. Please try again tomorrow.',
};

/** Reminders, which need no hand: a quote that is only marked as sent gets one too. They are counted apart, so that they leave people theirs. */
export const QUOTE_REMINDERS: MailLimits = {
  action: 'quote-reminder',
  company: { attempts: 300, seconds: DAY },
  companyToRecipient: { attempts: 5, seconds: DAY },
};
