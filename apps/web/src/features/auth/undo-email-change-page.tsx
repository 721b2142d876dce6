import { useState } from 'react';
import { hasCode, messageOf } from '../../lib/error-messages.ts';
import { useServerForm } from '../../lib/use-server-form.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { authMessage } from './auth.api.ts';
import { undoEmailChange } from './auth-account.api.ts';
import { AuthFrame } from './auth-frame.tsx';
import { NewPasswordFields, NewPasswordSchema } from './new-password-fields.tsx';

interface UndoEmailChangePageProps {
  token: string;
  /** Everyone was signed out of this account, this browser included. */
  onRestored: () => void;
}

/** Opened by the link in the mail to the old email: restores that email and sets a new password. */
export function UndoEmailChangePage({ token, onRestored }: UndoEmailChangePageProps) {
  const [linkError, setLinkError] = useState(token === '' ? 'This link is incomplete.' : undefined);
  const [restored, setRestored] = useState<string>();
  const { form, submit, saving } = useServerForm({
    schema: NewPasswordSchema,
    defaultValues: { password: '', confirm: '' },
    save: ({ password }) => undoEmailChange({ token, password }),
    saved: ({ email }) => {
      setRestored(email);
      onRestored();
    },
    failed: (error, atFields) => {
      if (hasCode(error, 'LINK_EXPIRED')) setLinkError('This link was used before or has expired.');
      else if (hasCode(error, 'EMAIL_TAKEN')) setLinkError(error.message);
      else if (!atFields) form.setError('root', { message: authMessage(error, `Failed to undo the change: ${messageOf(error)}`) });
    },
  });
  const { errors } = form.formState;
  if (restored !== undefined) {
    return (
      <AuthFrame title="Your account is back">
        <div className="space-y-4">
          <p className="text-base text-ink-2 [overflow-wrap:anywhere]">
            You sign in with {restored} and your new password. Everyone else was signed out.
          </p>
          <LinkButton to="/auth" tone="primary" wide>
            Sign in
          </LinkButton>
        </div>
      </AuthFrame>
    );
  }
  return (
    <AuthFrame
      title="Undo the email change"
      below={
        <LinkButton to="/auth" tone="quiet" wide className="mt-4">
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
        <Button type="submit" tone="primary" wide busy={saving} disabled={linkError !== undefined}>
          {saving ? 'Restoring…' : 'Restore My Account'}
        </Button>
      </form>
    </AuthFrame>
  );
}
