import { sql } from 'drizzle-orm';
import { databaseOf, type EffectPlace } from '../db/effect-place.ts';

export async function queueWork(place: EffectPlace, task: string, payload: unknown, key?: string): Promise<void> {
  await databaseOf(place).execute(sql`select queue_work(${task}, ${JSON.stringify(payload)}::json, ${key ?? null})`);
}
