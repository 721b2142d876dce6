import { useState } from 'react';
import { hasCode, messageOf } from '../../lib/error-messages.ts';
import { useServerForm } from '../../lib/use-server-form.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { authMessage, resetPassword } from './auth.api.ts';
import { NewPasswordFields, NewPasswordSchema } from './new-password-fields.tsx';

interface NewPasswordFormProps {
  token: string;
  onChanged: () => void;
  onNewLink: () => void;
}

/** Opened by the mailed link, which works once and for a limited time. */
export function NewPasswordForm({ token, onChanged, onNewLink }: NewPasswordFormProps) {
  const [expired, setExpired] = useState(token === '');
  const { form, submit, saving } = useServerForm({
    schema: NewPasswordSchema,
    defaultValues: { password: '', confirm: '' },
    save: ({ password }) => resetPassword({ token, password }),
    saved: onChanged,
    failed: (error, atFields) => {
      if (hasCode(error, 'LINK_EXPIRED')) setExpired(true);
      else if (!atFields) form.setError('root', { message: authMessage(error, `Failed to update password: ${messageOf(error)}`) });
    },
  });
  const { errors } = form.formState;
  return (
    <form noValidate onSubmit={submit} className="space-y-4">
      {expired && (
        <Banner tone="danger" actions={<Button onClick={onNewLink}>Request a new link</Button>}>
          This link was used before or has expired. Please request a new one.
        </Banner>
      )}
      <NewPasswordFields
        label="New password"
        password={form.register('password', { deps: 'confirm' })}
        confirm={form.register('confirm')}
        errors={errors}
      />
      {errors.root && <Banner tone="danger">{errors.root.message}</Banner>}
      <Button type="submit" tone="primary" wide busy={saving} disabled={expired}>
        {saving ? 'Saving…' : 'Set New Password'}
      </Button>
    </form>
  );
}
