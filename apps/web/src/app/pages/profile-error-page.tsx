import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { messageOf, PROFILE_UNAVAILABLE } from '../../lib/error-messages.ts';
import { Button } from '../../ui/button.tsx';
import { signOutEverywhere } from '../session.ts';
import { PlainError } from './plain-error.tsx';

/** Without the profile no page can be shown: it holds the role, which decides what the user may see. */
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
