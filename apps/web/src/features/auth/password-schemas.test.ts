import { expect, it } from 'vitest';
import { ChangePasswordSchema } from './change-password-form.tsx';
import { CreateAccountSchema } from './create-account-form.tsx';

const validateAccount = (form: { email: string; password: string; confirm: string }) => {
  const { error } = CreateAccountSchema.safeParse(form);
  return Object.fromEntries((error?.issues ?? []).map((issue) => [issue.path.join('.'), issue.message]));
};

it('requires a valid email address and a confirmed password of at least six characters', () => {
  expect(validateAccount({ email: 'abc', password: '123456', confirm: '123456' })).toEqual({ email: 'Please enter a valid email address' });
  expect(validateAccount({ email: 'a@b.co', password: '12345', confirm: '12345' })).toEqual({
    password: 'Password must be at least 6 characters long',
  });
  expect(validateAccount({ email: 'a@b.co', password: '123456', confirm: '1234567' })).toEqual({ confirm: 'Passwords do not match' });
  expect(validateAccount({ email: 'a@b.co', password: '123456', confirm: '123456' })).toEqual({});
});

it('requires a confirmed new password of at least six characters', () => {
  const validateChange = (new_password: string, confirm: string) =>
    ChangePasswordSchema.safeParse({ current_password: 'x', new_password, confirm }).error?.issues.map(({ message }) => message);
  expect(validateChange('12345', '12345')).toEqual(['Password must be at least 6 characters']);
  expect(validateChange('123456', '1234567')).toEqual(['New passwords do not match']);
  expect(validateChange('123456', '123456')).toBeUndefined();
});
