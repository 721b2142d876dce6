import { commonErrors } from '@callout/contract/errors';
import { createBusyFailure, createFailure } from '../errors/failures.ts';
import { getTimeLeftMs, requireTimeLeft } from './call-deadline.ts';

/** Who a request counts for: a company or network, or one member of such a group, such as a person. */
export type FairKey = string | readonly [group: string, member: string];

export interface FairQueueLimits {
  /** Names the shared resource in metrics. Queues with the same name are counted together. */
  readonly name: string;
  /** Number of requests that may run at once. */
  readonly slots: number;
  readonly slotsPerGroup: number;
  /** Defaults to `slotsPerGroup`. */
  readonly slotsPerMember?: number;
  /** Number of requests with the same key that may wait. Further requests are rejected. */
  readonly maxWaitingPerKey: number;
  /** Limits a single wait. A call also stops waiting at its deadline. */
  readonly maxWaitMs: number;
}

/**
 * Shares a scarce resource, so that one busy group can't starve the others, nor one busy member the others of its group. Groups take turns,
 * and so do the members of a group.
 */
export interface FairQueue {
  run<Result>(key: FairKey, work: () => Promise<Result>): Promise<Result>;
}

export interface FairQueueCounts {
  /** Requests that wait right now. The other counts only grow. */
  waiting: number;
  waits: number;
  waitedSeconds: number;
  /** Requests that were refused because too many waited already, or that waited in vain. */
  refusals: number;
}

const countsByName = new Map<string, FairQueueCounts>();

export const getFairQueueCounts = (): ReadonlyMap<string, Readonly<FairQueueCounts>> => countsByName;

function openCounts(name: string): FairQueueCounts {
  let counts = countsByName.get(name);
  if (!counts) countsByName.set(name, (counts = { waiting: 0, waits: 0, waitedSeconds: 0, refusals: 0 }));
  return counts;
}

export function createFairQueue(limits: FairQueueLimits): FairQueue {
  const counts = openCounts(limits.name);
  const { slots, slotsPerGroup, slotsPerMember = slotsPerGroup, maxWaitingPerKey, maxWaitMs } = limits;
  const all = createLine(null, '', slots);

  const openLine = (key: FairKey): Line => {
    if (typeof key === 'string') return openPart(all, key, slotsPerGroup);
    return openPart(openPart(all, key[0], slotsPerGroup), key[1], slotsPerMember);
  };

  const waitForSlot = (line: Line) =>
    new Promise<void>((resolve, reject) => {
      const startedAt = performance.now();
      const countWait = () => {
        counts.waiting -= 1;
        counts.waitedSeconds += (performance.now() - startedAt) / 1000;
      };
      const timer = setTimeout(
        () => {
          countWait();
          counts.refusals += 1;
          line.waiting.delete(admit);
          closeUnused(line);
          reject(createBusyFailure());
        },
        Math.min(maxWaitMs, getTimeLeftMs()),
      );
      const admit = () => {
        countWait();
        clearTimeout(timer);
        resolve();
      };
      counts.waiting += 1;
      counts.waits += 1;
      line.waiting.add(admit);
    });

  return {
    async run(key, work) {
      const line = openLine(key);
      if (hasRoom(line)) occupySlot(line);
      else if (line.waiting.size < maxWaitingPerKey) await waitForSlot(line);
      else {
        counts.refusals += 1;
        throw createFailure('TOO_MANY_ATTEMPTS', commonErrors.TOO_MANY_ATTEMPTS.message, { retry_after: 1 });
      }
      try {
        // The call may have been answered in the moment in which its turn came.
        requireTimeLeft();
        return await work();
      } finally {
        for (const part of line.path) part.running -= 1;
        admitNext(all);
        closeUnused(line);
      }
    },
  };
}

/** The requests of one member, of one group, or all of them. Exists only while it has some. */
interface Line {
  readonly parent: Line | null;
  /** This line, its parent, and so on. */
  readonly path: readonly Line[];
  readonly name: string;
  readonly slots: number;
  /** Includes the parts' requests. */
  running: number;
  /** Functions that admit a waiting request, in order of arrival. */
  readonly waiting: Set<() => void>;
  /** In round-robin order: a part that gets a slot moves to the end. */
  readonly parts: Map<string, Line>;
}

function createLine(parent: Line | null, name: string, slots: number): Line {
  const line = { parent, name, slots, running: 0, waiting: new Set<() => void>(), parts: new Map<string, Line>(), path: [] as Line[] };
  line.path.push(line, ...(parent?.path ?? []));
  return line;
}

function openPart(parent: Line, name: string, slots: number): Line {
  let line = parent.parts.get(name);
  if (!line) parent.parts.set(name, (line = createLine(parent, name, slots)));
  return line;
}

const hasRoom = (line: Line) => line.path.every(({ running, slots }) => running < slots);

function occupySlot(line: Line): void {
  for (const part of line.path) {
    part.running += 1;
    part.parent?.parts.delete(part.name);
    part.parent?.parts.set(part.name, part);
  }
}

/** Admits the request with the next turn, if one is waiting and may run. Returns whether there was one. */
function admitNext(line: Line): boolean {
  if (line.running >= line.slots) return false;
  for (const part of line.parts.values()) if (admitNext(part)) return true;
  const [admit] = line.waiting;
  if (!admit) return false;
  line.waiting.delete(admit);
  occupySlot(line);
  admit();
  return true;
}

function closeUnused(line: Line): void {
  for (const { parent, name, running, waiting, parts } of line.path) {
    if (running === 0 && waiting.size === 0 && parts.size === 0) parent?.parts.delete(name);
  }
}
