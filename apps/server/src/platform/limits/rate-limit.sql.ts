import { createHash } from 'node:crypto';
import type pg from 'pg';

export interface Limit {
  readonly attempts: number;
  readonly seconds: number;
}

/** More than a network and an email address need. An index refuses keys of a few thousand characters. */
const MAX_KEY_LENGTH = 400;

/** Of what somebody sends us, however much that is. Readable up to the longest, so that the attempts of a deleted company can be found. */
export function boundedKey(key: string): string {
  return key.length <= MAX_KEY_LENGTH ? key : createHash('sha256').update(key).digest('base64url');
}

/** Over, or so far ahead that the clock was set back since it began. Statements under way at the same time differ by less than a minute. */
const IS_OVER = `(r.window_ends_at <= now() or r.window_ends_at > excluded.window_ends_at + interval '1 minute')`;

export interface CountedAttempt {
  /** Under this key, with this one. */
  readonly attempts: number;
  /** Null while there are some left, else the seconds to wait. */
  readonly wait: number | null;
}

/** Counts one attempt under a key, in every server process alike. */
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

/** Takes one attempt back: it was none of those that the limit is for. */
export async function refundAttempt(pool: pg.Pool, key: string): Promise<void> {
  await pool.query('update rate_limits set attempts = attempts - 1 where key = $1 and attempts > 0', [boundedKey(key)]);
}

export async function purgeOldAttempts(pool: pg.Pool): Promise<void> {
  await pool.query('delete from rate_limits where window_ends_at < now()');
}
