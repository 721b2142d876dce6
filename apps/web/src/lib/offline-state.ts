import { create } from 'zustand';
import { useOnlineStatus } from '../ui/use-browser-state.ts';

interface OfflineState {
  /** False from the moment the server stops responding until all data on screen is refetched. Independent of `navigator.onLine`. */
  readonly isReachable: boolean;
  /** When the server responded last, in epoch milliseconds. Set only while the server is unreachable. */
  readonly lostAt?: number | undefined;
  /** When the oldest data on screen was fetched, in epoch milliseconds. Set only while the server is unreachable. */
  readonly oldestReadAt?: number | undefined;
  /** Checks whether the server is unreachable or only the live connection was lost. */
  readonly onLiveConnectionLost?: () => void;
  /** Hides the hint to install the app for good. Undefined if there is nothing to hint at. */
  readonly dismissInstallHint?: (() => void) | undefined;
  /** Reloads the page with the newly installed build. Undefined if there is no new build. */
  readonly openNewVersion?: () => void;
}

/** In a separate file, because every page imports this state. The rest of the offline code loads later. */
export const useOfflineState = create<OfflineState>()(() => ({ isReachable: true }));

/** Returns true if the server can't be reached, whoever has noticed it. */
export function useIsOffline(): boolean {
  const isOnline = useOnlineStatus();
  return !useOfflineState(({ isReachable }) => isReachable) || !isOnline;
}
