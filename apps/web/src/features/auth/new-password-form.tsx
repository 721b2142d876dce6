import { useState } from 'react';
import { hasCode, messageOf, reportFailure } from '../../lib/error-messages.ts';
import { useServerForm } from '../../lib/use-server-form.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { resetPassword } from './auth.api.ts';
import { authFailure } from './auth-failure.ts';
import { NewPasswordForm as NewPasswordSchema } from './auth-schemas.ts';
import { NewPasswordFields } from './new-password-fields.tsx';

interface NewPasswordFormProps {
  token: string;
  onChanged: () => void;
  onNewLink: () => void;
}

/** Where the mailed link leads. A link works once, for a limited time. */
export function NewPasswordForm({ token, onChanged, onNewLink }: NewPasswordFormProps) {
  const [expired, setExpired] = useState(token === '');
  const { form, submit, saving } = useServerForm({
    schema: NewPasswordSchema,
    defaultValues: { password: '', confirm: '' },
    save: ({ password }) => resetPassword({ token, password }),
    saved: onChanged,
    failed: (error, atFields) => {
      if (hasCode(error, 'LINK_EXPIRED')) setExpired(true);
      else if (!atFields) reportFailure(error, authFailure(error, `Failed to update password: ${messageOf(error)}`));
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
      <Button type="submit" tone="primary" wide busy={saving} disabled={expired}>
        {saving ? 'Saving…' : 'Set New Password'}
      </Button>
    </form>
  );
}
