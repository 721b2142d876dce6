import { Credentials } from '@callout/contract/auth';
import type { ChangeEvent } from 'react';
import { reportFailure } from '../../lib/report-failure.ts';
import { useServerForm } from '../../lib/use-server-form.ts';
import { Button } from '../../ui/button.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { signIn } from './auth.api.ts';
import { authFailure } from './auth-failure.ts';
import { EmailField } from './email-field.tsx';

interface SignInFormProps {
  email: string;
  onEmail: (email: string) => void;
  onSignedIn: () => void | Promise<void>;
}

export function SignInForm({ email, onEmail, onSignedIn }: SignInFormProps) {
  const { form, submit, saving } = useServerForm({
    schema: Credentials,
    defaultValues: { email, password: '' },
    save: signIn,
    saved: onSignedIn,
    failed: (error, atFields) => {
      if (!atFields) reportFailure(error, authFailure(error, 'Failed to sign in'));
    },
  });
  const { errors } = form.formState;
  return (
    <form noValidate onSubmit={submit} className="space-y-4">
      <EmailField
        {...form.register('email', { onChange: (event: ChangeEvent<HTMLInputElement>) => onEmail(event.target.value) })}
        error={errors.email?.message}
      />
      <PasswordField {...form.register('password')} label="Password" autoComplete="current-password" error={errors.password?.message} />
      <Button type="submit" tone="primary" wide busy={saving}>
        {saving ? 'Signing in…' : 'Sign In'}
      </Button>
    </form>
  );
}
