import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import type { Actor } from './actor.ts';
import { createFairQueue, type FairQueue } from './fair-queue.ts';
import { CONNECT_TIMEOUT_MS } from './pools.ts';
import { type PreparedSelect, runSelect } from './prepared-select.ts';
import { inSnapshot, savepoint, transact } from './transaction.ts';

declare const minted: unique symbol;

/** An actor with access to a company. Only `mintTenant` creates one. */
export interface Tenant {
  readonly [minted]: true;
  readonly companyId: string;
  readonly actor: Actor;
  /** The time of this call. */
  readonly now: string;
}

/**
 * The only way to tenant data: every statement in a `*.sql.ts` takes one. It names its company, and its connection
 * sees nothing else by row-level security. It ends with the call it was made for.
 */
export interface TenantScope extends Tenant {
  readonly db: NodePgDatabase;
  /** A select that was prepared once. */
  run<Row>(select: PreparedSelect<Row>, values: Readonly<Record<string, unknown>>): Promise<Row[]>;
  /** Part of the transaction that may fail without ending it. */
  savepoint<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** Runs reads without a transaction. */
export function readAs<Result>(pool: pg.Pool, tenant: Tenant, work: (scope: TenantScope) => Promise<Result>): Promise<Result> {
  return withConnection(pool, tenant, work);
}

/** Runs reads of several statements that must fit together: none sees a change that another one does not. */
export function readSnapshotAs<Result>(pool: pg.Pool, tenant: Tenant, work: (scope: TenantScope) => Promise<Result>): Promise<Result> {
  return withConnection(pool, tenant, (scope, client) => inSnapshot(client, () => work(scope)));
}

/** Runs a command in one transaction and retries it as a whole after a conflict. */
export function changeAs<Result>(pool: pg.Pool, tenant: Tenant, work: (scope: TenantScope) => Promise<Result>): Promise<Result> {
  return withConnection(pool, tenant, (scope, client) => transact(client, () => work(scope)));
}

interface Connection {
  readonly db: NodePgDatabase;
  companyId: string | undefined;
}

const connections = new WeakMap<pg.PoolClient, Connection>();

function connectionOf(client: pg.PoolClient): Connection {
  let connection = connections.get(client);
  if (!connection) {
    connection = { db: drizzle(client), companyId: undefined };
    connections.set(client, connection);
  }
  return connection;
}

async function withConnection<Result>(
  pool: pg.Pool,
  tenant: Tenant,
  work: (scope: TenantScope, client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const { companyId } = tenant;
  const queue = queueOf(pool);
  if (!queue.tryEnter(companyId)) await queue.enter(companyId);
  let client: pg.PoolClient | undefined;
  try {
    client = await pool.connect();
    const connection = connectionOf(client);
    // The company stays set on the connection, which saves the next call of the same company a round trip.
    if (connection.companyId !== companyId) {
      connection.companyId = undefined;
      await client.query({ name: 'set-company', text: `select set_config('app.company_id', $1, false)`, values: [companyId] });
      connection.companyId = companyId;
    }
    return await work(openScope(client, connection, tenant), client);
  } finally {
    // The pool itself drops a connection that died.
    client?.release();
    queue.leave(companyId);
  }
}

/** Far more than the pages of one company ask for at once. */
const WAITING_PER_COMPANY = 200;
const queues = new WeakMap<pg.Pool, FairQueue>();

/** One company gets at most half of the connections, so that others are served while it is busy. */
function queueOf(pool: pg.Pool): FairQueue {
  let queue = queues.get(pool);
  if (!queue) {
    const slots = pool.options.max;
    const limits = { slots, slotsPerKey: Math.ceil(slots / 2), waitingPerKey: WAITING_PER_COMPANY, maxWaitMs: CONNECT_TIMEOUT_MS };
    queue = createFairQueue(limits);
    queues.set(pool, queue);
  }
  return queue;
}

function openScope(client: pg.PoolClient, { db }: Connection, tenant: Tenant): TenantScope {
  return {
    ...tenant,
    db,
    run: (select, values) => runSelect(client, select, values),
    savepoint: (work) => savepoint(client, work),
  };
}

/** Where effects (mail, work, live updates) are recorded: a scope or client within its transaction, or the system's pool. */
export type EffectContext = TenantScope | pg.PoolClient | pg.Pool;

export function databaseOf(context: EffectContext): NodePgDatabase {
  return 'db' in context ? context.db : drizzle(context);
}

export function companyOf(context: EffectContext): string | null {
  return 'db' in context ? context.companyId : null;
}
