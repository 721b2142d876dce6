import { expect, it } from 'vitest';
import { CreateAccountForm } from './auth-schemas.ts';

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
