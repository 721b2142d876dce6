import { useCanGoBack, useLocation, useRouter } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { IconButton } from '../../ui/button.tsx';
import { backFallback, hasBack } from '../back-fallback.ts';

export function BackButton() {
  const router = useRouter();
  const pathname = useLocation({ select: (location) => location.pathname });
  const canGoBack = useCanGoBack();
  if (!hasBack(pathname)) return null;
  const back = () => {
    if (canGoBack) router.history.back();
    else void router.navigate({ to: backFallback(pathname), replace: true });
  };
  return (
    <IconButton label="Back" onClick={back}>
      <ArrowLeft aria-hidden="true" />
    </IconButton>
  );
}
