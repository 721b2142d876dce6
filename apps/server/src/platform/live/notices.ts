/** A message that server processes send each other through the database. */
export type Notice =
  | { readonly company: string; readonly topics: readonly string[] /** Absent: everybody there. */; readonly people?: readonly string[] }
  | { readonly ended_session: string };

/** A page reads first and listens a moment later; notices it may have missed in between are kept this long. */
export const RETENTION_MS = 60_000;
/** Far more than occur in a minute; beyond it the oldest are dropped. */
const MAX_NOTICES = 10_000;

export interface RecentNotices {
  add(notice: Notice): void;
  /** Oldest first. */
  within(ms: number): Notice[];
}

export function createRecentNotices(now: () => Date): RecentNotices {
  const kept: { readonly at: number; readonly notice: Notice }[] = [];
  const forget = (before: number) => {
    const first = kept.findIndex(({ at }) => at >= before);
    kept.splice(0, first === -1 ? kept.length : Math.max(first, kept.length - MAX_NOTICES));
  };
  return {
    add(notice) {
      const at = now().getTime();
      kept.push({ at, notice });
      forget(at - RETENTION_MS);
    },
    within(ms) {
      const from = now().getTime() - ms;
      return kept.filter(({ at }) => at >= from).map(({ notice }) => notice);
    },
  };
}
