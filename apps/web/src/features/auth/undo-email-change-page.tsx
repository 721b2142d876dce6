import { useState } from 'react';
import { getErrorMessage, hasErrorCode } from '../../lib/error-messages.ts';
import { useServerForm } from '../../lib/use-server-form.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { formatAuthError } from './auth.api.ts';
import { undoEmailChange } from './auth-account.api.ts';
import { AuthLayout } from './auth-layout.tsx';
import { NewPasswordFields, NewPasswordSchema } from './new-password-fields.tsx';

interface UndoEmailChangePageProps {
  token: string;
  /** Called once the old email address is restored. By then, the account is signed out on every device, including this browser. */
  onRestored: () => void;
}

/** Opened by the link in an email to the old address. Restores the old address and sets a new password. */
export function UndoEmailChangePage({ token, onRestored }: UndoEmailChangePageProps) {
  const [linkError, setLinkError] = useState(token === '' ? 'This link is incomplete.' : undefined);
  const [restoredEmail, setRestoredEmail] = useState<string>();
  const { form, submit, saving } = useServerForm({
    schema: NewPasswordSchema,
    defaultValues: { password: '', confirm: '' },
    save: ({ password }) => undoEmailChange({ token, password }),
    onSaved: ({ email }) => {
      setRestoredEmail(email);
      onRestored();
    },
    onFailed: (error, hasFieldErrors) => {
      if (hasErrorCode(error, 'LINK_EXPIRED')) setLinkError('This link has already been used or has expired.');
      else if (hasErrorCode(error, 'EMAIL_TAKEN')) setLinkError(error.message);
      else if (!hasFieldErrors)
        form.setError('root', { message: formatAuthError(error, `Failed to undo the change: ${getErrorMessage(error)}`) });
    },
  });
  const { errors } = form.formState;
  if (restoredEmail !== undefined) {
    return (
      <AuthLayout title="Your account is restored">
        <div className="space-y-4">
          <p className="text-base text-ink-2 [overflow-wrap:anywhere]">
            Sign in with {restoredEmail} and your new password. Everyone else was signed out.
          </p>
          <LinkButton to="/auth" tone="primary" fullWidth>
            Sign in
          </LinkButton>
        </div>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout
      title="Undo the email change"
      below={
        <LinkButton to="/auth" tone="quiet" fullWidth className="mt-4">
          Back to sign in
        </LinkButton>
      }
    >
      <form noValidate onSubmit={submit} className="space-y-4">
        {linkError ? (
          <Banner tone="danger">{linkError}</Banner>
        ) : (
          <p className="text-base text-ink-2">Choose a new password. We'll restore your old email and sign everyone out.</p>
        )}
        <NewPasswordFields
          label="New password"
          password={form.register('password', { deps: 'confirm' })}
          confirm={form.register('confirm')}
          errors={errors}
        />
        {errors.root && <Banner tone="danger">{errors.root.message}</Banner>}
        <Button type="submit" tone="primary" fullWidth busy={saving} disabled={linkError !== undefined}>
          {saving ? 'Restoring…' : 'Restore My Account'}
        </Button>
      </form>
    </AuthLayout>
  );
}
