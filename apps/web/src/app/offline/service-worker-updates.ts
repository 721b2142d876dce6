import { HOUR_MS } from '@callout/domain/time/time-units';
import { useOfflineState } from './offline-state.ts';
import { SKIP_WAITING_MESSAGE } from './service-worker-messages.ts';

/** Limits how often switching between windows triggers an update check. */
const MIN_CHECK_INTERVAL_MS = 60 * 1000;
/** Generous, because a waiting worker usually takes over within a second. */
const TAKE_OVER_TIMEOUT_MS = 5_000;

/** Rejects if service workers are unavailable, for example over plain HTTP. */
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
    // No worker is waiting if another tab has already activated the new build.
    if (registration.waiting) {
      const takenOver = new Promise((resolve) => {
        container.addEventListener('controllerchange', resolve, { once: true });
        setTimeout(resolve, TAKE_OVER_TIMEOUT_MS);
      });
      registration.waiting.postMessage(SKIP_WAITING_MESSAGE);
      await takenOver;
    }
    // The browser asks first if a form has unsaved changes. If the user cancels, the current version and the banner stay.
    window.location.reload();
  };
  const watch = (worker: ServiceWorkerLike | null) => {
    // A page without a controller installs its first worker and is already up to date.
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
