import type { Invitation } from '@callout/contract/staff';
import { ROLE_IN_SENTENCE } from '@callout/domain/roles/role-text';
import { Link } from '@tanstack/react-router';
import { hasCode, messageOf, reportFailure } from '../../lib/error-messages.ts';
import { useServerForm } from '../../lib/use-server-form.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { authMessage } from '../auth/auth.api.ts';
import { NewPasswordFields, NewPasswordSchema } from '../auth/new-password-fields.tsx';
import { acceptInvitation } from './staff-invitation.api.ts';

interface AcceptInvitationFormProps {
  token: string;
  invitation: Invitation;
  onJoined: () => void;
  /** The link expired or was replaced while the page was open. */
  onEnded: () => void;
}

export function AcceptInvitationForm({ token, invitation, onJoined, onEnded }: AcceptInvitationFormProps) {
  const { form, submit, saving } = useServerForm({
    schema: NewPasswordSchema,
    defaultValues: { password: '', confirm: '' },
    save: ({ password }) => acceptInvitation({ token, password }),
    saved: onJoined,
    failed: (error, atFields) => {
      if (hasCode(error, 'LINK_EXPIRED')) onEnded();
      else if (hasCode(error, 'EMAIL_TAKEN')) reportFailure(error, error.message);
      else if (!atFields) reportFailure(error, authMessage(error, `Failed to accept the invitation: ${messageOf(error)}`));
    },
  });
  return (
    <form noValidate onSubmit={submit} className="space-y-4">
      <p className="text-base text-ink-2 [overflow-wrap:anywhere]">
        Hi {invitation.name}, choose a password to join as {ROLE_IN_SENTENCE[invitation.role]}.
      </p>
      {/* Tells password managers which email the password belongs to. */}
      <TextField label="Email" type="email" autoComplete="username" value={invitation.email} readOnly />
      <NewPasswordFields
        label="Password"
        password={form.register('password', { deps: 'confirm' })}
        confirm={form.register('confirm')}
        errors={form.formState.errors}
      />
      <p className="text-sm text-ink-3">
        {invitation.takes_over_account ? (
          'If you already have an account with this email, this password replaces your current one.'
        ) : (
          <>
            Already have an account with this email?{' '}
            <Link to="/auth" className="font-medium text-accent-ink underline">
              Sign in
            </Link>{' '}
            to join with it.
          </>
        )}
      </p>
      <Button type="submit" tone="primary" wide busy={saving}>
        {saving ? 'Joining…' : 'Accept Invitation'}
      </Button>
    </form>
  );
}
