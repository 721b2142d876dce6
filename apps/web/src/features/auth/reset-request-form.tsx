import { PasswordResetRequest } from '@callout/contract/auth';
import { type ChangeEvent, useState } from 'react';
import { getErrorMessage } from '../../lib/error-messages.ts';
import { ASK_FOR_LINK_MESSAGE } from '../../lib/unsent-mail.ts';
import { useServerForm } from '../../lib/use-server-form.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toast.ts';
import { formatAuthError, requestPasswordReset } from './auth.api.ts';
import { EmailField } from './auth-layout.tsx';

interface ResetRequestFormProps {
  email: string;
  onEmailChange: (email: string) => void;
}

export function ResetRequestForm({ email, onEmailChange }: ResetRequestFormProps) {
  const [outcome, setOutcome] = useState<'queued' | 'kept'>();
  const { form, submit, saving } = useServerForm({
    schema: PasswordResetRequest,
    defaultValues: { email },
    save: requestPasswordReset,
    onSaved: ({ mail }) => {
      setOutcome(mail);
      if (mail === 'queued') toast.success('Password reset instructions sent to your email');
    },
    onFailed: (error, hasFieldErrors) => {
      if (!hasFieldErrors) form.setError('root', { message: formatAuthError(error, getErrorMessage(error)) });
    },
  });
  const { errors } = form.formState;
  if (outcome === 'queued') return <ResetLinkSent email={form.getValues('email')} onUseAnotherEmail={() => setOutcome(undefined)} />;
  return (
    <form noValidate onSubmit={submit} className="space-y-4">
      {outcome === undefined && <p className="text-base text-ink-2">Enter your email to get a link to set a new password.</p>}
      <EmailField
        {...form.register('email', { onChange: (event: ChangeEvent<HTMLInputElement>) => onEmailChange(event.target.value) })}
        error={errors.email?.message}
      />
      {errors.root && <Banner tone="danger">{errors.root.message}</Banner>}
      <Button type="submit" tone="primary" fullWidth busy={saving}>
        {saving ? 'Sending…' : 'Send Reset Link'}
      </Button>
      {outcome === 'kept' && <Banner tone="warn">{ASK_FOR_LINK_MESSAGE}</Banner>}
    </form>
  );
}

/** Shows the same message for every email address, so that strangers can't find out who has an account. */
function ResetLinkSent({ email, onUseAnotherEmail }: { email: string; onUseAnotherEmail: () => void }) {
  return (
    <div className="space-y-4">
      <div role="status" tabIndex={-1} ref={focusElement} className="text-base outline-none">
        <p className="font-medium">Check your inbox</p>
        <p className="mt-1 text-ink-2 [overflow-wrap:anywhere]">
          If {email} has an account, we sent it a link to set a new password. It may take a minute to arrive.
        </p>
      </div>
      <Button fullWidth onClick={onUseAnotherEmail}>
        Use another email
      </Button>
    </div>
  );
}

/** Moves the focus to the message, because the form that had the focus is gone. */
const focusElement = (element: HTMLElement | null) => element?.focus();
