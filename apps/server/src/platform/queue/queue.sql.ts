import { sql } from 'drizzle-orm';
import { databaseOf, type EffectContext } from '../db/effect-context.ts';

export async function queueWork(context: EffectContext, task: string, payload: unknown, key?: string): Promise<void> {
  await databaseOf(context).execute(sql`select queue_work(${task}, ${JSON.stringify(payload)}::json, ${key ?? null})`);
}
