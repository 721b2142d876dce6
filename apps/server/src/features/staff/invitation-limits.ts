import type { SentMailLimits } from '../../platform/limits/mail-limits.ts';

const HOUR = 60 * 60;
const DAY = 24 * HOUR;

export const INVITATIONS: SentMailLimits = {
  action: 'invite',
  /** More than any company hires in an hour, but too few for spam. */
  company: { attempts: 50, seconds: HOUR },
  network: { attempts: 100, seconds: DAY },
  /** The first mail, and a few more if it was lost. */
  companyToRecipient: { attempts: 4, seconds: DAY },
  recipient: { attempts: 6, seconds: DAY },
  tooManyToRecipient: 'This person has been sent several invitations today. Please try again tomorrow.',
};
