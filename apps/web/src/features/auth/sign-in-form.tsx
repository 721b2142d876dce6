import { type SubmitEvent, useRef, useState } from 'react';
import { fieldErrors, hasCode } from '../../lib/error-messages.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { clearAuthFailure, reportAuthFailure, signIn } from './auth.api.ts';
import { EmailField } from './auth-frame.tsx';

interface SignInFormProps {
  email: string;
  onEmail: (email: string) => void;
  onSignedIn: () => void;
}

/** Validated by the server only: the sign-in page then needs neither the form library nor the schemas. */
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
      clearAuthFailure();
      onSignedIn();
    } catch (error) {
      const wrongFields = fieldErrors(error);
      const [first] = Object.keys(wrongFields);
      setErrors(first === undefined ? { form: reportAuthFailure(error, 'Failed to sign in') } : wrongFields);
      const wrong = hasCode(error, 'INVALID_CREDENTIALS') ? 'password' : first;
      const field = wrong === undefined ? null : form.current?.querySelector<HTMLInputElement>(`[name=${wrong}]`);
      field?.focus();
      if (wrong === 'password') field?.select();
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
      {errors['form'] && <Banner tone="danger">{errors['form']}</Banner>}
      <Button type="submit" tone="primary" wide busy={isSaving}>
        {isSaving ? 'Signing in…' : 'Sign In'}
      </Button>
    </form>
  );
}
