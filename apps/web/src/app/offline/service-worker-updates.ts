import { HOUR_MS } from '@callout/domain/time/time-units';
import { useOfflineState } from '../../lib/offline-state.ts';
import { SKIP_WAITING_MESSAGE } from './service-worker-messages.ts';

/** Limits how often switching between windows triggers an update check. */
const MIN_CHECK_INTERVAL_MS = 60 * 1000;
/** Far longer than needed: a waiting worker usually takes over within a second. */
const TAKE_OVER_TIMEOUT_MS = 5_000;

/** Registers the service worker and checks for updates. Rejects if service workers are unavailable, for example over plain HTTP. */
export async function registerServiceWorker(): Promise<void> {
  const registration = await navigator.serviceWorker.register('/sw.js');
  offerUpdates(registration, navigator.serviceWorker);
  scheduleUpdateChecks(registration);
}

interface ServiceWorkerLike extends EventTarget {
  readonly state: string;
  postMessage(message: unknown): void;
}
interface RegistrationLike extends EventTarget {
  readonly waiting: ServiceWorkerLike | null;
  readonly installing: ServiceWorkerLike | null;
}
interface ContainerLike extends EventTarget {
  readonly controller: object | null;
}

/** Offers a new build but leaves it waiting until the user chooses to reload, so that an update never interrupts anyone. */
export function offerUpdates(registration: RegistrationLike, container: ContainerLike): void {
  const offer = () => useOfflineState.setState({ openNewVersion: () => void activate() });
  const activate = async () => {
    // If another tab has already activated the new build, no worker is waiting, and a reload is enough.
    if (registration.waiting) {
      const takenOver = new Promise((resolve) => {
        container.addEventListener('controllerchange', resolve, { once: true });
        setTimeout(resolve, TAKE_OVER_TIMEOUT_MS);
      });
      registration.waiting.postMessage(SKIP_WAITING_MESSAGE);
      await takenOver;
    }
    // If a form has unsaved changes, the browser asks before reloading. If the user cancels, the page and the banner stay.
    window.location.reload();
  };
  const watch = (worker: ServiceWorkerLike | null) => {
    // A page without a controller is installing its first service worker and is already up to date.
    const offerInstalled = () => worker?.state === 'installed' && container.controller && offer();
    worker?.addEventListener('statechange', offerInstalled);
    offerInstalled();
  };
  watch(registration.waiting);
  watch(registration.installing);
  registration.addEventListener('updatefound', () => watch(registration.installing));
}

function scheduleUpdateChecks(registration: ServiceWorkerRegistration): void {
  let checkedAt = Date.now();
  const check = () => {
    if (document.hidden || !navigator.onLine || Date.now() - checkedAt < MIN_CHECK_INTERVAL_MS) return;
    checkedAt = Date.now();
    registration.update().catch(() => undefined);
  };
  setInterval(check, HOUR_MS);
  window.addEventListener('focus', check);
  document.addEventListener('visibilitychange', check);
}
