import { PRODUCT_NAME } from '@callout/domain/product/product';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { centralMessage } from '../../lib/error-messages.ts';
import { Button } from '../../ui/button.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PlainError } from './plain-error.tsx';

/** After a deploy the pieces of the old page are gone; browsers word that differently. */
const PIECE_GONE = /dynamically imported module|importing a module script|error loading|preload css|failed to load module/i;

/** Whatever a page throws ends here, inside the shell, so that the way out stays. */
export function ErrorPage({ error }: ErrorComponentProps) {
  const router = useRouter();
  if (error instanceof Error && PIECE_GONE.test(error.message)) {
    return (
      <PlainError message={`${PRODUCT_NAME} has been updated, or the connection was lost. Reload the page to go on.`}>
        <Button tone="primary" onClick={() => window.location.reload()}>
          Reload
        </Button>
      </PlainError>
    );
  }
  return (
    <PlainError message={centralMessage(error)}>
      <Button onClick={() => void router.invalidate()}>Retry</Button>
      <LinkButton to="/dashboard" tone="quiet">
        Go to the dashboard
      </LinkButton>
    </PlainError>
  );
}
