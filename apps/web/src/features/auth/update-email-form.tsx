import { EmailChange } from '@callout/contract/auth';
import { useState } from 'react';
import { hasCode, messageOf } from '../../lib/error-messages.ts';
import { reportFailure } from '../../lib/report-failure.ts';
import { useServerForm } from '../../lib/use-server-form.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.ts';
import { requestEmailChange } from './auth.api.ts';

/** The new address counts only once its owner has opened the link that is mailed to it. */
export function UpdateEmailForm() {
  const [asked, setAsked] = useState<{ email: string; kept: boolean }>();
  const { form, submit, saving } = useServerForm({
    schema: EmailChange,
    defaultValues: { email: '' },
    save: async (change) => ({ ...(await requestEmailChange(change)), email: change.email }),
    saved: ({ mail, email }) => {
      setAsked({ email, kept: mail === 'kept' });
      if (mail === 'queued') toast.success('Email update request sent. Please check your inbox.');
      form.reset({ email: '' });
    },
    failed: (error, atFields) => {
      if (hasCode(error, 'EMAIL_TAKEN')) form.setError('email', { message: error.message }, { shouldFocus: true });
      else if (!atFields) reportFailure(error, `Failed to update email: ${messageOf(error)}`);
    },
  });
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
        hint="We mail a link to this address. It counts once you have opened the link."
        error={form.formState.errors.email?.message}
      />
      <Button type="submit" tone="primary" busy={saving}>
        {saving ? 'Sending…' : 'Update Email'}
      </Button>
      {asked?.kept && (
        <Banner tone="warn">
          This server has no mail set up, so nothing was sent. The message with the link is kept for its administrator: please ask them for
          it.
        </Banner>
      )}
      {asked && !asked.kept && <Banner>We sent a link to {asked.email}. Until you open it, nothing changes.</Banner>}
    </form>
  );
}
