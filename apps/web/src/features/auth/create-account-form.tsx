import { Credentials } from '@callout/contract/auth';
import type { ChangeEvent } from 'react';
import { z } from 'zod';
import { useServerForm } from '../../lib/use-server-form.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { reportAuthFailure, signUp } from './auth.api.ts';
import { EmailField } from './auth-frame.tsx';
import { NewPasswordFields, PASSWORDS_DIFFER, passwordsMatch } from './new-password-fields.tsx';

export const CreateAccountSchema = Credentials.extend({ confirm: z.string() }).refine(passwordsMatch, PASSWORDS_DIFFER);

interface CreateAccountFormProps {
  email: string;
  onEmail: (email: string) => void;
  onCreated: () => void;
}

export function CreateAccountForm({ email, onEmail, onCreated }: CreateAccountFormProps) {
  const { form, submit, saving } = useServerForm({
    schema: CreateAccountSchema,
    defaultValues: { email, password: '', confirm: '' },
    save: (account) => signUp({ email: account.email, password: account.password }),
    saved: onCreated,
    failed: (error, atFields) => {
      if (!atFields) form.setError('root', { message: reportAuthFailure(error, 'Failed to create account') });
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
      <Button type="submit" tone="primary" wide busy={saving}>
        {saving ? 'Creating account…' : 'Create Account'}
      </Button>
    </form>
  );
}
