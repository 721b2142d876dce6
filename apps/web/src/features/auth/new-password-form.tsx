import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { getErrorMessage, hasErrorCode } from '../../lib/error-messages.ts';
import { useServerForm } from '../../lib/use-server-form.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { checkResetLink, formatAuthError, resetPassword } from './auth.api.ts';
import { NewPasswordFields, NewPasswordSchema } from './new-password-fields.tsx';

interface NewPasswordFormProps {
  token: string;
  onChanged: () => void;
  onRequestNewLink: () => void;
}

/** Opened by the emailed reset link, which works once and expires. */
export function NewPasswordForm({ token, onChanged, onRequestNewLink }: NewPasswordFormProps) {
  const [isUsed, setUsed] = useState(false);
  const { isLoading, error } = useQuery({
    queryKey: ['reset-link', token],
    queryFn: ({ signal }) => checkResetLink(token, signal),
    enabled: token !== '',
    // A retry would only delay the form. If the check fails, submitting the form still reports a bad link.
    retry: false,
    networkMode: 'always',
    // A refetch could replace the form while the user is typing, so the result never becomes stale.
    staleTime: Number.POSITIVE_INFINITY,
    meta: { inlineErrors: true },
  });
  if (isLoading) return <Skeleton className="h-52" />;
  if (token === '' || isUsed || hasErrorCode(error, 'LINK_EXPIRED') || hasErrorCode(error, 'INVALID_INPUT')) {
    return (
      <Banner tone="danger" actions={<Button onClick={onRequestNewLink}>Request a new link</Button>}>
        This link has already been used or has expired. Please request a new one.
      </Banner>
    );
  }
  return <PasswordForm token={token} onChanged={onChanged} onExpired={() => setUsed(true)} />;
}

interface PasswordFormProps extends Pick<NewPasswordFormProps, 'token' | 'onChanged'> {
  onExpired: () => void;
}

function PasswordForm({ token, onChanged, onExpired }: PasswordFormProps) {
  const { form, submit, saving } = useServerForm({
    schema: NewPasswordSchema,
    defaultValues: { password: '', confirm: '' },
    save: ({ password }) => resetPassword({ token, password }),
    onSaved: onChanged,
    onFailed: (error, hasFieldErrors) => {
      if (hasErrorCode(error, 'LINK_EXPIRED')) onExpired();
      else if (!hasFieldErrors)
        form.setError('root', { message: formatAuthError(error, `Failed to update password: ${getErrorMessage(error)}`) });
    },
  });
  const { errors } = form.formState;
  return (
    <form noValidate onSubmit={submit} className="space-y-4">
      <NewPasswordFields
        label="New password"
        password={form.register('password', { deps: 'confirm' })}
        confirm={form.register('confirm')}
        errors={errors}
      />
      {errors.root && <Banner tone="danger">{errors.root.message}</Banner>}
      <Button type="submit" tone="primary" fullWidth busy={saving}>
        {saving ? 'Saving…' : 'Set New Password'}
      </Button>
    </form>
  );
}
