import { listCommands, subscribeToCommands } from '../../lib/commands/outbox.ts';
import { useOfflineState } from '../../lib/offline-state.ts';

const HINT_STORAGE_KEY = 'callout-install-hint';

/** Keeps browsers from deleting what is stored, as far as they let a page. Call once something is stored. */
export function keepStoredData(): void {
  const isInstalled =
    window.matchMedia('(display-mode: standalone)').matches || (navigator as { standalone?: boolean }).standalone === true;
  if (isInstalled) requestPersistence();
  else requestPersistenceWhenUnsent();
  if (!isInstalled && /iPhone|iPad/.test(navigator.userAgent)) offerInstallHint();
}

function requestPersistence(): void {
  // Browsers without this API, and pages on plain http, have no `storage`.
  (navigator as Partial<Navigator>).storage?.persist().catch(() => undefined);
}

/** Firefox asks the person, who knows why once a change waits for a connection. Other browsers decide for themselves. */
function requestPersistenceWhenUnsent(): void {
  const stop = subscribeToCommands(() => {
    if (listCommands().length === 0 || navigator.onLine) return;
    stop();
    requestPersistence();
  });
}

/** Shows the hint until it is dismissed, which this device remembers. */
function offerInstallHint(): void {
  if (localStorage.getItem(HINT_STORAGE_KEY) !== null) return;
  const dismissInstallHint = () => {
    useOfflineState.setState({ dismissInstallHint: undefined });
    localStorage.setItem(HINT_STORAGE_KEY, 'dismissed');
  };
  useOfflineState.setState({ dismissInstallHint });
}
