import { useOnline } from '../../lib/use-online.ts';
import { Banner } from '../../ui/banner.tsx';

export function OfflineBanner() {
  if (useOnline()) return null;
  return (
    <Banner tone="warn" className="sticky top-(--header-height) z-20 rounded-none">
      You're offline. You can keep viewing what's loaded; saving works again once you're back online.
    </Banner>
  );
}
