import { Credentials } from '@callout/contract/auth';
import type { ChangeEvent } from 'react';
import { z } from 'zod';
import { useServerForm } from '../../lib/use-server-form.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { formatAuthError, signUp } from './auth.api.ts';
import { EmailField } from './auth-layout.tsx';
import { doPasswordsMatch, NewPasswordFields, PASSWORD_MISMATCH_ISSUE } from './new-password-fields.tsx';

export const CreateAccountSchema = Credentials.extend({ confirm: z.string() }).refine(doPasswordsMatch, PASSWORD_MISMATCH_ISSUE);

interface CreateAccountFormProps {
  email: string;
  onEmailChange: (email: string) => void;
  onCreated: () => void;
}

export function CreateAccountForm({ email, onEmailChange: onEmail, onCreated }: CreateAccountFormProps) {
  const { form, submit, saving } = useServerForm({
    schema: CreateAccountSchema,
    defaultValues: { email, password: '', confirm: '' },
    save: (account) => signUp({ email: account.email, password: account.password }),
    onSaved: onCreated,
    onFailed: (error, hasFieldErrors) => {
      if (!hasFieldErrors) form.setError('root', { message: formatAuthError(error, 'Failed to create account') });
    },
  });
  const { errors } = form.formState;
  return (
    <form noValidate onSubmit={submit} className="space-y-4">
      <EmailField
        {...form.register('email', { onChange: (event: ChangeEvent<HTMLInputElement>) => onEmail(event.target.value) })}
        error={errors.email?.message}
      />
      <NewPasswordFields
        label="Password"
        password={form.register('password', { deps: 'confirm' })}
        confirm={form.register('confirm')}
        errors={errors}
      />
      {errors.root && <Banner tone="danger">{errors.root.message}</Banner>}
      <Button type="submit" tone="primary" fullWidth busy={saving}>
        {saving ? 'Creating account…' : 'Create Account'}
      </Button>
    </form>
  );
}
