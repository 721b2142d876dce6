import { HOUR_MS } from '@callout/domain/time/time-units';
import { useOfflineState } from './offline-state.ts';
import { TAKE_OVER } from './worker-messages.ts';

/** Looking at another window for a moment is no reason to ask again. */
const MIN_INTERVAL_MS = 60 * 1000;
/** Longer than a new build needs to take over. */
const TAKE_OVER_MS = 5_000;

/** Installs the worker that opens the application without a connection, and offers new builds. Fails where there are none, as over plain http. */
export async function registerWorker(): Promise<void> {
  const registration = await navigator.serviceWorker.register('/sw.js');
  offerUpdates(registration, navigator.serviceWorker);
  checkForUpdates(registration);
}

interface Build extends EventTarget {
  readonly state: string;
  postMessage(message: unknown): void;
}
/** What is used of a browser's workers. */
interface Builds extends EventTarget {
  readonly waiting: Build | null;
  readonly installing: Build | null;
}
interface Workers extends EventTarget {
  readonly controller: object | null;
}

/** A new build waits until somebody wants it: nobody loses a page they are on. */
export function offerUpdates(registration: Builds, workers: Workers): void {
  const offer = () => useOfflineState.setState({ openNewVersion: () => void open() });
  const open = async () => {
    // Another tab may have had it take over already.
    if (registration.waiting) {
      const takenOver = new Promise((resolve) => {
        workers.addEventListener('controllerchange', resolve, { once: true });
        setTimeout(resolve, TAKE_OVER_MS);
      });
      registration.waiting.postMessage(TAKE_OVER);
      await takenOver;
    }
    // Forms with unsaved changes ask first. Who stays goes on with this version, and the offer stays, too.
    window.location.reload();
  };
  const watch = (worker: Build | null) => {
    // Without a controller it is the first one, whose page is just as new.
    const offerInstalled = () => worker?.state === 'installed' && workers.controller && offer();
    worker?.addEventListener('statechange', offerInstalled);
    offerInstalled();
  };
  watch(registration.waiting);
  watch(registration.installing);
  registration.addEventListener('updatefound', () => watch(registration.installing));
}

function checkForUpdates(registration: ServiceWorkerRegistration): void {
  let checkedAt = Date.now();
  const check = () => {
    if (document.hidden || !navigator.onLine || Date.now() - checkedAt < MIN_INTERVAL_MS) return;
    checkedAt = Date.now();
    registration.update().catch(() => undefined);
  };
  setInterval(check, HOUR_MS);
  window.addEventListener('focus', check);
  document.addEventListener('visibilitychange', check);
}
