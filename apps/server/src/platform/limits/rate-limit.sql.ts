import { createHash } from 'node:crypto';
import type pg from 'pg';
import { WITHOUT_STANDBY } from './without-standby.ts';

export interface RateLimit {
  readonly attempts: number;
  readonly seconds: number;
}

/** Long enough for a network and an email address. PostgreSQL can't index keys of several thousand characters. */
const MAX_KEY_LENGTH = 400;

/** Hashes a key that is too long to index. Other keys stay readable, so that a deleted company's attempts can be found. */
export function toBoundedKey(key: string): string {
  return key.length <= MAX_KEY_LENGTH ? key : createHash('sha256').update(key).digest('base64url');
}

/** True if the window has ended, or ends so late that the clock must have been set back. The minute allows for concurrent statements. */
const IS_WINDOW_OVER = `(r.window_ends_at <= now() or r.window_ends_at > excluded.window_ends_at + interval '1 minute')`;

export interface AttemptCount {
  /** Number of attempts in the current window, including this one. */
  readonly attempts: number;
  /** Seconds to wait if the limit is exceeded, otherwise null. */
  readonly waitSeconds: number | null;
}

/**
 * Builds the statement that counts one attempt. `row` selects the key and the window's length in seconds. Reads count attempts, too, so the
 * commit doesn't wait for a second database server. Don't run it in a transaction, which then wouldn't wait either.
 */
export const buildCountAttemptSql = (row: string) => `insert into rate_limits as r (key, attempts, window_ends_at)
  select counted.key, 1, now() + make_interval(secs => counted.seconds) from (${row}) counted where ${WITHOUT_STANDBY}
  on conflict (key) do update set
    attempts = case when ${IS_WINDOW_OVER} then 1 else r.attempts + 1 end,
    window_ends_at = case when ${IS_WINDOW_OVER} then excluded.window_ends_at else r.window_ends_at end
  returning attempts, ceil(extract(epoch from window_ends_at - now()))::int as wait`;

const COUNT_ATTEMPT = { name: 'count-attempt', text: buildCountAttemptSql('select $1 as key, $2::integer as seconds') };

/** Counts one attempt under a key, across all server processes. */
export async function countAttempt(pool: pg.Pool, key: string, limit: RateLimit): Promise<AttemptCount> {
  const { rows } = await pool.query<CountedAttempt>({ ...COUNT_ATTEMPT, values: [toBoundedKey(key), limit.seconds] });
  return toAttemptCount(rows[0], limit);
}

export interface CountedAttempt {
  readonly attempts: number;
  readonly wait: number;
}

export function toAttemptCount({ attempts, wait }: CountedAttempt = { attempts: 1, wait: 0 }, limit: RateLimit): AttemptCount {
  return { attempts, waitSeconds: attempts > limit.attempts ? Math.max(1, wait) : null };
}

export async function deleteAttempts(pool: pg.Pool, key: string): Promise<void> {
  await pool.query('delete from rate_limits where key = $1', [toBoundedKey(key)]);
}

/** Takes back an attempt that should not have counted. */
export async function refundAttempt(pool: pg.Pool, key: string): Promise<void> {
  await pool.query('update rate_limits set attempts = attempts - 1 where key = $1 and attempts > 0', [toBoundedKey(key)]);
}

export async function purgeOldAttempts(pool: pg.Pool): Promise<void> {
  await pool.query('delete from rate_limits where window_ends_at < now()');
}
