import { PRODUCT_NAME } from '@callout/domain/product/product';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useLazyModule } from '../../ui/use-lazy-module.ts';
import type { AuthFormsScreen, AuthMode } from './auth-forms.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { getPathAfterSignIn } from './path-after-sign-in.ts';
import { SignInForm } from './sign-in-form.tsx';

/** Search parameters of /auth. `reset` and `token` come from the emailed link. `next` is the path to open after sign-in. */
export interface AuthSearch {
  mode?: AuthMode | undefined;
  reset?: true | undefined;
  token?: string | undefined;
  next?: string | undefined;
}

interface AuthPageProps {
  search: AuthSearch;
  onSearchChange: (search: AuthSearch) => void;
  /** Called after the user has set a new password with the emailed link. */
  onPasswordSet: () => void;
}

type AuthScreen = 'sign-in' | AuthFormsScreen;

const TITLES: Record<AuthScreen, string> = {
  'sign-in': `Sign in to ${PRODUCT_NAME}`,
  'create-account': 'Create your account',
  'reset-password': 'Reset your password',
  'new-password': 'Choose a new password',
};

/** Page for signing in, creating an account, requesting a password reset and setting a new password. */
export function AuthPage({ search, onSearchChange, onPasswordSet }: AuthPageProps) {
  const router = useRouter();
  const queryClient = useQueryClient();
  const [email, setEmail] = useState('');
  const screen: AuthScreen = search.reset ? 'new-password' : (search.mode ?? 'sign-in');
  const setMode = (mode: AuthMode) =>
    onSearchChange({ ...(mode === 'sign-in' ? {} : { mode }), ...(search.next ? { next: search.next } : {}) });

  const openNextPage = () => {
    queryClient.removeQueries();
    router.history.replace(getPathAfterSignIn(search.next));
  };
  const forms = useLazyModule(() => import('./auth-forms.tsx'), screen !== 'sign-in');
  const shared = { email, onEmailChange: setEmail };
  return (
    <AuthLayout title={TITLES[screen]} below={<ModeLinks screen={screen} onModeChange={setMode} />}>
      {screen === 'sign-in' && <SignInForm {...shared} onSignedIn={openNextPage} />}
      {screen !== 'sign-in' && forms && (
        <forms.AuthForms {...shared} screen={screen} token={search.token ?? ''} onModeChange={setMode} onPasswordSet={onPasswordSet} />
      )}
      {screen !== 'sign-in' && !forms && <Skeleton className="h-52" />}
    </AuthLayout>
  );
}

const BACK_TO_SIGN_IN: [AuthMode, string][] = [['sign-in', 'Back to sign in']];

const MODE_LINKS: Record<AuthScreen, [AuthMode, string][]> = {
  'sign-in': [
    ['reset-password', 'Forgot your password?'],
    ['create-account', 'New here? Create an account'],
  ],
  'create-account': [['sign-in', 'Have an account? Sign in']],
  'reset-password': BACK_TO_SIGN_IN,
  'new-password': BACK_TO_SIGN_IN,
};

function ModeLinks({ screen, onModeChange }: { screen: AuthScreen; onModeChange: (mode: AuthMode) => void }) {
  return (
    <nav aria-label="Other options" className="mt-4 flex flex-col items-center gap-1">
      {MODE_LINKS[screen].map(([mode, label]) => (
        <Button key={mode} tone="quiet" onClick={() => onModeChange(mode)}>
          {label}
        </Button>
      ))}
    </nav>
  );
}
