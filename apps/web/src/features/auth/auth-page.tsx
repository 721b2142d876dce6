import { PRODUCT_NAME } from '@callout/domain/product/product';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useLazyModule } from '../../ui/use-lazy-module.ts';
import type { AccountScreen, AuthMode } from './account-forms.tsx';
import { AuthFrame } from './auth-frame.tsx';
import { SignInForm } from './sign-in-form.tsx';

/** The search parameters of /auth. `reset` and `token` come from the mailed link; `next` is the page to open after signing in. */
export interface AuthSearch {
  mode?: AuthMode | undefined;
  reset?: true | undefined;
  token?: string | undefined;
  next?: string | undefined;
}

interface AuthPageProps {
  search: AuthSearch;
  onSearch: (search: AuthSearch) => void;
  /** With the mailed link. */
  onPasswordSet: () => void;
}

type Screen = 'sign-in' | AccountScreen;

const TITLES: Record<Screen, string> = {
  'sign-in': `Sign in to ${PRODUCT_NAME}`,
  'create-account': 'Create your account',
  'reset-password': 'Reset your password',
  'new-password': 'Choose a new password',
};

/** Sign in, create an account, reset a password, and set a new one with the mailed link. */
export function AuthPage({ search, onSearch, onPasswordSet }: AuthPageProps) {
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
        <accountForms.AccountForms {...typed} screen={screen} token={search.token ?? ''} onMode={show} onPasswordSet={onPasswordSet} />
      )}
      {screen !== 'sign-in' && !accountForms && <Skeleton className="h-52" />}
    </AuthFrame>
  );
}

const HOME = '/dashboard';

/** The page to open after signing in: always one of ours, since a link can put anything into `next`. */
export function nextPath(next: string | undefined): string {
  if (!next?.startsWith('/')) return HOME;
  const { origin, pathname, search, hash } = new URL(next, 'http://page');
  if (origin !== 'http://page' || pathname.startsWith('//') || pathname === '/auth') return HOME;
  return pathname + search + hash;
}

const BACK: [AuthMode, string][] = [['sign-in', 'Back to sign in']];

const OTHER_MODES: Record<Screen, [AuthMode, string][]> = {
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
      {OTHER_MODES[screen].map(([mode, label]) => (
        <Button key={mode} tone="quiet" onClick={() => onMode(mode)}>
          {label}
        </Button>
      ))}
    </nav>
  );
}
