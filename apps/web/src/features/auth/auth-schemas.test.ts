import { expect, it } from 'vitest';
import { ChangePasswordForm, CreateAccountForm } from './auth-schemas.ts';

const problems = (form: { email: string; password: string; confirm: string }) => {
  const { error } = CreateAccountForm.safeParse(form);
  return Object.fromEntries((error?.issues ?? []).map((issue) => [issue.path.join('.'), issue.message]));
};

it('wants an address, six characters, and the same password twice', () => {
  expect(problems({ email: 'abc', password: '123456', confirm: '123456' })).toEqual({ email: 'Please enter a valid email address' });
  expect(problems({ email: 'a@b.co', password: '12345', confirm: '12345' })).toEqual({
    password: 'Password must be at least 6 characters long',
  });
  expect(problems({ email: 'a@b.co', password: '123456', confirm: '1234567' })).toEqual({ confirm: 'Passwords do not match' });
  expect(problems({ email: 'a@b.co', password: '123456', confirm: '123456' })).toEqual({});
});

it('wants a new password of six characters, the same twice', () => {
  const says = (new_password: string, confirm: string) =>
    ChangePasswordForm.safeParse({ current_password: 'x', new_password, confirm }).error?.issues.map(({ message }) => message);
  expect(says('12345', '12345')).toEqual(['Password must be at least 6 characters']);
  expect(says('123456', '1234567')).toEqual(['New passwords do not match']);
  expect(says('123456', '123456')).toBeUndefined();
});
