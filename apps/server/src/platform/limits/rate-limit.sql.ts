import { createHash } from 'node:crypto';
import type pg from 'pg';

export interface Limit {
  readonly attempts: number;
  readonly seconds: number;
}

/** Enough for a network and an email. PostgreSQL cannot index keys of a few thousand characters. */
const MAX_KEY_LENGTH = 400;

/** Bounds a key built from user input. Keys within the limit stay readable, so that a deleted company's attempts can be found. */
export function boundedKey(key: string): string {
  return key.length <= MAX_KEY_LENGTH ? key : createHash('sha256').update(key).digest('base64url');
}

/** The window has ended, or starts so far in the future that the clock must have been set back. Concurrent statements differ by less than a minute. */
const IS_OVER = `(r.window_ends_at <= now() or r.window_ends_at > excluded.window_ends_at + interval '1 minute')`;

export interface CountedAttempt {
  /** Attempts under this key, including this one. */
  readonly attempts: number;
  /** Null while attempts are left, otherwise the seconds to wait. */
  readonly wait: number | null;
}

/** Counts one attempt under a key, across all server processes. */
export async function countAttempt(pool: pg.Pool, key: string, limit: Limit): Promise<CountedAttempt> {
  const { rows } = await pool.query<{ attempts: number; wait: number }>({
    name: 'count-attempt',
    text: `insert into rate_limits as r (key, attempts, window_ends_at) values ($1, 1, now() + make_interval(secs => $2))
      on conflict (key) do update set
        attempts = case when ${IS_OVER} then 1 else r.attempts + 1 end,
        window_ends_at = case when ${IS_OVER} then excluded.window_ends_at else r.window_ends_at end
      returning attempts, ceil(extract(epoch from window_ends_at - now()))::int as wait`,
    values: [boundedKey(key), limit.seconds],
  });
  const { attempts, wait } = rows[0] ?? { attempts: 1, wait: 0 };
  return { attempts, wait: attempts > limit.attempts ? Math.max(1, wait) : null };
}

export async function deleteAttempts(pool: pg.Pool, key: string): Promise<void> {
  await pool.query('delete from rate_limits where key = $1', [boundedKey(key)]);
}

/** Refunds one attempt that should not have counted. */
export async function refundAttempt(pool: pg.Pool, key: string): Promise<void> {
  await pool.query('update rate_limits set attempts = attempts - 1 where key = $1 and attempts > 0', [boundedKey(key)]);
}

export async function purgeOldAttempts(pool: pg.Pool): Promise<void> {
  await pool.query('delete from rate_limits where window_ends_at < now()');
}
