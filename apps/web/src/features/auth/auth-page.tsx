import { PRODUCT_NAME } from '@callout/domain/product/product';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toast.ts';
import { AuthFrame } from './auth-frame.tsx';
import type { AuthMode, AuthSearch } from './auth-mode.ts';
import { CreateAccountForm } from './create-account-form.tsx';
import { NewPasswordForm } from './new-password-form.tsx';
import { nextPath } from './next-path.ts';
import { ResetRequestForm } from './reset-request-form.tsx';
import { SignInForm } from './sign-in-form.tsx';

interface AuthPageProps {
  search: AuthSearch;
  onSearch: (search: AuthSearch) => void;
}

type Screen = AuthMode | 'new-password';

const TITLES: Record<Screen, string> = {
  'sign-in': `Sign in to ${PRODUCT_NAME}`,
  'create-account': 'Create your account',
  'reset-password': 'Reset your password',
  'new-password': 'Choose a new password',
};

/** Outside the shell: sign in, create account, reset password, and the new password behind the mailed link. */
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
  const created = () => {
    toast.success('Account created! Please sign in.');
    show('sign-in');
  };
  const changed = () => {
    toast.success('Password updated successfully');
    show('sign-in');
  };

  const typed = { email, onEmail: setEmail };
  const forms: Record<Screen, ReactNode> = {
    'sign-in': <SignInForm {...typed} onSignedIn={signedIn} />,
    'create-account': <CreateAccountForm {...typed} onCreated={created} />,
    'reset-password': <ResetRequestForm {...typed} />,
    'new-password': <NewPasswordForm token={search.token ?? ''} onChanged={changed} onNewLink={() => show('reset-password')} />,
  };
  return (
    <AuthFrame title={TITLES[screen]} below={<OtherModes screen={screen} onMode={show} />}>
      {forms[screen]}
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
