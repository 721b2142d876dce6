import { useSyncExternalStore } from 'react';
import { Banner } from '../../ui/banner.tsx';

function subscribe(changed: () => void): () => void {
  window.addEventListener('online', changed);
  window.addEventListener('offline', changed);
  return () => {
    window.removeEventListener('online', changed);
    window.removeEventListener('offline', changed);
  };
}

export function OfflineBanner() {
  const online = useSyncExternalStore(subscribe, () => navigator.onLine);
  if (online) return null;
  return (
    <Banner data-toast-below="" tone="warn" className="sticky top-(--header-height) z-20 rounded-none">
      You are offline. You can go on looking at what is already here; saving works again when the connection is back.
    </Banner>
  );
}
