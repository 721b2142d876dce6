import { ResetRequest } from '@callout/contract/auth';
import { type ChangeEvent, useState } from 'react';
import { messageOf } from '../../lib/error-messages.ts';
import { useServerForm } from '../../lib/use-server-form.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toast.ts';
import { reportAuthFailure, requestPasswordReset } from './auth.api.ts';
import { EmailField } from './auth-frame.tsx';

interface ResetRequestFormProps {
  email: string;
  onEmail: (email: string) => void;
}

export function ResetRequestForm({ email, onEmail }: ResetRequestFormProps) {
  const [outcome, setOutcome] = useState<'queued' | 'kept'>();
  const { form, submit, saving } = useServerForm({
    schema: ResetRequest,
    defaultValues: { email },
    save: requestPasswordReset,
    saved: ({ mail }) => {
      setOutcome(mail);
      if (mail === 'queued') toast.success('Password reset instructions sent to your email');
    },
    failed: (error, atFields) => {
      if (!atFields) form.setError('root', { message: reportAuthFailure(error, messageOf(error)) });
    },
  });
  const { errors } = form.formState;
  if (outcome === 'queued') return <LinkSent email={form.getValues('email')} onAnother={() => setOutcome(undefined)} />;
  return (
    <form noValidate onSubmit={submit} className="space-y-4">
      <p className="text-base text-ink-2">Enter your email and we'll send you a link to set a new password.</p>
      <EmailField
        {...form.register('email', { onChange: (event: ChangeEvent<HTMLInputElement>) => onEmail(event.target.value) })}
        error={errors.email?.message}
      />
      {errors.root && <Banner tone="danger">{errors.root.message}</Banner>}
      <Button type="submit" tone="primary" wide busy={saving}>
        {saving ? 'Sending…' : 'Send Reset Link'}
      </Button>
      {outcome === 'kept' && (
        <Banner tone="warn">Email isn't set up on this server, so nothing was sent. Ask your administrator for the link.</Banner>
      )}
    </form>
  );
}

/** The same for every email: it must not tell strangers who has an account. */
function LinkSent({ email, onAnother }: { email: string; onAnother: () => void }) {
  return (
    <div className="space-y-4">
      <div role="status" tabIndex={-1} ref={focusOnce} className="text-base outline-none">
        <p className="font-medium">Check your inbox</p>
        <p className="mt-1 text-ink-2 [overflow-wrap:anywhere]">
          If {email} has an account, we sent it a link to set a new password. It may take a minute to arrive.
        </p>
      </div>
      <Button wide onClick={onAnother}>
        Use another email
      </Button>
    </div>
  );
}

/** The form that had the focus is gone. */
const focusOnce = (element: HTMLElement | null) => element?.focus();
