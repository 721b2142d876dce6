import type { Invitation } from '@callout/contract/staff';
import { ROLE_LABELS_WITH_ARTICLE } from '@callout/domain/roles/role-labels';
import { Link } from '@tanstack/react-router';
import { getErrorMessage, hasErrorCode, reportFailure } from '../../lib/error-messages.ts';
import { useServerForm } from '../../lib/use-server-form.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { formatAuthError } from '../auth/auth.api.ts';
import { NewPasswordFields, NewPasswordSchema } from '../auth/new-password-fields.tsx';
import { acceptInvitation } from './staff-invitation.api.ts';

interface AcceptInvitationFormProps {
  token: string;
  invitation: Invitation;
  onJoined: () => void;
  /** Called if the link expires or is replaced while the page is open. */
  onLinkExpired: () => void;
}

export function AcceptInvitationForm({ token, invitation, onJoined, onLinkExpired }: AcceptInvitationFormProps) {
  const { form, submit, saving } = useServerForm({
    schema: NewPasswordSchema,
    defaultValues: { password: '', confirm: '' },
    save: ({ password }) => acceptInvitation({ token, password }),
    onSaved: onJoined,
    onFailed: (error, hasFieldErrors) => {
      if (hasErrorCode(error, 'LINK_EXPIRED')) onLinkExpired();
      else if (hasErrorCode(error, 'EMAIL_TAKEN')) reportFailure(error, error.message);
      else if (!hasFieldErrors) reportFailure(error, formatAuthError(error, `Failed to accept the invitation: ${getErrorMessage(error)}`));
    },
  });
  return (
    <form noValidate onSubmit={submit} className="space-y-4">
      <p className="text-base text-ink-2 [overflow-wrap:anywhere]">
        Hi {invitation.name}, choose a password to join as {ROLE_LABELS_WITH_ARTICLE[invitation.role]}.
      </p>
      {/* Lets password managers see which email address the password belongs to. */}
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
      <Button type="submit" tone="primary" fullWidth busy={saving}>
        {saving ? 'Joining…' : 'Accept Invitation'}
      </Button>
    </form>
  );
}
