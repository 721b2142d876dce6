import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { PROFILE_UNAVAILABLE } from '../../lib/error-messages.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { signOutEverywhere } from '../session.ts';

/** Without the profile no page can be shown: it decides what the person may see. */
export function ProfileErrorPage() {
  const router = useRouter();
  const [retrying, setRetrying] = useState(false);
  const retry = async () => {
    setRetrying(true);
    await router.invalidate();
    setRetrying(false);
  };
  return (
    <main className="mx-auto flex min-h-dvh max-w-lg items-center justify-center">
      <ErrorState
        message={PROFILE_UNAVAILABLE}
        onRetry={() => void retry()}
        retrying={retrying}
        action={
          <Button tone="quiet" onClick={() => void signOutEverywhere()}>
            Sign Out
          </Button>
        }
      />
    </main>
  );
}
