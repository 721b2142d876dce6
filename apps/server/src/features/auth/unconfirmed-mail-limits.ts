import type { CallContext } from '../../platform/http/call-context.ts';
import { hashMailbox, isMailboxAddress } from '../../platform/limits/mail-limits.ts';
import { countAttempt, type RateLimit } from '../../platform/limits/rate-limit.sql.ts';
import { enforceRateLimit, getNetworkPrefix } from '../../platform/limits/rate-limit.ts';

const LIMIT_PER_NETWORK: RateLimit = { attempts: 30, seconds: 60 * 60 };
const LIMIT_PER_MAILBOX: RateLimit = { attempts: 6, seconds: 24 * 60 * 60 };

const FIRST_OF_DAY: RateLimit = { attempts: 1, seconds: 24 * 60 * 60 };

type MailSender = Pick<CallContext, 'platform' | 'ip'>;

/**
 * Counts an account email to an address that no one has confirmed, which may be a stranger's. All kinds of such emails share these limits,
 * so that someone with many accounts can't flood a mailbox. Each day, the first email with a `firstMailKey` passes even if others have used
 * up the mailbox's limit.
 */
export async function enforceUnconfirmedMailLimits({ platform, ip }: MailSender, recipient: string, firstMailKey?: string): Promise<void> {
  const { system } = platform.pools;
  await enforceRateLimit(system, `unconfirmed-mail from ${getNetworkPrefix(ip)}`, LIMIT_PER_NETWORK);
  const mailboxKey = `unconfirmed-mail to ${hashMailbox(recipient)}`;
  if (firstMailKey !== undefined) {
    const { waitSeconds } = await countAttempt(system, `unconfirmed-mail ${firstMailKey}`, FIRST_OF_DAY);
    if (waitSeconds === null) return void (await countAttempt(system, mailboxKey, LIMIT_PER_MAILBOX));
  }
  await enforceRateLimit(system, mailboxKey, LIMIT_PER_MAILBOX);
}

/**
 * Returns the key for a first email that people send to their own address. It names the mailbox, not the account: the account may be moved
 * to another address and its old one signed up again. Addresses with a '+' tag have no key, because a mailbox has any number of them.
 */
export const getFirstMailKey = (kind: 'confirmation' | 'password-change', email: string): string | undefined =>
  isMailboxAddress(email) ? `${kind} ${hashMailbox(email)}` : undefined;

/** Like `enforceUnconfirmedMailLimits`, but returns false if a limit is reached: what the email is about happens without it. */
export async function countUnconfirmedMail({ platform, ip }: MailSender, recipient: string): Promise<boolean> {
  const { system } = platform.pools;
  const fromNetwork = await countAttempt(system, `unconfirmed-mail from ${getNetworkPrefix(ip)}`, LIMIT_PER_NETWORK);
  if (fromNetwork.waitSeconds !== null) return false;
  return (await countAttempt(system, `unconfirmed-mail to ${hashMailbox(recipient)}`, LIMIT_PER_MAILBOX)).waitSeconds === null;
}
