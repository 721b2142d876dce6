import { commonErrors } from '@callout/contract/errors';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { createFailure, createUnauthenticatedFailure } from '../errors/failures.ts';
import type { FairKey } from '../limits/fair-queue.ts';
import { type Actor, getActorKey, getPerson } from './actor.ts';
import { buildCommandLookup, buildStoreAnswer, type Command, findStoredAnswer, StoredAnswer } from './commands.sql.ts';
import { buildSetCompanyStatement, queryForCompany } from './company-query.ts';
import { getConnectionShares } from './connection-shares.ts';
import { type PreparedSelect, runSelect } from './prepared-select.ts';
import { releaseAfterNotices, runInSavepoint, runInSnapshot, runTransactionWithRetries, sendNoticeOnCommit } from './transaction.ts';

declare const minted: unique symbol;

/** An actor with access to a company. Only `mintTenant` creates one. */
export interface Tenant {
  readonly [minted]: true;
  readonly companyId: string;
  readonly actor: Actor;
  /** The time of the call, which all of its statements share. */
  readonly now: string;
  /** How long before `now` the person pressed the button, if their device was offline; see `made-at.ts`. */
  readonly madeAgoMs?: number;
}

/**
 * Access to one company's data for the duration of a call. Row-level security limits the scope's connection to that company. Don't use a
 * scope after its call has ended.
 */
export interface TenantScope extends Tenant {
  readonly db: NodePgDatabase;
  run<Row>(select: PreparedSelect<Row>, values: Readonly<Record<string, unknown>>): Promise<Row[]>;
  /** Runs part of the transaction. If that part fails, only its own changes are rolled back. */
  savepoint<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Sends a message to every process that listens to the channel, once the transaction commits. */
  notify(channel: string, payload: string): Promise<void>;
}

/** Runs reads without a transaction, so each statement sees the latest data. */
export function runTenantQuery<Result>(pool: pg.Pool, tenant: Tenant, work: (scope: TenantScope) => Promise<Result>): Promise<Result> {
  return withTenantConnection(pool, tenant, tenant.companyId, work);
}

/** Runs several reads on one snapshot, so that all of them see the same data. */
export function runTenantSnapshot<Result>(pool: pg.Pool, tenant: Tenant, work: (scope: TenantScope) => Promise<Result>): Promise<Result> {
  const setCompany = buildSetCompanyStatement(tenant.companyId);
  return withTenantConnection(pool, tenant, IN_TRANSACTION, (scope, client) => runInSnapshot(client, () => work(scope), setCompany));
}

/** The locks that a command begins with: its membership in the company, that and the company's staff, or none. */
export type CommandLocks = 'membership' | 'staff' | 'none';

const LOCK_COMPANY = 'select from companies where company_id = current_company_id() for key share';
const LOCK_STAFF = `select lock_company_part(current_company_id(), 'staff')`;

/** The prefix of the advisory lock that a person's commands hold in shared mode; see `lockOutMember`. The rest of its key is the user's id. */
export const MEMBER_LOCK_PREFIX = 'callout member ';

/**
 * Builds the round trip that begins the transaction. Its last result is the person's locked membership, if a person acts; `LOOKUP_RESULT` is
 * the answer of the command's first run.
 */
function buildBegin({ actor, companyId }: Tenant, locks: CommandLocks, command: Command | null): string {
  const statements = ['begin', buildSetCompanyStatement(companyId)];
  if (command) statements.push(...buildCommandLookup(companyId, getPerson(actor).userId, command));
  // Removing someone locks the staff before the membership, so take them in the same order.
  if (locks !== 'none') statements.push(LOCK_COMPANY, ...(locks === 'staff' ? [LOCK_STAFF] : []));
  if (locks !== 'none' && actor.kind === 'person') {
    statements.push(
      `select pg_advisory_xact_lock_shared(hashtextextended(${pg.escapeLiteral(`${MEMBER_LOCK_PREFIX}${actor.userId}`)}, 0))`,
      `select role from staff_members where profile_id = ${pg.escapeLiteral(actor.userId)} for key share`,
    );
  }
  return statements.join('; ');
}

const LOOKUP_RESULT = 3;

/** Throws if the person was removed or got another role while the command waited for its turn. */
function requireUnchangedMembership({ actor }: Tenant, membership: pg.QueryResult<{ role: string }> | undefined): void {
  if (actor.kind !== 'person') return;
  const [found] = membership?.rows ?? [];
  if (!found) throw createUnauthenticatedFailure();
  if (found.role !== actor.member?.role) throw createFailure('FORBIDDEN', commonErrors.FORBIDDEN.message);
}

/**
 * Runs a command in one transaction and retries it as a whole after a conflict or a lock timeout. Until the command ends, neither the company
 * nor the acting person's membership can be removed. Fails as signed out if one of them is gone. A command with a key runs once: its answer
 * is stored with its changes, and a repeated one throws it as a `StoredAnswer`.
 */
export async function runTenantTransaction<Result>(
  pool: pg.Pool,
  tenant: Tenant,
  work: (scope: TenantScope) => Promise<Result>,
  locks: CommandLocks = 'membership',
  command: Command | null = null,
): Promise<Result> {
  const outcome = await getConnectionShares(pool).transactions.run(getShareKey(tenant), () =>
    withTenantConnection(pool, tenant, IN_TRANSACTION, (scope, client) =>
      runTransactionWithRetries<Result | StoredAnswer>(
        client,
        async (begun) => {
          if (locks !== 'none') requireUnchangedMembership(tenant, begun.at(-1));
          return (command && findStoredAnswer(command, begun[LOOKUP_RESULT])) ?? work(scope);
        },
        {
          begin: buildBegin(tenant, locks, command),
          buildLastStatement: (result) => (command && !(result instanceof StoredAnswer) ? buildStoreAnswer(tenant, command, result) : null),
        },
      ),
    ),
  );
  // Only thrown after the commit, which waits until a second server has the first run's changes, too.
  if (outcome instanceof StoredAnswer) throw outcome;
  return outcome;
}

/** Runs the statements of one scope at a time. */
class TenantConnection {
  readonly client: pg.PoolClient;
  readonly db: NodePgDatabase;
  /** The company to set for each statement. Undefined in a transaction, which begins with it. */
  companyId: string | undefined;

  constructor(client: pg.PoolClient) {
    this.client = client;
    // drizzle only calls `query`.
    this.db = drizzle(this as this & pg.PoolClient);
  }

  query(config: pg.QueryConfig, values: unknown[]): Promise<pg.QueryResult> {
    return this.companyId === undefined ? this.client.query(config, values) : queryForCompany(this.client, this.companyId, config, values);
  }
}

const connections = new WeakMap<pg.PoolClient, TenantConnection>();

function getConnection(client: pg.PoolClient): TenantConnection {
  let connection = connections.get(client);
  if (!connection) {
    connection = new TenantConnection(client);
    connections.set(client, connection);
  }
  return connection;
}

/** The work sets the company itself, at the start of its transaction. */
const IN_TRANSACTION = undefined;

function withTenantConnection<Result>(
  pool: pg.Pool,
  tenant: Tenant,
  statementCompanyId: string | undefined,
  work: (scope: TenantScope, client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  return getConnectionShares(pool).connections.run(getShareKey(tenant), async () => {
    const client = await pool.connect();
    try {
      const connection = getConnection(client);
      connection.companyId = statementCompanyId;
      return await work(createTenantScope(connection, tenant), client);
    } finally {
      // Release lost connections too. The pool discards them.
      releaseAfterNotices(client);
    }
  });
}

/** The queue's tasks share their connections with each other, so that those of a company don't delay its people. */
const getShareKey = ({ actor, companyId }: Tenant): FairKey =>
  actor.kind === 'system' ? ['queue', companyId] : [companyId, getActorKey(actor)];

function createTenantScope({ client, db, companyId }: TenantConnection, tenant: Tenant): TenantScope {
  return {
    ...tenant,
    db,
    run: (select, values) => runSelect(client, select, values, companyId),
    savepoint: (work) => runInSavepoint(client, work),
    notify: (channel, payload) => sendNoticeOnCommit(client, { channel, payload }),
  };
}

/** Where to record effects such as emails, queue tasks and live updates: in the transaction of a scope or client, or in the system pool. */
export type EffectContext = TenantScope | pg.PoolClient | pg.Pool;

export function getDatabase(context: EffectContext): NodePgDatabase {
  return 'db' in context ? context.db : drizzle(context);
}

export function getCompanyId(context: EffectContext): string | null {
  return 'db' in context ? context.companyId : null;
}
