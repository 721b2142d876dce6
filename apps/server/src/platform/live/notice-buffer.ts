/** A message to all server processes through PostgreSQL NOTIFY. A change without `people` reaches everyone in the company. */
export type LiveNotice =
  | { readonly company: string; readonly topics: readonly string[]; readonly people?: readonly string[] }
  | { readonly ended_session: string; readonly removed_from?: string };

/** How long notices are buffered. A page loads its data before its stream opens and then catches up on the notices in between. */
export const NOTICE_RETENTION_MS = 60_000;
/** Limits memory use during a flood of notices. The oldest are dropped first. */
const MAX_NOTICES = 10_000;

export interface NoticeBuffer {
  add(notice: LiveNotice): void;
  /** Returns the notices of the last `ms` milliseconds, oldest first. */
  listWithin(ms: number): LiveNotice[];
}

export function createNoticeBuffer(now: () => Date): NoticeBuffer {
  const buffer: { readonly receivedAt: number; readonly notice: LiveNotice }[] = [];
  const evict = (before: number) => {
    const first = buffer.findIndex(({ receivedAt }) => receivedAt >= before);
    buffer.splice(0, first === -1 ? buffer.length : Math.max(first, buffer.length - MAX_NOTICES));
  };
  return {
    add(notice) {
      const receivedAt = now().getTime();
      buffer.push({ receivedAt, notice });
      evict(receivedAt - NOTICE_RETENTION_MS);
    },
    listWithin(ms) {
      const from = now().getTime() - ms;
      return buffer.filter(({ receivedAt }) => receivedAt >= from).map(({ notice }) => notice);
    },
  };
}
