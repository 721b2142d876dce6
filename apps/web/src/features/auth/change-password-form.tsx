import { ChangePasswordInput } from '@callout/contract/auth';
import { useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { getErrorMessage, hasErrorCode, reportFailure } from '../../lib/error-messages.ts';
import { useServerForm } from '../../lib/use-server-form.ts';
import { Button } from '../../ui/button.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { toast } from '../../ui/toast.ts';
import { formatAuthError } from './auth.api.ts';
import { changePassword, signedInDevicesQueryOptions } from './auth-account.api.ts';

export const ChangePasswordSchema = ChangePasswordInput.extend({ confirm: z.string() }).refine(
  (form) => form.new_password === form.confirm,
  {
    error: 'New passwords do not match',
    path: ['confirm'],
  },
);

const TOAST_OPTIONS = { subject: 'password' };
const EMPTY_VALUES = { current_password: '', new_password: '', confirm: '' };

export function ChangePasswordForm({ email }: { email: string }) {
  const queryClient = useQueryClient();
  const { form, submit, saving } = useServerForm({
    schema: ChangePasswordSchema,
    defaultValues: EMPTY_VALUES,
    save: ({ current_password, new_password }) => changePassword({ current_password, new_password }),
    onSaved: () => {
      toast.success('Password updated successfully', TOAST_OPTIONS);
      void queryClient.invalidateQueries({ queryKey: signedInDevicesQueryOptions.queryKey });
      form.reset(EMPTY_VALUES);
    },
    onFailed: (error, hasFieldErrors) => {
      if (hasErrorCode(error, 'WRONG_PASSWORD')) form.setError('current_password', { message: error.message }, { shouldFocus: true });
      else if (!hasFieldErrors)
        reportFailure(error, formatAuthError(error, `Failed to update password: ${getErrorMessage(error)}`), TOAST_OPTIONS);
    },
  });
  const { errors } = form.formState;
  return (
    <form noValidate onSubmit={submit} className="max-w-md space-y-4">
      {/* Tells password managers which account the password belongs to. */}
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
