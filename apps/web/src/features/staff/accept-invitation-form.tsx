import type { Invitation } from '@callout/contract/staff';
import { hasCode, messageOf } from '../../lib/error-messages.ts';
import { reportFailure } from '../../lib/report-failure.ts';
import { useServerForm } from '../../lib/use-server-form.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { authMessage } from '../auth/auth.api.ts';
import { NewPasswordFields, NewPasswordSchema } from '../auth/new-password-fields.tsx';
import { ROLE_LABELS } from './role-choices.ts';
import { acceptInvitation } from './staff-invitation.api.ts';

interface AcceptInvitationFormProps {
  token: string;
  invitation: Invitation;
  onJoined: () => void;
  /** The link died while the page was open. */
  onDead: () => void;
}

export function AcceptInvitationForm({ token, invitation, onJoined, onDead }: AcceptInvitationFormProps) {
  const { form, submit, saving } = useServerForm({
    schema: NewPasswordSchema,
    defaultValues: { password: '', confirm: '' },
    save: ({ password }) => acceptInvitation({ token, password }),
    saved: onJoined,
    failed: (error, atFields) => {
      if (hasCode(error, 'LINK_EXPIRED')) onDead();
      else if (hasCode(error, 'EMAIL_TAKEN')) reportFailure(error, error.message);
      else if (!atFields) reportFailure(error, authMessage(error, `Failed to accept the invitation: ${messageOf(error)}`));
    },
  });
  return (
    <form noValidate onSubmit={submit} className="space-y-4">
      <p className="text-base text-ink-2 [overflow-wrap:anywhere]">
        Hello {invitation.name}. Choose a password to join as {ROLE_LABELS[invitation.role]}.
      </p>
      {/* Read by password managers, which then keep the password under this address. */}
      <TextField label="Email" type="email" autoComplete="username" value={invitation.email} readOnly />
      <NewPasswordFields
        label="Password"
        password={form.register('password', { deps: 'confirm' })}
        confirm={form.register('confirm')}
        errors={form.formState.errors}
      />
      <p className="text-sm text-ink-3">If you already have an account with this email, this password replaces your current one.</p>
      <Button type="submit" tone="primary" wide busy={saving}>
        {saving ? 'Joining…' : 'Accept Invitation'}
      </Button>
    </form>
  );
}
