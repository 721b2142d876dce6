import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runInOneTab } from './tab-leader.ts';

/** Web Locks as the specification describes them, for one name. */
function createFakeLocks() {
  interface Holder {
    readonly lose: () => void;
  }
  let holder: Holder | undefined;
  const queue: (() => void)[] = [];
  const grant = async (callback: (lock: object | null) => Promise<unknown>): Promise<unknown> => {
    let isLost = false;
    const lost = new Promise((_, reject) => {
      holder = {
        lose: () => {
          isLost = true;
          reject(new DOMException('The lock was stolen', 'AbortError'));
        },
      };
    });
    try {
      return await Promise.race([callback({}), lost]);
    } finally {
      if (!isLost) {
        holder = undefined;
        queue.shift()?.();
      }
    }
  };
  return {
    request: async (_name: string, options: LockOptions, callback: (lock: object | null) => Promise<unknown>): Promise<unknown> => {
      if (options.steal) {
        holder?.lose();
        return grant(callback);
      }
      if (options.ifAvailable) return holder ? callback(null) : grant(callback);
      await new Promise<void>((resolve, reject) => {
        if (!holder) return resolve();
        queue.push(resolve);
        options.signal?.addEventListener('abort', () => {
          if (queue.includes(resolve)) queue.splice(queue.indexOf(resolve), 1);
          reject(new DOMException('The request was aborted', 'AbortError'));
        });
        return undefined;
      });
      return grant(callback);
    },
  };
}

/** Tabs share the window of this test, so the fake channel knows which tab hears a message. */
class FakeBroadcastChannel extends EventTarget {
  static readonly all = new Set<FakeBroadcastChannel>();
  static frozen: FakeBroadcastChannel | undefined;
  constructor() {
    super();
    FakeBroadcastChannel.all.add(this);
  }
  postMessage(data: unknown): void {
    for (const other of FakeBroadcastChannel.all)
      if (other !== this && other !== FakeBroadcastChannel.frozen) other.dispatchEvent(new MessageEvent('message', { data }));
  }
  close(): void {
    FakeBroadcastChannel.all.delete(this);
  }
}

let isHidden = false;
const setHidden = async (hidden: boolean) => {
  isHidden = hidden;
  document.dispatchEvent(new Event('visibilitychange'));
  await vi.advanceTimersByTimeAsync(1_000);
};

const closeCallbacks: (() => void)[] = [];
beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('navigator', { locks: createFakeLocks() });
  vi.stubGlobal('BroadcastChannel', FakeBroadcastChannel);
  vi.spyOn(document, 'hidden', 'get').mockImplementation(() => isHidden);
});
afterEach(async () => {
  for (const close of closeCallbacks.splice(0)) close();
  await vi.advanceTimersByTimeAsync(1_000);
  isHidden = false;
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Opens a tab. `events` records when it starts and stops leading. */
async function openTab(events: string[], name: string) {
  const close = runInOneTab('test', (tookOver) => {
    events.push(`${name} ${tookOver ? 'takes over' : 'leads'}`);
    return () => events.push(`${name} stops`);
  });
  closeCallbacks.push(close);
  await vi.advanceTimersByTimeAsync(1_000);
  return close;
}

test('one tab runs, and the next one when it closes', async () => {
  const events: string[] = [];
  const closeFirst = await openTab(events, 'first');
  await openTab(events, 'second');
  expect(events).toEqual(['first leads']);
  closeFirst();
  await vi.advanceTimersByTimeAsync(0);
  expect(events).toEqual(['first leads', 'first stops', 'second takes over']);
});

test('a visible tab takes over from a hidden one', async () => {
  const events: string[] = [];
  isHidden = true;
  await openTab(events, 'first');
  await openTab(events, 'second');
  expect(events).toEqual(['first leads']);
  // The document of this test is that of all tabs, so a frozen channel stands for the hidden tab.
  [FakeBroadcastChannel.frozen] = FakeBroadcastChannel.all;
  await setHidden(false);
  FakeBroadcastChannel.frozen = undefined;
  expect(events).toEqual(['first leads', 'second takes over', 'first stops']);
});

test('a tab that lost the lead waits for its next turn', async () => {
  const events: string[] = [];
  isHidden = true;
  await openTab(events, 'first');
  const closeSecond = await openTab(events, 'second');
  [FakeBroadcastChannel.frozen] = FakeBroadcastChannel.all;
  await setHidden(false);
  FakeBroadcastChannel.frozen = undefined;
  closeSecond();
  await vi.advanceTimersByTimeAsync(0);
  expect(events.slice(3)).toEqual(['second stops', 'first takes over']);
});

test('every tab runs where the browser has no locks', async () => {
  vi.stubGlobal('navigator', {});
  const events: string[] = [];
  await openTab(events, 'first');
  await openTab(events, 'second');
  expect(events).toEqual(['first leads', 'second leads']);
});
