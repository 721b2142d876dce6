import { sql } from 'drizzle-orm';
import type pg from 'pg';
import { databaseOf, type EffectContext } from '../db/effect-context.ts';

export async function queueWork(context: EffectContext, task: string, payload: unknown, key?: string): Promise<void> {
  await databaseOf(context).execute(sql`select queue_work(${task}, ${JSON.stringify(payload)}::json, ${key ?? null})`);
}

/** A schedule that ran while the clock was ahead would wait until that time comes. Gives how many there were. */
export async function forgetFutureRuns(pool: pg.Pool): Promise<number> {
  const { rowCount } = await pool.query(
    `update graphile_worker._private_known_crontabs set last_execution = now() where last_execution > now() + interval '2 minutes'`,
  );
  return rowCount ?? 0;
}
