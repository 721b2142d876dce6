import { isIPv6 } from 'node:net';
import type { RetryAfter } from '@callout/contract/errors';
import { formatWaitTime } from '@callout/domain/time/wait-time';
import type pg from 'pg';
import { createFailure } from '../errors/failures.ts';
import { countAttempt, type RateLimit } from './rate-limit.sql.ts';

/** The limit for public calls, per network and call. */
export const PUBLIC_CALL_LIMIT: RateLimit = { attempts: 120, seconds: 60 };

export async function enforcePublicCallLimit(pool: pg.Pool, ip: string, call: string): Promise<void> {
  await enforceRateLimit(pool, `call ${call} ${getNetworkPrefix(ip)}`, PUBLIC_CALL_LIMIT);
}

/** Counts an attempt and returns the number so far. Throws TOO_MANY_ATTEMPTS with the seconds to wait if the limit is exceeded. */
export async function enforceRateLimit(pool: pg.Pool, key: string, limit: RateLimit, message?: string): Promise<number> {
  const { attempts, waitSeconds } = await countAttempt(pool, key, limit);
  if (waitSeconds !== null) throw createRateLimitFailure(waitSeconds, message);
  return attempts;
}

/** Creates the failure for an exceeded limit. A page with its own text shows `retry_after` (seconds) instead of the message. */
export function createRateLimitFailure(
  seconds: number,
  message = `Too many attempts. Please try again in ${formatWaitTime(seconds)}.`,
  data?: Omit<RetryAfter, 'retry_after'>,
) {
  return createFailure('TOO_MANY_ATTEMPTS', message, { retry_after: seconds, ...data } satisfies RetryAfter);
}

/** Returns the network that an IP address counts as. For IPv6, that is its /64, because a household or phone owns all of it. */
export const getNetworkPrefix = (ip: string) => getIpPrefix(ip, 4);

/** Like `getNetworkPrefix`, but returns the /48 of an IPv6 address, all of which a rented server may own. For limits on one account. */
export const getSitePrefix = (ip: string) => getIpPrefix(ip, 3);

function getIpPrefix(ip: string, groupCount: number): string {
  const [address = ''] = ip.split('%', 1);
  if (!isIPv6(address)) return ip;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  const [head = [], tail] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = tail ? Array.from({ length: 8 - head.length - tail.length }, () => '0') : [];
  const groups = [...head, ...zeros, ...(tail ?? [])].slice(0, groupCount);
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':');
}
