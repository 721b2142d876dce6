import { useState } from 'react';
import { hasCode, messageOf, reportFailure } from '../../lib/error-messages.ts';
import { useServerForm } from '../../lib/use-server-form.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { undoEmailChange } from './auth-account.api.ts';
import { authFailure } from './auth-failure.ts';
import { AuthFrame } from './auth-frame.tsx';
import { NewPasswordForm } from './auth-schemas.ts';
import { NewPasswordFields } from './new-password-fields.tsx';

interface UndoEmailChangePageProps {
  token: string;
  /** Whoever was signed in to this account is out, also in this browser. */
  onRestored: () => void;
}

/** Where the link leads that tells the old email of a change: back to that email, with a password that nobody else knows. */
export function UndoEmailChangePage({ token, onRestored }: UndoEmailChangePageProps) {
  const [dead, setDead] = useState(token === '' ? 'This link is incomplete.' : undefined);
  const [restored, setRestored] = useState<string>();
  const { form, submit, saving } = useServerForm({
    schema: NewPasswordForm,
    defaultValues: { password: '', confirm: '' },
    save: ({ password }) => undoEmailChange({ token, password }),
    saved: ({ email }) => {
      setRestored(email);
      onRestored();
    },
    failed: (error, atFields) => {
      if (hasCode(error, 'LINK_EXPIRED')) setDead('This link was used before or has expired.');
      else if (hasCode(error, 'EMAIL_TAKEN')) setDead(error.message);
      else if (!atFields) reportFailure(error, authFailure(error, `Failed to undo the change: ${messageOf(error)}`));
    },
  });
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
        {dead ? (
          <Banner tone="danger">{dead}</Banner>
        ) : (
          <p className="text-base text-ink-2">Choose a new password. We'll restore your old email and sign everyone out.</p>
        )}
        <NewPasswordFields
          label="New password"
          password={form.register('password', { deps: 'confirm' })}
          confirm={form.register('confirm')}
          errors={form.formState.errors}
        />
        <Button type="submit" tone="primary" wide busy={saving} disabled={dead !== undefined}>
          {saving ? 'Restoring…' : 'Restore My Account'}
        </Button>
      </form>
    </AuthFrame>
  );
}
