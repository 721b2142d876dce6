import { useOnline } from '../../lib/use-online.ts';
import { Banner } from '../../ui/banner.tsx';

export function OfflineBanner() {
  if (useOnline()) return null;
  return (
    <Banner data-toast-below="" tone="warn" className="sticky top-(--header-height) z-20 rounded-none">
      You are offline. You can go on looking at what is already here; saving works again when the connection is back.
    </Banner>
  );
}
