import { Credentials } from '@callout/contract/auth';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { z } from 'zod';
import { PasswordField } from '../../ui/password-field.tsx';

export const doPasswordsMatch = (form: { password: string; confirm: string }) => form.password === form.confirm;
export const PASSWORD_MISMATCH_ISSUE = { error: 'Passwords do not match', path: ['confirm'] };

export const NewPasswordSchema = z
  .object({ password: Credentials.shape.password, confirm: z.string() })
  .refine(doPasswordsMatch, PASSWORD_MISMATCH_ISSUE);

interface NewPasswordFieldsProps {
  label: string;
  password: UseFormRegisterReturn;
  confirm: UseFormRegisterReturn;
  errors: { password?: { message?: string | undefined }; confirm?: { message?: string | undefined } };
}

export function NewPasswordFields({ label, password, confirm, errors }: NewPasswordFieldsProps) {
  return (
    <>
      <PasswordField
        {...password}
        label={label}
        autoComplete="new-password"
        hint={errors.password ? undefined : 'At least 6 characters'}
        error={errors.password?.message}
      />
      <PasswordField {...confirm} label="Confirm password" autoComplete="new-password" error={errors.confirm?.message} />
    </>
  );
}
