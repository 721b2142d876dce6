import { create } from 'zustand';
import { useOnline } from '../../ui/use-browser-state.ts';

interface OfflineState {
  /** False from a start without the server's answer until its first one: the browser may be online, and the server not. */
  readonly isReachable: boolean;
  /** A new version is ready: opens it. */
  readonly openNewVersion?: () => void;
}

/** Small, for every page; what sets it is loaded later. */
export const useOfflineState = create<OfflineState>()(() => ({ isReachable: true }));

export function useConnected(): boolean {
  const isOnline = useOnline();
  return useOfflineState(({ isReachable }) => isReachable) && isOnline;
}
