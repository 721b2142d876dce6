/** Time for the leading tab to answer that someone can see it. Tabs that a phone has suspended don't answer. */
const ANSWER_TIMEOUT_MS = 500;
const QUESTION = 'is a visible tab leading?';
const ANSWER = 'yes';

/**
 * Calls `run` in one of the browser's tabs, and in another one when that tab closes. A visible tab takes over from a hidden one, which phones
 * suspend; for a moment, both may run. `tookOver` is false in the first tab. Returns a function that steps down.
 */
export function runInOneTab(name: string, run: (tookOver: boolean) => () => void): () => void {
  // On plain http there are no Web Locks, so every tab runs.
  const locks = (navigator as Partial<Navigator>).locks;
  if (!locks) return run(false);
  const stopping = new AbortController();
  const { signal } = stopping;
  const tabs = new BroadcastChannel(`${name} leader`);
  let isLeader = false;
  let takeOverTimer: ReturnType<typeof setTimeout> | undefined;

  /** Leads once the lock is granted, until this tab steps down or another one takes the lock. Returns false if this tab never led. */
  const lead = async (options: LockOptions, tookOver: boolean): Promise<boolean> => {
    const term = new AbortController();
    let hasLed = false;
    const endTerm = () => term.abort();
    signal.addEventListener('abort', endTerm, { signal: term.signal });
    try {
      await locks.request(name, options, async (lock) => {
        if (!lock || signal.aborted) return;
        [hasLed, isLeader] = [true, true];
        term.signal.addEventListener('abort', run(tookOver));
        await new Promise((resolve) => term.signal.addEventListener('abort', resolve));
      });
    } catch {
      // Another visible tab has taken the lock, or this tab stepped down while it waited.
    } finally {
      if (!term.signal.aborted) endTerm();
      isLeader = false;
    }
    return hasLed;
  };

  const takeOverFromHiddenTab = () => {
    if (document.hidden || isLeader || signal.aborted) return;
    clearTimeout(takeOverTimer);
    takeOverTimer = setTimeout(() => void lead({ steal: true }, true), ANSWER_TIMEOUT_MS);
    tabs.postMessage(QUESTION);
  };
  tabs.addEventListener('message', ({ data }: MessageEvent<string>) => {
    if (data === ANSWER) clearTimeout(takeOverTimer);
    else if (isLeader && !document.hidden) tabs.postMessage(ANSWER);
  });
  document.addEventListener('visibilitychange', takeOverFromHiddenTab, { signal });

  const waitForTurn = async () => {
    if (!(await lead({ ifAvailable: true }, false))) takeOverFromHiddenTab();
    // Waiting again after losing the lock keeps a hidden tab ready for when all others are closed.
    let isWaiting = true;
    while (isWaiting && !signal.aborted) isWaiting = await lead({ signal }, true);
  };
  void waitForTurn();
  return () => {
    clearTimeout(takeOverTimer);
    stopping.abort();
    tabs.close();
  };
}
