import type { ReactNode } from 'react';
import { toast } from '../../ui/toast.ts';
import { CreateAccountForm } from './create-account-form.tsx';
import { NewPasswordForm } from './new-password-form.tsx';
import { ResetRequestForm } from './reset-request-form.tsx';

export type AuthMode = 'sign-in' | 'create-account' | 'reset-password';
export type AuthFormsScreen = Exclude<AuthMode, 'sign-in'> | 'new-password';

interface AuthFormsProps {
  screen: AuthFormsScreen;
  email: string;
  onEmailChange: (email: string) => void;
  token: string;
  onModeChange: (mode: AuthMode) => void;
  onPasswordSet: () => void;
}

/** Renders every auth form except sign-in. Loaded lazily, so that the sign-in page stays small. */
export function AuthForms({ screen, email, onEmailChange, token, onModeChange, onPasswordSet }: AuthFormsProps) {
  const returnToSignIn = (text: string) => {
    toast.success(text);
    onModeChange('sign-in');
  };
  const forms: Record<AuthFormsScreen, ReactNode> = {
    'create-account': (
      <CreateAccountForm email={email} onEmailChange={onEmailChange} onCreated={() => returnToSignIn('Account created! Please sign in.')} />
    ),
    'reset-password': <ResetRequestForm email={email} onEmailChange={onEmailChange} />,
    'new-password': (
      <NewPasswordForm
        token={token}
        onChanged={() => {
          onPasswordSet();
          returnToSignIn('Password updated successfully');
        }}
        onRequestNewLink={() => onModeChange('reset-password')}
      />
    ),
  };
  return forms[screen];
}
