import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { messageOf, PROFILE_UNAVAILABLE } from '../../lib/error-messages.ts';
import { Button } from '../../ui/button.tsx';
import { signOutEverywhere } from '../session.ts';
import { PlainError } from './plain-error.tsx';

/** Without the profile no page can be shown: it decides what the person may see. */
export function ProfileErrorPage({ error }: ErrorComponentProps) {
  const router = useRouter();
  const [retrying, setRetrying] = useState(false);
  // The settings are where the profile is edited, and have words of their own.
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
