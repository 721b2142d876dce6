import { PRODUCT_NAME } from '@callout/domain/product/product';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useLazyModule } from '../../ui/use-lazy-module.ts';
import type { AccountScreen } from './account-forms.tsx';
import { AuthFrame } from './auth-frame.tsx';
import type { AuthMode, AuthSearch } from './auth-mode.ts';
import { nextPath } from './next-path.ts';
import { SignInForm } from './sign-in-form.tsx';

interface AuthPageProps {
  search: AuthSearch;
  onSearch: (search: AuthSearch) => void;
}

type Screen = 'sign-in' | AccountScreen;

const TITLES: Record<Screen, string> = {
  'sign-in': `Sign in to ${PRODUCT_NAME}`,
  'create-account': 'Create your account',
  'reset-password': 'Reset your password',
  'new-password': 'Choose a new password',
};

/** Outside the shell: sign in, create account, reset password, and the new password from the mailed link. */
export function AuthPage({ search, onSearch }: AuthPageProps) {
  const router = useRouter();
  const queryClient = useQueryClient();
  const [email, setEmail] = useState('');
  const screen: Screen = search.reset ? 'new-password' : (search.mode ?? 'sign-in');
  const show = (mode: AuthMode) => onSearch({ ...(mode === 'sign-in' ? {} : { mode }), ...(search.next ? { next: search.next } : {}) });

  const signedIn = () => {
    queryClient.removeQueries();
    router.history.replace(nextPath(search.next));
  };
  const accountForms = useLazyModule(() => import('./account-forms.tsx'), screen !== 'sign-in');
  const typed = { email, onEmail: setEmail };
  return (
    <AuthFrame title={TITLES[screen]} below={<OtherModes screen={screen} onMode={show} />}>
      {screen === 'sign-in' && <SignInForm {...typed} onSignedIn={signedIn} />}
      {screen !== 'sign-in' && accountForms && (
        <accountForms.AccountForms {...typed} screen={screen} token={search.token ?? ''} onMode={show} />
      )}
      {screen !== 'sign-in' && !accountForms && <Skeleton className="h-52" />}
    </AuthFrame>
  );
}

const BACK: [AuthMode, string][] = [['sign-in', 'Back to sign in']];

const OFFERS: Record<Screen, [AuthMode, string][]> = {
  'sign-in': [
    ['reset-password', 'Forgot your password?'],
    ['create-account', 'New here? Create an account'],
  ],
  'create-account': [['sign-in', 'Have an account? Sign in']],
  'reset-password': BACK,
  'new-password': BACK,
};

function OtherModes({ screen, onMode }: { screen: Screen; onMode: (mode: AuthMode) => void }) {
  return (
    <nav aria-label="Other ways in" className="mt-4 flex flex-col items-center gap-1">
      {OFFERS[screen].map(([mode, words]) => (
        <Button key={mode} tone="quiet" onClick={() => onMode(mode)}>
          {words}
        </Button>
      ))}
    </nav>
  );
}
