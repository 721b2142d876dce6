import { PasswordChange } from '@callout/contract/auth';
import { useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { hasCode, messageOf, reportFailure } from '../../lib/error-messages.ts';
import { useServerForm } from '../../lib/use-server-form.ts';
import { Button } from '../../ui/button.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { toast } from '../../ui/toast.ts';
import { authMessage } from './auth.api.ts';
import { changePassword, devicesQuery } from './auth-account.api.ts';

export const ChangePasswordSchema = PasswordChange.extend({ confirm: z.string() }).refine((form) => form.new_password === form.confirm, {
  error: 'New passwords do not match',
  path: ['confirm'],
});

const SUBJECT = { subject: 'password' };
const EMPTY = { current_password: '', new_password: '', confirm: '' };

export function ChangePasswordForm({ email }: { email: string }) {
  const queryClient = useQueryClient();
  const { form, submit, saving } = useServerForm({
    schema: ChangePasswordSchema,
    defaultValues: EMPTY,
    save: ({ current_password, new_password }) => changePassword({ current_password, new_password }),
    saved: () => {
      toast.success('Password updated successfully', SUBJECT);
      void queryClient.invalidateQueries({ queryKey: devicesQuery.queryKey });
      form.reset(EMPTY);
    },
    failed: (error, atFields) => {
      if (hasCode(error, 'WRONG_PASSWORD')) form.setError('current_password', { message: error.message }, { shouldFocus: true });
      else if (!atFields) reportFailure(error, authMessage(error, `Failed to update password: ${messageOf(error)}`), SUBJECT);
    },
  });
  const { errors } = form.formState;
  return (
    <form noValidate onSubmit={submit} className="max-w-md space-y-4">
      {/* For password managers. */}
      <input type="text" name="username" value={email} readOnly autoComplete="username" hidden />
      <PasswordField
        {...form.register('current_password')}
        label="Current password"
        autoComplete="current-password"
        error={errors.current_password?.message}
      />
      <PasswordField
        {...form.register('new_password', { deps: 'confirm' })}
        label="New password"
        autoComplete="new-password"
        hint={errors.new_password ? undefined : 'At least 6 characters'}
        error={errors.new_password?.message}
      />
      <PasswordField
        {...form.register('confirm')}
        label="Confirm new password"
        autoComplete="new-password"
        error={errors.confirm?.message}
      />
      <Button type="submit" tone="primary" busy={saving}>
        {saving ? 'Saving…' : 'Change Password'}
      </Button>
    </form>
  );
}
