import type { ManualMailLimits } from '../../platform/limits/mail-limits.ts';

const HOUR_SECONDS = 60 * 60;
const DAY_SECONDS = 24 * HOUR_SECONDS;

export const INVITATION_LIMITS: ManualMailLimits = {
  action: 'invite',
  /** More than any company needs in an hour, but too few to be useful for spam. */
  company: { attempts: 50, seconds: HOUR_SECONDS },
  network: { attempts: 100, seconds: DAY_SECONDS },
  /** Enough for the first email and a few resends in case it gets lost. */
  companyToRecipient: { attempts: 4, seconds: DAY_SECONDS },
  recipient: { attempts: 6, seconds: DAY_SECONDS },
  recipientLimitMessage: 'This person has been sent several invitations today. Please try again tomorrow.',
};
