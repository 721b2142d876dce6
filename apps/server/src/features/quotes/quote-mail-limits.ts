import type pg from 'pg';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import type { CallContext, GuardedContext, MemberContext } from '../../platform/http/call-context.ts';
import { tenantMutation } from '../../platform/http/calls.ts';
import { countAttempt, type Limit } from '../../platform/limits/rate-limit.sql.ts';
import { limitAttempts, network } from '../../platform/limits/rate-limit.ts';
import { hashMailbox } from '../staff/invitation-limits.ts';

const HOUR = 60 * 60;
const DAY = 24 * HOUR;

/** More than any firm quotes in an hour, but too few for spam. */
const BY_COMPANY: Limit = { attempts: 100, seconds: HOUR };
/** Across all companies that one sender creates. */
const BY_NETWORK: Limit = { attempts: 300, seconds: DAY };
/** From one company to one customer: several quotes, each changed a few times. */
const BY_COMPANY_TO_RECIPIENT: Limit = { attempts: 20, seconds: DAY };
/** From all companies to one customer, not counting each company's first mail, so that nobody can block another company's quote. */
const TO_RECIPIENT: Limit = { attempts: 40, seconds: DAY };

/** Reminders, which need no hand: a quote that is only marked as sent gets one too. They are counted apart, so that they leave people theirs. */
const REMINDERS: Limit = { attempts: 300, seconds: DAY };
const REMINDERS_TO_RECIPIENT: Limit = { attempts: 5, seconds: DAY };

const TOO_MANY_EMAILS = 'This customer has been sent many emails today. Please try again tomorrow.';

/** The limits of one command, which is counted once even if its transaction is retried. */
export interface QuoteMailLimits {
  limitMailsTo(companyId: string, recipient: string): Promise<void>;
}

function createQuoteMailLimits({ platform, ip }: CallContext): QuoteMailLimits {
  const { system } = platform.pools;
  let isCounted = false;
  return {
    async limitMailsTo(companyId, recipient) {
      if (isCounted) return;
      const mailbox = hashMailbox(recipient);
      const ofCompany = await limitAttempts(system, `quote-mail ${companyId} ${mailbox}`, BY_COMPANY_TO_RECIPIENT, TOO_MANY_EMAILS);
      if (ofCompany === 1) await countAttempt(system, `quote-mail-to ${mailbox}`, TO_RECIPIENT);
      else await limitAttempts(system, `quote-mail-to ${mailbox}`, TO_RECIPIENT, TOO_MANY_EMAILS);
      await limitAttempts(system, `quote-mail ${companyId}`, BY_COMPANY);
      await limitAttempts(system, `quote-mail-from ${network(ip)}`, BY_NETWORK);
      isCounted = true;
    },
  };
}

/** False when the company, or this customer of it, has had enough reminders today: the next runs try again. */
export async function takeReminder(pool: pg.Pool, companyId: string, recipient: string): Promise<boolean> {
  const toRecipient = await countAttempt(pool, `quote-reminder ${companyId} ${hashMailbox(recipient)}`, REMINDERS_TO_RECIPIENT);
  return toRecipient.wait === null && (await countAttempt(pool, `quote-reminder ${companyId}`, REMINDERS)).wait === null;
}

export interface MailingContext extends MemberContext {
  readonly limits: QuoteMailLimits;
}

/** A handler that mails a customer. */
export function mailingMutation<Options extends { context: GuardedContext }, Result>(
  work: (scope: TenantScope, options: Options & { context: MailingContext }) => Promise<Result>,
): (options: Options) => Promise<Result> {
  return (options) => {
    const limits = createQuoteMailLimits(options.context);
    const mutate = tenantMutation<Options, Result>((scope, member) => work(scope, { ...member, context: { ...member.context, limits } }));
    return mutate(options);
  };
}
