import { PRODUCT_NAME } from '@callout/domain/product/product';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { centralMessage } from '../../lib/error-messages.ts';
import { useOnline } from '../../lib/use-online.ts';
import { Button } from '../../ui/button.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { isChunkError } from '../route-chunks.ts';
import { PlainError } from './plain-error.tsx';

/** Whatever a page throws ends here, inside the shell, so that people can go elsewhere. */
export function ErrorPage({ error }: ErrorComponentProps) {
  const router = useRouter();
  if (isChunkError(error)) return <PageNotLoaded />;
  return (
    <PlainError message={centralMessage(error)}>
      <Button onClick={() => void router.invalidate()}>Retry</Button>
      <LinkButton to="/dashboard" tone="quiet">
        Go to the dashboard
      </LinkButton>
    </PlainError>
  );
}

/** The page's code is missing. Offline it opens as soon as the connection is back; after an update only a reload gets the new code. */
function PageNotLoaded() {
  const router = useRouter();
  const online = useOnline();
  useEffect(() => {
    const retry = () => void router.invalidate();
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  }, [router]);
  if (!online) {
    return (
      <PlainError message="You're offline, and this page hasn't been loaded yet. It opens once you're back online.">
        <Button onClick={() => void router.invalidate()}>Retry</Button>
      </PlainError>
    );
  }
  return (
    <PlainError message={`${PRODUCT_NAME} has been updated, or the connection was lost. Reload the page to continue.`}>
      <Button tone="primary" onClick={() => window.location.reload()}>
        Reload
      </Button>
    </PlainError>
  );
}
