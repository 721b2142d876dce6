import { ChangeEmailInput } from '@callout/contract/auth';
import { SERVER_ADMIN_LABEL } from '@callout/domain/product/product';
import { useQueryClient } from '@tanstack/react-query';
import { getErrorMessage, hasErrorCode, reportFailure } from '../../lib/error-messages.ts';
import { ASK_FOR_LINK_MESSAGE, MAIL_NOT_SET_UP_MESSAGE } from '../../lib/unsent-mail.ts';
import { useServerForm } from '../../lib/use-server-form.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.ts';
import { formatAuthError } from './auth.api.ts';
import { requestEmailChange } from './auth-account.api.ts';

interface UpdateEmailFormProps {
  email: string;
  pendingEmail: string | null;
  /** Whether the server can't send emails. If so, the system administrator must pass on the link. */
  isMailDisabled: boolean;
}

const TOAST_OPTIONS = { subject: 'email' };
const CONFIRM_HINT = "We'll send a link to this address. Your email changes once you confirm it.";
const CONFIRM_WITHOUT_MAIL_HINT = `${MAIL_NOT_SET_UP_MESSAGE} Your email changes once you confirm it with a link from ${SERVER_ADMIN_LABEL}.`;
const EMPTY_VALUES = { email: '', current_password: '' };

/** Requests a new email address. The change takes effect when the user opens the link sent to the new address. */
export function UpdateEmailForm({ email, pendingEmail, isMailDisabled }: UpdateEmailFormProps) {
  const queryClient = useQueryClient();
  const { form, submit, saving } = useServerForm({
    schema: ChangeEmailInput,
    defaultValues: EMPTY_VALUES,
    save: requestEmailChange,
    onSaved: ({ mail }) => {
      if (mail === 'queued') toast.success('Email update request sent. Please check your inbox.', TOAST_OPTIONS);
      form.reset(EMPTY_VALUES);
      void queryClient.invalidateQueries({ queryKey: ['me'] });
    },
    onFailed: (error, hasFieldErrors) => {
      if (hasErrorCode(error, 'EMAIL_TAKEN')) form.setError('email', { message: error.message }, { shouldFocus: true });
      else if (hasErrorCode(error, 'WRONG_PASSWORD')) form.setError('current_password', { message: error.message }, { shouldFocus: true });
      else if (!hasFieldErrors)
        reportFailure(error, formatAuthError(error, `Failed to update email: ${getErrorMessage(error)}`), TOAST_OPTIONS);
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
        hint={errors.email ? undefined : isMailDisabled ? CONFIRM_WITHOUT_MAIL_HINT : CONFIRM_HINT}
        error={errors.email?.message}
      />
      {/* Tells password managers which account the password belongs to. */}
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
        (isMailDisabled ? (
          <Banner tone="warn">{`Waiting for confirmation. ${ASK_FOR_LINK_MESSAGE}`}</Banner>
        ) : (
          <Banner>Open the link we sent to {pendingEmail} to confirm your new email.</Banner>
        ))}
    </form>
  );
}
