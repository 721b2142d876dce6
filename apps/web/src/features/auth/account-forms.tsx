import type { ReactNode } from 'react';
import { toast } from '../../ui/toast.ts';
import { CreateAccountForm } from './create-account-form.tsx';
import { NewPasswordForm } from './new-password-form.tsx';
import { ResetRequestForm } from './reset-request-form.tsx';

export type AuthMode = 'sign-in' | 'create-account' | 'reset-password';
export type AccountScreen = Exclude<AuthMode, 'sign-in'> | 'new-password';

interface AccountFormsProps {
  screen: AccountScreen;
  email: string;
  onEmail: (email: string) => void;
  /** The secret part of the mailed link. */
  token: string;
  onMode: (mode: AuthMode) => void;
  onPasswordSet: () => void;
}

/** All forms but sign-in, loaded when one of them is opened. */
export function AccountForms({ screen, email, onEmail, token, onMode, onPasswordSet }: AccountFormsProps) {
  const signInNext = (text: string) => {
    toast.success(text);
    onMode('sign-in');
  };
  const forms: Record<AccountScreen, ReactNode> = {
    'create-account': (
      <CreateAccountForm email={email} onEmail={onEmail} onCreated={() => signInNext('Account created! Please sign in.')} />
    ),
    'reset-password': <ResetRequestForm email={email} onEmail={onEmail} />,
    'new-password': (
      <NewPasswordForm
        token={token}
        onChanged={() => {
          onPasswordSet();
          signInNext('Password updated successfully');
        }}
        onNewLink={() => onMode('reset-password')}
      />
    ),
  };
  return forms[screen];
}
