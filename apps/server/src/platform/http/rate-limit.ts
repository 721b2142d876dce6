import { isIPv6 } from 'node:net';
import { commonErrors } from '@callout/contract/errors';
import type { CallContext } from './call-context.ts';
import { failure } from './failures.ts';
import { countAttempt, type Limit } from './rate-limit.sql.ts';

/** Anybody may make a public call, but not without end: per address and call. */
const PUBLIC_CALL: Limit = { attempts: 120, seconds: 60 };

export function limitPublicCall(context: CallContext, call: string): Promise<void> {
  return limitAttempts(context, `call ${call} ${network(context.ip)}`, PUBLIC_CALL);
}

/** Refuses with TOO_MANY_ATTEMPTS and the seconds to wait. */
export async function limitAttempts(context: CallContext, key: string, limit: Limit): Promise<void> {
  const wait = await countAttempt(context.platform.pools.system, key, limit);
  if (wait !== null) throw failure('TOO_MANY_ATTEMPTS', commonErrors.TOO_MANY_ATTEMPTS.message, { retry_after: wait });
}

/** One household or phone owns a whole /64 of IPv6 addresses: count it as one. */
function network(ip: string): string {
  return isIPv6(ip) && !ip.startsWith('::ffff:') ? ip.split(':').slice(0, 4).join(':') : ip;
}
