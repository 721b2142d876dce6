import type { UseFormRegisterReturn } from 'react-hook-form';
import { PasswordField } from '../../ui/password-field.tsx';

interface NewPasswordFieldsProps {
  label: string;
  password: UseFormRegisterReturn;
  confirm: UseFormRegisterReturn;
  errors: { password?: { message?: string | undefined }; confirm?: { message?: string | undefined } };
}

/** A password that is being chosen, typed twice. */
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
