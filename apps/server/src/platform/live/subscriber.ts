import type { Notice } from './notices.ts';

/** An open page: who is watching, and how to send to it. */
export interface Watcher {
  readonly companyId: string | null;
  readonly userId: string;
  readonly sessionId: string;
  write(event: string, data: unknown): void;
  close(): void;
}

/** At most ten events a second per browser; changes in between are batched. */
const SPACING_MS = 100;

export interface Subscriber {
  hear(notice: Notice): void;
  changed(topics: readonly string[]): void;
  /** Ends the stream from our side. */
  close(): void;
  /** Call when the stream has ended. */
  end(): void;
}

export function createSubscriber(watcher: Watcher): Subscriber {
  const waiting = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  const flush = () => {
    timer = undefined;
    if (waiting.size === 0) return;
    watcher.write('change', { topics: [...waiting] });
    waiting.clear();
    timer = setTimeout(flush, SPACING_MS);
  };

  const subscriber: Subscriber = {
    hear(notice) {
      if ('ended_session' in notice) {
        if (notice.ended_session !== watcher.sessionId) return;
        watcher.write('signed-out', {});
        watcher.close();
      } else if (notice.company === watcher.companyId && (notice.people?.includes(watcher.userId) ?? true)) {
        subscriber.changed(notice.topics);
      }
    },
    changed(topics) {
      for (const topic of topics) waiting.add(topic);
      if (!timer) flush();
    },
    close: () => watcher.close(),
    end: () => clearTimeout(timer),
  };
  return subscriber;
}
