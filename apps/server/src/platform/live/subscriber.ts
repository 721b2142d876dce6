import type { LiveNotice } from './notice-buffer.ts';

/** A browser's open event stream and the session it belongs to. */
export interface LiveStream {
  readonly companyId: string | null;
  readonly userId: string;
  readonly sessionId: string;
  write(event: string, data: unknown): void;
  close(): void;
}

/** Limits a stream to ten events per second. Changes in between are batched. */
const MIN_EVENT_INTERVAL_MS = 100;

export interface Subscriber {
  receiveNotice(notice: LiveNotice): void;
  queueTopics(topics: readonly string[]): void;
  /** Closes the stream from the server's side. */
  close(): void;
  /** Cancels the pending batch. Call this once the stream has ended. */
  dispose(): void;
}

export function createSubscriber(stream: LiveStream): Subscriber {
  const pendingTopics = new Set<string>();
  let batchTimer: NodeJS.Timeout | undefined;

  const flush = () => {
    batchTimer = undefined;
    if (pendingTopics.size === 0) return;
    stream.write('change', { topics: [...pendingTopics] });
    pendingTopics.clear();
    batchTimer = setTimeout(flush, MIN_EVENT_INTERVAL_MS);
  };

  const subscriber: Subscriber = {
    receiveNotice(notice) {
      if ('ended_session' in notice) {
        if (notice.ended_session !== stream.sessionId) return;
        stream.write('signed-out', notice.removed_from === undefined ? {} : { removed_from: notice.removed_from });
        stream.close();
      } else if (notice.company === stream.companyId && (notice.people?.includes(stream.userId) ?? true)) {
        subscriber.queueTopics(notice.topics);
      }
    },
    queueTopics(topics) {
      for (const topic of topics) pendingTopics.add(topic);
      if (!batchTimer) flush();
    },
    close: () => stream.close(),
    dispose: () => clearTimeout(batchTimer),
  };
  return subscriber;
}
