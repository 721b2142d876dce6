import { isIPv6 } from 'node:net';
import { formatWait } from '@callout/domain/time/wait';
import type pg from 'pg';
import { failure } from '../errors/failures.ts';
import { countAttempt, type Limit } from './rate-limit.sql.ts';

/** Limit for public calls, per network and call. */
const PUBLIC_CALL: Limit = { attempts: 120, seconds: 60 };

export async function limitPublicCall(pool: pg.Pool, ip: string, call: string): Promise<void> {
  await limitAttempts(pool, `call ${call} ${network(ip)}`, PUBLIC_CALL);
}

/**
 * The same for a public page's call, where a whole mobile network can have one address: each link has a limit of its own, and only guesses
 * share one.
 */
export async function limitLinkCall(pool: pg.Pool, ip: string, call: string, link: { recordId: string; limit: Limit | undefined } | null) {
  await limitAttempts(pool, `call ${call} ${network(ip)} ${link?.recordId ?? 'unknown'}`, link?.limit ?? PUBLIC_CALL);
}

/** Throws TOO_MANY_ATTEMPTS with the seconds to wait. Returns the number of attempts so far, including this one. */
export async function limitAttempts(pool: pg.Pool, key: string, limit: Limit, message?: string): Promise<number> {
  const { attempts, wait } = await countAttempt(pool, key, limit);
  if (wait !== null) throw tooManyAttempts(wait, message);
  return attempts;
}

/** The page words the wait itself where it shows it in a form of its own. */
export function tooManyAttempts(seconds: number, message = `Too many attempts. Please try again in ${formatWait(seconds)}.`) {
  return failure('TOO_MANY_ATTEMPTS', message, { retry_after: seconds });
}

/** One household or phone owns a whole /64 of IPv6 addresses: count it as one. */
export const network = (ip: string) => prefixOf(ip, 4);

/** A rented server owns a /48, which is 65,536 of those: used to limit what one attacker can do to one account. */
export const site = (ip: string) => prefixOf(ip, 3);

function prefixOf(ip: string, groupCount: number): string {
  const [address = ''] = ip.split('%', 1);
  if (!isIPv6(address)) return ip;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  const [head = [], tail] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = tail ? Array.from({ length: 8 - head.length - tail.length }, () => '0') : [];
  const groups = [...head, ...zeros, ...(tail ?? [])].slice(0, groupCount);
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':');
}
