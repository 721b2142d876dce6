import { ResetRequest } from '@callout/contract/auth';
import { type ChangeEvent, useState } from 'react';
import { messageOf } from '../../lib/error-messages.ts';
import { useServerForm } from '../../lib/use-server-form.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toast.ts';
import { authMessage, requestPasswordReset } from './auth.api.ts';
import { EmailField } from './auth-frame.tsx';

interface ResetRequestFormProps {
  email: string;
  onEmail: (email: string) => void;
}

export function ResetRequestForm({ email, onEmail }: ResetRequestFormProps) {
  const [kept, setKept] = useState(false);
  const { form, submit, saving } = useServerForm({
    schema: ResetRequest,
    defaultValues: { email },
    save: requestPasswordReset,
    saved: ({ mail }) => {
      setKept(mail === 'kept');
      if (mail === 'queued') toast.success('Password reset instructions sent to your email');
    },
    failed: (error, atFields) => {
      if (!atFields) form.setError('root', { message: authMessage(error, messageOf(error)) });
    },
  });
  const { errors } = form.formState;
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
      {kept && <Banner tone="warn">Email isn't set up on this server, so nothing was sent. Ask your administrator for the link.</Banner>}
    </form>
  );
}
