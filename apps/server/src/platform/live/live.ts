import type { Logger } from 'pino';
import type { EffectContext } from '../db/effect-context.ts';
import type { DatabaseLogin } from '../db/pools.ts';
import type { TenantScope } from '../db/tenant-scope.ts';
import { listen, publish } from './live.sql.ts';
import { createRecentNotices } from './notices.ts';
import { createSubscriber, type Subscriber, type Watcher } from './subscriber.ts';

export interface Live {
  /** From here on no change is missed. */
  readonly started: Promise<void>;
  /** Also tells what happened since the page was read, that long ago. */
  watch(watcher: Watcher, readAgoMs: number): () => void;
  /** Closes every stream of a session, wherever it is served, and tells its page. */
  endSession(sessionId: string): Promise<void>;
  stop(): Promise<void>;
}

/** Tells every browser of the company, once this transaction is committed, which kinds of records changed. */
export function publishChange(scope: TenantScope, ...topics: readonly string[]): Promise<void> {
  return publish(scope, { company: scope.companyId, topics });
}

/** PostgreSQL refuses a notice of 8,000 bytes. */
const PEOPLE_PER_NOTICE = 100;

/** The same, for these people only. */
export async function publishToPeople(scope: TenantScope, people: readonly string[], ...topics: readonly string[]): Promise<void> {
  for (let start = 0; start < people.length; start += PEOPLE_PER_NOTICE) {
    await publish(scope, { company: scope.companyId, people: people.slice(start, start + PEOPLE_PER_NOTICE), topics });
  }
}

/** Closes every stream of sessions that were ended, once this transaction is committed, and tells their pages. */
export async function publishEndedSessions(context: EffectContext, sessionIds: readonly string[]): Promise<void> {
  for (const ended_session of sessionIds) await publish(context, { ended_session });
}

/** One connection listens for all streams of this process; several processes stay in step through PostgreSQL. */
export function createLive(login: DatabaseLogin, pool: EffectContext, log: Logger, now: () => Date): Live {
  const subscribers = new Set<Subscriber>();
  const recent = createRecentNotices(now);
  let stopped = false;
  const listener = listen(login, log, {
    notice(notice) {
      recent.add(notice);
      for (const subscriber of subscribers) subscriber.hear(notice);
    },
    // What happened while we were deaf is unknown: everybody looks again.
    reconnected() {
      for (const subscriber of subscribers) subscriber.changed(['*']);
    },
  });
  return {
    started: listener.started,
    watch(watcher, readAgoMs) {
      // Opened while the server stops, it would keep it from stopping.
      if (stopped) watcher.close();
      const subscriber = createSubscriber(watcher);
      subscribers.add(subscriber);
      for (const notice of recent.within(readAgoMs)) subscriber.hear(notice);
      return () => {
        subscribers.delete(subscriber);
        subscriber.end();
      };
    },
    endSession: (sessionId) => publish(pool, { ended_session: sessionId }),
    async stop() {
      stopped = true;
      for (const subscriber of subscribers) subscriber.close();
      subscribers.clear();
      await listener.stop();
    },
  };
}
