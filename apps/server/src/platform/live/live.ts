import type { Logger } from 'pino';
import type { DatabaseLogin } from '../db/pools.ts';
import { type EffectContext, type TenantScope } from '../db/tenant-scope.ts';
import { listen, publish } from './live.sql.ts';
import { createRecentNotices } from './notices.ts';
import { createSubscriber, type Subscriber, type Watcher } from './subscriber.ts';

type Person = Pick<Watcher, 'companyId' | 'userId' | 'sessionId'>;

export interface Live {
  /** Resolves once it listens, so that no later change is missed. */
  readonly started: Promise<void>;
  /** False when their company has reached its limit of streams and none belongs to this session. */
  hasRoomFor(person: Person): boolean;
  /** Also sends what changed since the page was read. Over the limit, the session's oldest stream is closed. */
  watch(watcher: Watcher, sinceReadMs: number): () => void;
  /** Closes every stream of a session, in all processes, and signs its pages out. */
  endSession(sessionId: string): Promise<void>;
  stop(): Promise<void>;
}

/** Notifies every browser of the company, after this transaction commits, which kinds of records changed. */
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

/** Closes the streams of ended sessions, after this transaction commits, and signs their pages out. */
export async function publishEndedSessions(context: EffectContext, sessionIds: readonly string[]): Promise<void> {
  for (const ended_session of sessionIds) await publish(context, { ended_session });
}

/** One tab per browser listens, but a phone may leave behind many dead connections. */
const STREAMS_PER_SESSION = 20;
const STREAMS_PER_COMPANY = 200;

/** One connection listens for all streams of this process; several processes stay in step through PostgreSQL. */
export function createLive(login: DatabaseLogin, pool: EffectContext, log: Logger, now: () => Date): Live {
  /** The oldest first. */
  const subscribers = new Map<Subscriber, Watcher>();
  const forget = (subscriber: Subscriber) => {
    subscribers.delete(subscriber);
    subscriber.end();
  };
  const streamsOf = ({ sessionId }: Person) => [...subscribers].filter(([, watcher]) => watcher.sessionId === sessionId);
  const isCompanyFull = ({ companyId, userId }: Person) => {
    const sameCompany = [...subscribers.values()].filter((other) => (companyId ? other.companyId === companyId : other.userId === userId));
    return sameCompany.length >= STREAMS_PER_COMPANY;
  };
  const makeRoom = (watcher: Watcher) => {
    const ofSession = streamsOf(watcher);
    const surplus = Math.max(ofSession.length - STREAMS_PER_SESSION + 1, isCompanyFull(watcher) ? 1 : 0);
    for (const [oldest] of ofSession.slice(0, surplus)) {
      forget(oldest);
      oldest.close();
    }
  };
  const recent = createRecentNotices(now);
  let stopped = false;
  const listener = listen(login, log, {
    notice(notice) {
      recent.add(notice);
      for (const subscriber of subscribers.keys()) subscriber.hear(notice);
    },
    // Changes may have been missed while disconnected, so every page refreshes.
    reconnected() {
      for (const subscriber of subscribers.keys()) subscriber.changed(['*']);
    },
  });
  return {
    started: listener.started,
    hasRoomFor: (person) => !isCompanyFull(person) || streamsOf(person).length > 0,
    watch(watcher, sinceReadMs) {
      // A stream opened during shutdown would prevent it.
      if (stopped) watcher.close();
      makeRoom(watcher);
      const subscriber = createSubscriber(watcher);
      subscribers.set(subscriber, watcher);
      for (const notice of recent.within(sinceReadMs)) subscriber.hear(notice);
      return () => forget(subscriber);
    },
    endSession: (sessionId) => publish(pool, { ended_session: sessionId }),
    async stop() {
      stopped = true;
      for (const subscriber of subscribers.keys()) subscriber.close();
      subscribers.clear();
      await listener.stop();
    },
  };
}
