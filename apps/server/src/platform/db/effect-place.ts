import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import type { TenantScope } from './tenant-scope.ts';

/** Where effects (mail, work, live news) are put down: a scope or a client, within their transaction, or the system's pool. */
export type EffectPlace = TenantScope | pg.PoolClient | pg.Pool;

export function databaseOf(place: EffectPlace): NodePgDatabase {
  return 'db' in place ? place.db : drizzle(place);
}

export function companyOf(place: EffectPlace): string | null {
  return 'db' in place ? place.companyId : null;
}
