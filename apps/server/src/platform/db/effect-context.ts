import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import type { TenantScope } from './tenant-scope.ts';

/** Where effects (mail, work, live updates) are put down: a scope or a client, within their transaction, or the system's pool. */
export type EffectContext = TenantScope | pg.PoolClient | pg.Pool;

export function databaseOf(context: EffectContext): NodePgDatabase {
  return 'db' in context ? context.db : drizzle(context);
}

export function companyOf(context: EffectContext): string | null {
  return 'db' in context ? context.companyId : null;
}
