import { type SubmitEvent, useRef, useState } from 'react';
import { fieldErrors, reportFailure } from '../../lib/error-messages.ts';
import { Button } from '../../ui/button.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { signIn } from './auth.api.ts';
import { authFailure } from './auth-failure.ts';
import { EmailField } from './email-field.tsx';

interface SignInFormProps {
  email: string;
  onEmail: (email: string) => void;
  onSignedIn: () => void;
}

/** A plain form whose input only the server validates: the first page of all loads neither a form library nor the schemas. */
export function SignInForm({ email, onEmail, onSignedIn }: SignInFormProps) {
  const [password, setPassword] = useState('');
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [isSaving, setSaving] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isSaving) return;
    setSaving(true);
    try {
      await signIn({ email, password });
      onSignedIn();
    } catch (error) {
      const wrong = fieldErrors(error);
      setErrors(wrong);
      const [first] = Object.keys(wrong);
      if (first === undefined) reportFailure(error, authFailure(error, 'Failed to sign in'));
      else form.current?.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus();
    } finally {
      setSaving(false);
    }
  };

  return (
    <form ref={form} onInput={() => setErrors({})} noValidate onSubmit={(event) => void submit(event)} className="space-y-4">
      <EmailField name="email" value={email} onChange={(event) => onEmail(event.target.value)} error={errors['email']} />
      <PasswordField
        name="password"
        label="Password"
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        error={errors['password']}
      />
      <Button type="submit" tone="primary" wide busy={isSaving}>
        {isSaving ? 'Signing in…' : 'Sign In'}
      </Button>
    </form>
  );
}
