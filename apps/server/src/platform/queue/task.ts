import { sql } from 'drizzle-orm';
import type pg from 'pg';
import type { TenantScope } from '../db/tenant-scope.ts';
import type { Platform } from '../platform.ts';

/** Where effects are put down: a scope, within its transaction, or the system's pool. */
export type EffectPlace = TenantScope | pg.Pool;

/** A piece of work done after the commit that asked for it, again and again until it succeeds. */
export interface Task<Payload = unknown> {
  readonly name: string;
  run(payload: Payload, platform: Platform, attempt: Attempt): Promise<void>;
  later(place: EffectPlace, payload: Payload): Promise<void>;
}

export interface Attempt {
  readonly number: number;
  readonly isLast: boolean;
}

export function defineTask<Payload>(name: string, run: Task<Payload>['run']): Task<Payload> {
  return {
    name,
    run,
    async later(place, payload) {
      const json = JSON.stringify(payload);
      if ('db' in place) await place.db.execute(sql`select queue_work(${name}, ${json}::json)`);
      else await place.query('select queue_work($1, $2::json)', [name, json]);
    },
  };
}
