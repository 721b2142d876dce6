import type { ChangeEvent } from 'react';
import { reportFailure } from '../../lib/error-messages.ts';
import { useServerForm } from '../../lib/use-server-form.ts';
import { Button } from '../../ui/button.tsx';
import { signUp } from './auth.api.ts';
import { authFailure } from './auth-failure.ts';
import { CreateAccountForm as CreateAccountSchema } from './auth-schemas.ts';
import { EmailField } from './email-field.tsx';
import { NewPasswordFields } from './new-password-fields.tsx';

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
      if (!atFields) reportFailure(error, authFailure(error, 'Failed to create account'));
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
      <Button type="submit" tone="primary" wide busy={saving}>
        {saving ? 'Creating account…' : 'Create Account'}
      </Button>
    </form>
  );
}
