import { sql } from 'drizzle-orm';
import pg from 'pg';
import type { Logger } from 'pino';
import type { DatabaseAddress } from '../db/pools.ts';
import type { TenantScope } from '../db/tenant-scope.ts';
import { createSubscriber, type Subscriber } from './subscriber.ts';

const CHANNEL = 'callout_live';
const RECONNECT_MS = 500;

type Notice = { readonly company: string; readonly topics: readonly string[] } | { readonly ended_session: string };

/** Who watches as whom. */
export interface Watcher {
  readonly companyId: string | null;
  readonly sessionId: string;
  write(event: string, data: unknown): void;
  close(): void;
}

export interface Live {
  watch(watcher: Watcher): () => void;
  /** Closes every stream of a session, wherever it is served, and tells its page. */
  endSession(sessionId: string): Promise<void>;
  stop(): Promise<void>;
}

/** Tells every browser of the company, once this transaction is committed, which kinds of records changed. */
export async function tellChanged(scope: TenantScope, ...topics: readonly string[]): Promise<void> {
  const notice: Notice = { company: scope.companyId, topics };
  await scope.db.execute(sql`select pg_notify(${CHANNEL}, ${JSON.stringify(notice)})`);
}

/** One connection listens for all streams of this process; several processes stay in step through PostgreSQL. */
export function createLive(address: DatabaseAddress, pool: pg.Pool, log: Logger): Live {
  const subscribers = new Set<Subscriber>();
  const listener = listen(address, log, {
    notice(notice) {
      for (const subscriber of subscribers) subscriber.hear(notice);
    },
    // What happened while we were deaf is unknown: everybody looks again.
    reconnected() {
      for (const subscriber of subscribers) subscriber.changed(['*']);
    },
  });
  return {
    watch(watcher) {
      const subscriber = createSubscriber(watcher);
      subscribers.add(subscriber);
      return () => {
        subscribers.delete(subscriber);
        subscriber.end();
      };
    },
    async endSession(sessionId) {
      const notice: Notice = { ended_session: sessionId };
      await pool.query('select pg_notify($1, $2)', [CHANNEL, JSON.stringify(notice)]);
    },
    async stop() {
      for (const subscriber of subscribers) subscriber.close();
      subscribers.clear();
      await listener.stop();
    },
  };
}

export type { Notice };

interface Ears {
  notice(notice: Notice): void;
  reconnected(): void;
}

function listen(address: DatabaseAddress, log: Logger, ears: Ears) {
  let client: pg.Client | undefined;
  let stopped = false;
  let retry: NodeJS.Timeout | undefined;

  const connect = async (again: boolean) => {
    const next = new pg.Client({ ...address, application_name: 'callout_live', keepAlive: true });
    const lost = () => {
      if (client === next) client = undefined;
      if (!stopped) retry = setTimeout(() => void connect(true), RECONNECT_MS);
    };
    next.on('notification', ({ payload }) => ears.notice(JSON.parse(payload ?? '{}')));
    next.on('error', () => undefined);
    next.once('end', lost);
    try {
      await next.connect();
      await next.query(`listen ${CHANNEL}`);
      client = next;
      if (again) ears.reconnected();
    } catch (error) {
      log.warn({ part: 'live', reason: error instanceof Error ? error.message : String(error) }, 'Not listening for changes, trying again');
      await next.end().catch(() => undefined);
    }
  };
  void connect(false);

  return {
    async stop() {
      stopped = true;
      clearTimeout(retry);
      await client?.end();
    },
  };
}
