import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { getFieldErrors, hasErrorCode } from '../../lib/error-messages.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { FINE_POINTER_QUERY } from '../../ui/use-browser-state.ts';
import { formatAuthError, signIn } from './auth.api.ts';
import { EmailField } from './auth-layout.tsx';

interface SignInFormProps {
  email: string;
  onEmailChange: (email: string) => void;
  onSignedIn: () => void;
}

/** Signs the user in. Only the server validates the input, so that the sign-in page loads neither the form library nor the schemas. */
export function SignInForm({ email, onEmailChange, onSignedIn }: SignInFormProps) {
  const [password, setPassword] = useState('');
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [isSigningIn, setSigningIn] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const [hasInitialEmail] = useState(email !== '');
  // After signing up, only the password is missing. On touch screens, a focused field would open the keyboard.
  useEffect(() => {
    if (hasInitialEmail && window.matchMedia(FINE_POINTER_QUERY).matches)
      form.current?.querySelector<HTMLInputElement>('[name=password]')?.focus();
  }, [hasInitialEmail]);

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isSigningIn) return;
    setSigningIn(true);
    try {
      await signIn({ email, password });
      onSignedIn();
    } catch (error) {
      const invalidFields = getFieldErrors(error);
      const [first] = Object.keys(invalidFields);
      setErrors(first === undefined ? { form: formatAuthError(error, 'Failed to sign in') } : invalidFields);
      const invalidField = hasErrorCode(error, 'INVALID_CREDENTIALS') ? 'password' : first;
      const field = invalidField === undefined ? null : form.current?.querySelector<HTMLInputElement>(`[name=${invalidField}]`);
      field?.focus();
      if (invalidField === 'password') field?.select();
    } finally {
      setSigningIn(false);
    }
  };

  return (
    <form ref={form} onInput={() => setErrors({})} noValidate onSubmit={(event) => void submit(event)} className="space-y-4">
      <EmailField name="email" value={email} onChange={(event) => onEmailChange(event.target.value)} error={errors['email']} />
      <PasswordField
        name="password"
        label="Password"
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        error={errors['password']}
      />
      {errors['form'] && <Banner tone="danger">{errors['form']}</Banner>}
      <Button type="submit" tone="primary" fullWidth busy={isSigningIn}>
        {isSigningIn ? 'Signing in…' : 'Sign In'}
      </Button>
    </form>
  );
}
