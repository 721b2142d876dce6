import type { Logger } from 'pino';
import type { DatabaseLogin } from '../db/pools.ts';
import { type EffectContext, type TenantScope } from '../db/tenant-scope.ts';
import { listenForNotices, publishNotice, publishWithCommit } from './live.sql.ts';
import { createNoticeBuffer } from './notice-buffer.ts';
import { createSubscriber, type LiveStream, type Subscriber } from './subscriber.ts';

type StreamOwner = Pick<LiveStream, 'companyId' | 'userId' | 'sessionId'>;

export interface LiveUpdates {
  /** Resolves after the first attempt to listen for notices. Earlier changes are missed. */
  readonly started: Promise<void>;
  /** Returns false if the company is at its limit and the session has no older stream that could be closed instead. */
  canOpenStream(owner: StreamOwner): boolean;
  /** Adds a stream, replays recent notices to it and returns a function that removes it. At a limit, closes the session's oldest stream. */
  addStream(stream: LiveStream, sinceReadMs: number): () => void;
  /** Closes the session's streams in every server process and signs out its tabs. */
  endSession(sessionId: string): Promise<void>;
  countStreams(): number;
  stop(): Promise<void>;
}

/** Tells all of the company's browsers which kinds of records have changed, once the transaction commits. */
export function publishChange(scope: TenantScope, ...topics: readonly string[]): Promise<void> {
  return publishNotice(scope, { company: scope.companyId, topics });
}

/** Keeps a notice under PostgreSQL's NOTIFY limit of 8,000 bytes. */
const MAX_PEOPLE_PER_NOTICE = 100;

/** Like `publishChange`, but notifies only the given users. */
export async function publishToPeople(scope: TenantScope, people: readonly string[], ...topics: readonly string[]): Promise<void> {
  for (let start = 0; start < people.length; start += MAX_PEOPLE_PER_NOTICE) {
    await publishNotice(scope, { company: scope.companyId, people: people.slice(start, start + MAX_PEOPLE_PER_NOTICE), topics });
  }
}

/**
 * Closes the streams of ended sessions and signs out their tabs when the transaction commits. `removedFrom` is the name of the company if the
 * sessions ended because their person was removed from it.
 */
export async function publishEndedSessions(context: EffectContext, sessionIds: readonly string[], removedFrom?: string): Promise<void> {
  const notices = sessionIds.map((ended_session) => ({ ended_session, ...(removedFrom && { removed_from: removedFrom }) }));
  await publishWithCommit(context, notices);
}

/** Each browser opens a stream in only one tab, but a phone can leave many dead connections behind. */
const MAX_STREAMS_PER_SESSION = 20;
const MAX_STREAMS_PER_COMPANY = 200;

/** Distributes notices from one database connection to this process's streams. PostgreSQL sends each notice to every process. */
export function createLiveUpdates(login: DatabaseLogin, pool: EffectContext, log: Logger, now: () => Date): LiveUpdates {
  // Indexed, because most notices concern few of the streams. In each group, the oldest comes first.
  const streamsByCompany = new Map<string, Set<Subscriber>>();
  const streamsBySession = new Map<string, Set<Subscriber>>();
  const listCompanyStreams = (owner: StreamOwner) => streamsByCompany.get(getCompanyKey(owner)) ?? new Set();
  const listSessionStreams = ({ sessionId }: StreamOwner) => streamsBySession.get(sessionId) ?? new Set();
  const removeSubscriber = (subscriber: Subscriber, owner: StreamOwner) => {
    removeFromGroup(streamsByCompany, getCompanyKey(owner), subscriber);
    removeFromGroup(streamsBySession, owner.sessionId, subscriber);
    subscriber.dispose();
  };
  const isCompanyAtLimit = (owner: StreamOwner) => listCompanyStreams(owner).size >= MAX_STREAMS_PER_COMPANY;
  const closeSurplusStreams = (owner: StreamOwner) => {
    const sessionStreams = [...listSessionStreams(owner)];
    const surplus = Math.max(sessionStreams.length - MAX_STREAMS_PER_SESSION + 1, isCompanyAtLimit(owner) ? 1 : 0);
    for (const oldest of sessionStreams.slice(0, surplus)) {
      removeSubscriber(oldest, owner);
      oldest.close();
    }
  };
  const recentNotices = createNoticeBuffer(now);
  let isStopped = false;
  const listener = listenForNotices(login, log, {
    onNotice(notice) {
      recentNotices.add(notice);
      const concerned = 'ended_session' in notice ? streamsBySession.get(notice.ended_session) : streamsByCompany.get(notice.company);
      for (const subscriber of concerned ?? []) subscriber.receiveNotice(notice);
    },
    // Make every page refetch all its data.
    onLostNotices() {
      for (const streams of streamsByCompany.values()) for (const subscriber of streams) subscriber.queueTopics(['*']);
    },
  });
  const announceStart = () => publishNotice(pool, { server_started: true }).catch(() => undefined);
  return {
    started: listener.started.then(announceStart),
    canOpenStream: (owner) => !isCompanyAtLimit(owner) || listSessionStreams(owner).size > 0,
    addStream(stream, sinceReadMs) {
      // Close a stream that opens during shutdown. Otherwise, it would keep the server from stopping.
      if (isStopped) stream.close();
      closeSurplusStreams(stream);
      const subscriber = createSubscriber(stream);
      addToGroup(streamsByCompany, getCompanyKey(stream), subscriber);
      addToGroup(streamsBySession, stream.sessionId, subscriber);
      for (const notice of recentNotices.listWithin(sinceReadMs)) subscriber.receiveNotice(notice);
      return () => removeSubscriber(subscriber, stream);
    },
    endSession: (sessionId) => publishNotice(pool, { ended_session: sessionId }),
    countStreams: () => [...streamsBySession.values()].reduce((count, streams) => count + streams.size, 0),
    async stop() {
      isStopped = true;
      for (const streams of streamsByCompany.values()) for (const subscriber of streams) subscriber.close();
      streamsByCompany.clear();
      streamsBySession.clear();
      await listener.stop();
    },
  };
}

/** Returns the key that groups a company's streams. A person without a company has a group of their own. */
const getCompanyKey = ({ companyId, userId }: StreamOwner) => companyId ?? userId;

function addToGroup(groups: Map<string, Set<Subscriber>>, key: string, subscriber: Subscriber): void {
  const group = groups.get(key);
  if (group) group.add(subscriber);
  else groups.set(key, new Set([subscriber]));
}

function removeFromGroup(groups: Map<string, Set<Subscriber>>, key: string, subscriber: Subscriber): void {
  const group = groups.get(key);
  if (group?.delete(subscriber) && group.size === 0) groups.delete(key);
}
