import { PRODUCT_NAME } from '@callout/domain/product/product';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { Compass, Lock } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { meQuery } from '../features/company/company.api.ts';
import { centralMessage, messageOf, PROFILE_UNAVAILABLE } from '../lib/error-messages.ts';
import { useDocumentTitle } from '../lib/use-document-title.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { useOnline } from '../ui/use-browser-state.ts';
import { answersAgain } from './guard.ts';
import { isChunkError } from './route-chunks.ts';
import { signOutEverywhere } from './session.ts';

/** Shown while a page's code is loading. */
export function PagePending() {
  return (
    <div role="status">
      <span className="sr-only">Loading...</span>
      <Skeleton className="mb-5 h-8 w-44" />
      <Skeleton className="h-64 rounded-card" />
    </div>
  );
}

/** Shown until the signed-in user is known. */
export function Loading() {
  return <p className="p-6 text-base text-ink-2">Loading...</p>;
}

/** What failed and what to do. Part of the entry: the connection may be what failed. */
export function PlainError({ message, children }: { message: string; children: ReactNode }) {
  return (
    <div role="alert" className="flex flex-col items-center px-6 py-12 text-center">
      <p className="max-w-md text-lg font-medium">{message}</p>
      <div className="mt-5 flex flex-wrap justify-center gap-2">{children}</div>
    </div>
  );
}

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

const LOOK_AGAIN_MS = 10_000;

/** Without the profile no page can be shown: it holds the role, which decides what the user may see. Goes by itself once the server answers. */
export function ProfileErrorPage({ error }: ErrorComponentProps) {
  const router = useRouter();
  const [retrying, setRetrying] = useState(false);
  // The specification has its own text for the settings.
  const inSettings = router.latestLocation.pathname === '/settings';
  const retry = async () => {
    setRetrying(true);
    await router.invalidate();
    setRetrying(false);
  };
  useEffect(() => {
    const { queryClient } = router.options.context;
    // Then it is something else that failed, and would fail again.
    if (queryClient.getQueryData(meQuery.queryKey)) return undefined;
    const look = async () => {
      if (await answersAgain(queryClient)) await router.invalidate();
    };
    void look();
    const timer = setInterval(() => void look(), LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [router]);
  return (
    <main className="mx-auto flex min-h-dvh max-w-lg items-center justify-center">
      <PlainError message={inSettings ? `Failed to load profile: ${messageOf(error)}` : PROFILE_UNAVAILABLE}>
        <Button busy={retrying} onClick={() => void retry()}>
          Retry
        </Button>
        <Button tone="quiet" onClick={() => void signOutEverywhere()}>
          Sign Out
        </Button>
      </PlainError>
    </main>
  );
}

const TO_DASHBOARD = (
  <LinkButton to="/dashboard" tone="primary">
    Go to the dashboard
  </LinkButton>
);

export function NotFoundPage() {
  useDocumentTitle('Page not found');
  return (
    <EmptyState icon={Compass} sentence="Page not found" alone hint="The link may be out of date or mistyped." action={TO_DASHBOARD} />
  );
}

const SENTENCE = "You don't have permission to view this page.";

export function AccessDeniedPage({ sentence = SENTENCE }: { sentence?: string | undefined }) {
  return <EmptyState icon={Lock} sentence="Access Denied" alone hint={sentence} action={TO_DASHBOARD} />;
}
