import { PRODUCT_NAME } from '@callout/domain/product/product';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { Compass, Lock } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { meQueryOptions } from '../features/company/company.api.ts';
import { getErrorMessage, getReadErrorMessage, isServerBusy, PROFILE_UNAVAILABLE_MESSAGE } from '../lib/error-messages.ts';
import { useDocumentTitle } from '../lib/use-document-title.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { useOnlineStatus } from '../ui/use-browser-state.ts';
import { isServerResponding } from './auth-guard.ts';
import { isChunkLoadError } from './route-chunks.ts';
import { signOutAllTabs } from './session.ts';

/** Shown while a page's code is loading. */
export function PageSkeleton() {
  return (
    <div role="status">
      <span className="sr-only">Loading...</span>
      <Skeleton className="mb-5 h-8 w-44" />
      <Skeleton className="h-64 rounded-card" />
    </div>
  );
}

/** Shown until the app knows who is signed in. */
export function LoadingPage() {
  return <p className="p-6 text-base text-ink-2">Loading...</p>;
}

/** Must stay in the entry chunk, so that errors can be shown without a connection. */
export function ErrorNotice({ message, children }: { message: string; children: ReactNode }) {
  return (
    <div role="alert" className="flex flex-col items-center px-6 py-12 text-center">
      <p className="max-w-md text-lg font-medium">{message}</p>
      <div className="mt-5 flex flex-wrap justify-center gap-2">{children}</div>
    </div>
  );
}

/** Shown inside the shell if a page fails, so that the menu still works. */
export function ErrorPage({ error }: ErrorComponentProps) {
  const router = useRouter();
  if (isChunkLoadError(error)) return <ChunkErrorPage />;
  return (
    <ErrorNotice message={getReadErrorMessage(error)}>
      <Button onClick={() => void router.invalidate()}>Retry</Button>
      <LinkButton to="/dashboard" tone="quiet">
        Go to the dashboard
      </LinkButton>
    </ErrorNotice>
  );
}

/** Shown if a page's code fails to load. Retries once the browser is back online. After an update, only a reload helps. */
function ChunkErrorPage() {
  const router = useRouter();
  const isOnline = useOnlineStatus();
  useEffect(() => {
    const retry = () => void router.invalidate();
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  }, [router]);
  if (!isOnline) {
    return (
      <ErrorNotice message="You're offline, and this page hasn't been loaded yet. It'll open when you're back online.">
        <Button onClick={() => void router.invalidate()}>Retry</Button>
      </ErrorNotice>
    );
  }
  return (
    <ErrorNotice message={`${PRODUCT_NAME} has been updated, or the connection was lost. Reload the page to continue.`}>
      <Button tone="primary" onClick={() => window.location.reload()}>
        Reload
      </Button>
    </ErrorNotice>
  );
}

const RECHECK_INTERVAL_MS = 10_000;

/** Shown if the profile can't be loaded, because every page depends on the user's role. Retries once the server responds. */
export function ProfileErrorPage({ error }: ErrorComponentProps) {
  const router = useRouter();
  const [isRetrying, setRetrying] = useState(false);
  const reason = getErrorMessage(error);
  const message = isServerBusy(error) ? reason : PROFILE_UNAVAILABLE_MESSAGE;
  // The specification requires a different text on the settings page.
  const isSettings = router.latestLocation.pathname === '/settings';
  const retry = async () => {
    setRetrying(true);
    await router.invalidate();
    setRetrying(false);
  };
  useEffect(() => {
    const { queryClient } = router.options.context;
    // If `me` has loaded, something else failed, and an automatic retry would fail again.
    if (queryClient.getQueryData(meQueryOptions.queryKey)) return undefined;
    const recheck = async () => {
      if (await isServerResponding(queryClient)) await router.invalidate();
    };
    void recheck();
    const timer = setInterval(() => void recheck(), RECHECK_INTERVAL_MS);
    return () => clearInterval(timer);
  }, [router]);
  return (
    <main className="mx-auto flex min-h-dvh max-w-lg items-center justify-center">
      <ErrorNotice message={isSettings ? `Failed to load profile: ${reason}` : message}>
        <Button busy={isRetrying} onClick={() => void retry()}>
          Retry
        </Button>
        <Button tone="quiet" onClick={() => void signOutAllTabs()}>
          Sign Out
        </Button>
      </ErrorNotice>
    </main>
  );
}

const DASHBOARD_LINK = (
  <LinkButton to="/dashboard" tone="primary">
    Go to the dashboard
  </LinkButton>
);

export function NotFoundPage() {
  useDocumentTitle('Page not found');
  return (
    <EmptyState icon={Compass} message="Page not found" isHeading hint="The link may be out of date or mistyped." action={DASHBOARD_LINK} />
  );
}

const DEFAULT_DENIED_MESSAGE = "You don't have permission to view this page.";

export function AccessDeniedPage({ message = DEFAULT_DENIED_MESSAGE }: { message?: string | undefined }) {
  return <EmptyState icon={Lock} message="Access Denied" isHeading hint={message} action={DASHBOARD_LINK} />;
}
