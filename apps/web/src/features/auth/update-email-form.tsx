import { EmailChange } from '@callout/contract/auth';
import { useQueryClient } from '@tanstack/react-query';
import { hasCode, messageOf, reportFailure } from '../../lib/error-messages.ts';
import { useServerForm } from '../../lib/use-server-form.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.ts';
import { authMessage } from './auth.api.ts';
import { requestEmailChange } from './auth-account.api.ts';

interface UpdateEmailFormProps {
  email: string;
  /** The new email whose mailed link has not been opened yet. */
  pendingEmail: string | null;
  /** The server has no mail server: the administrator hands out the link. */
  isMailKept: boolean;
}

const SUBJECT = { subject: 'email' };
const EMPTY = { email: '', current_password: '' };

/** The email changes when the link that is mailed to the new one is opened. */
export function UpdateEmailForm({ email, pendingEmail, isMailKept }: UpdateEmailFormProps) {
  const queryClient = useQueryClient();
  const { form, submit, saving } = useServerForm({
    schema: EmailChange,
    defaultValues: EMPTY,
    save: requestEmailChange,
    saved: ({ mail }) => {
      if (mail === 'queued') toast.success('Email update request sent. Please check your inbox.', SUBJECT);
      form.reset(EMPTY);
      void queryClient.invalidateQueries({ queryKey: ['me'] });
    },
    failed: (error, atFields) => {
      if (hasCode(error, 'EMAIL_TAKEN')) form.setError('email', { message: error.message }, { shouldFocus: true });
      else if (hasCode(error, 'WRONG_PASSWORD')) form.setError('current_password', { message: error.message }, { shouldFocus: true });
      else if (!atFields) reportFailure(error, authMessage(error, `Failed to update email: ${messageOf(error)}`), SUBJECT);
    },
  });
  const { errors } = form.formState;
  return (
    <form noValidate onSubmit={submit} className="max-w-md space-y-4">
      <TextField
        {...form.register('email')}
        label="New email"
        type="email"
        inputMode="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        hint={errors.email ? undefined : "We'll send a link to this address. Your email changes when you open it."}
        error={errors.email?.message}
      />
      {/* For password managers. */}
      <input type="text" name="username" value={email} readOnly autoComplete="username" hidden />
      <PasswordField
        {...form.register('current_password')}
        label="Current password"
        autoComplete="current-password"
        error={errors.current_password?.message}
      />
      <Button type="submit" tone="primary" busy={saving}>
        {saving ? 'Sending…' : 'Update Email'}
      </Button>
      {pendingEmail &&
        (isMailKept ? (
          <Banner tone="warn">Waiting for confirmation. The email wasn't sent; ask your administrator for the link.</Banner>
        ) : (
          <Banner>Your email changes to {pendingEmail} when you open the link we sent there.</Banner>
        ))}
    </form>
  );
}
