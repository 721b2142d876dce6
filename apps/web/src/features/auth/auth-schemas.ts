import { Credentials, PasswordChange } from '@callout/contract/auth';
import { z } from 'zod';

const confirmed = {
  check: (form: { password: string; confirm: string }) => form.password === form.confirm,
  says: { error: 'Passwords do not match', path: ['confirm'] },
};

export const CreateAccountForm = Credentials.extend({ confirm: z.string() }).refine(confirmed.check, confirmed.says);

export const NewPasswordForm = z
  .object({ password: Credentials.shape.password, confirm: z.string() })
  .refine(confirmed.check, confirmed.says);

export const ChangePasswordForm = PasswordChange.extend({ confirm: z.string() }).refine((form) => form.new_password === form.confirm, {
  error: 'New passwords do not match',
  path: ['confirm'],
});
