import { create } from 'zustand';
import { useOnline } from '../../ui/use-browser-state.ts';

/** False from a start without the server's answer until its first one: the browser may be online, and the server not. */
export const useReachable = create<{ readonly isReachable: boolean }>()(() => ({ isReachable: true }));

export function useConnected(): boolean {
  const isOnline = useOnline();
  return useReachable(({ isReachable }) => isReachable) && isOnline;
}
