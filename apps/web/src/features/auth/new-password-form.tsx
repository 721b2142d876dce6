import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { hasCode, messageOf } from '../../lib/error-messages.ts';
import { useServerForm } from '../../lib/use-server-form.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { reportAuthFailure, resetPassword, viewResetLink } from './auth.api.ts';
import { NewPasswordFields, NewPasswordSchema } from './new-password-fields.tsx';

interface NewPasswordFormProps {
  token: string;
  onChanged: () => void;
  onNewLink: () => void;
}

/** Opened by the mailed link, which works once and for a limited time. */
export function NewPasswordForm({ token, onChanged, onNewLink }: NewPasswordFormProps) {
  const [wasUsed, setUsed] = useState(false);
  const { isLoading, error } = useQuery({
    queryKey: ['reset-link', token],
    queryFn: ({ signal }) => viewResetLink(token, signal),
    enabled: token !== '',
    // When it cannot be checked, the form itself finds out.
    retry: false,
    networkMode: 'always',
    // A second look must not replace the form while somebody types.
    staleTime: Number.POSITIVE_INFINITY,
    meta: { inlineErrors: true },
  });
  if (isLoading) return <Skeleton className="h-52" />;
  if (token === '' || wasUsed || hasCode(error, 'LINK_EXPIRED') || hasCode(error, 'INVALID_INPUT')) {
    return (
      <Banner tone="danger" actions={<Button onClick={onNewLink}>Request a new link</Button>}>
        This link was used before or has expired. Please request a new one.
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
    saved: onChanged,
    failed: (error, atFields) => {
      if (hasCode(error, 'LINK_EXPIRED')) onExpired();
      else if (!atFields) form.setError('root', { message: reportAuthFailure(error, `Failed to update password: ${messageOf(error)}`) });
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
      <Button type="submit" tone="primary" wide busy={saving}>
        {saving ? 'Saving…' : 'Set New Password'}
      </Button>
    </form>
  );
}
