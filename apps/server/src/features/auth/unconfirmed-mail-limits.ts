import type { CallContext } from '../../platform/http/call-context.ts';
import { hashMailbox, isMailboxAddress } from '../../platform/limits/mail-limits.ts';
import { countAttempt, type RateLimit } from '../../platform/limits/rate-limit.sql.ts';
import { enforceRateLimit, getNetworkPrefix } from '../../platform/limits/rate-limit.ts';

const LIMIT_PER_NETWORK: RateLimit = { attempts: 30, seconds: 60 * 60 };
const LIMIT_PER_MAILBOX: RateLimit = { attempts: 6, seconds: 24 * 60 * 60 };

/**
 * Counts an account email to an address that no one has confirmed, which may be a stranger's. All kinds of such emails share these limits,
 * so that someone with many accounts can't flood a mailbox. An account's first email of a kind to its own address passes even if others have
 * used up the mailbox's limit, unless the address has a '+' tag: a mailbox has any number of tags, but only one account without one.
 */
export async function enforceUnconfirmedMailLimits(
  { platform, ip }: Pick<CallContext, 'platform' | 'ip'>,
  recipient: string,
  isFirstToOwnAddress: boolean,
): Promise<void> {
  const { system } = platform.pools;
  await enforceRateLimit(system, `unconfirmed-mail from ${getNetworkPrefix(ip)}`, LIMIT_PER_NETWORK);
  const mailboxKey = `unconfirmed-mail to ${hashMailbox(recipient)}`;
  if (isFirstToOwnAddress && isMailboxAddress(recipient)) await countAttempt(system, mailboxKey, LIMIT_PER_MAILBOX);
  else await enforceRateLimit(system, mailboxKey, LIMIT_PER_MAILBOX);
}
