import { create } from 'zustand';
import { useOnline } from '../../ui/use-browser-state.ts';

interface OfflineState {
  /** False while the server does not answer, and until what is on screen has been read again: the browser may be online, and the server not. */
  readonly isReachable: boolean;
  /** While it is false: how old the oldest on screen is. */
  readonly readAt?: number | undefined;
  /** The live connection is lost: asks whether the server is. */
  readonly onLost?: () => void;
  /** A new version is ready: opens it. */
  readonly openNewVersion?: () => void;
}

/** Small, for every page; what sets it is loaded later. */
export const useOfflineState = create<OfflineState>()(() => ({ isReachable: true }));

export function useConnected(): boolean {
  const isOnline = useOnline();
  return useOfflineState(({ isReachable }) => isReachable) && isOnline;
}
