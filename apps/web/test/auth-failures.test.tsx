import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { openPage, refuse, toastTexts } from './open-page.tsx';

const signedOut = { 'GET /me': () => refuse('UNAUTHENTICATED') };
const type = (label: string, value: string) => fireEvent.input(screen.getByLabelText(label), { target: { value } });
const press = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })));

const form = () => within(screen.getByRole('main'));

async function signInWith(answer: () => unknown) {
  openPage('/auth', { ...signedOut, 'POST /auth/sign-in': answer });
  await screen.findByLabelText('Email');
  type('Email', 'mia@example.com');
  type('Password', 'wrong password');
  await press('Sign In');
}

it.each([
  ['Wrong credentials', () => refuse('INVALID_CREDENTIALS'), 'Invalid email or password. Please try again.'],
  ['Too many attempts', () => refuse('TOO_MANY_ATTEMPTS', '', { retry_after: 61 }), 'Too many attempts. Please try again in 2 minutes.'],
  ['Server failures', () => refuse('INTERNAL'), 'Failed to sign in'],
])('%s are said in the sign-in form, and stay until something is typed', async (_, answer, message) => {
  await signInWith(answer);
  const alert = await form().findByRole('alert');
  expect(alert.textContent).toBe(message);
  expect(toastTexts()).toEqual([]);
  expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('mia@example.com');
  type('Password', 'another one');
  await waitFor(() => expect(form().queryByRole('alert')).toBeNull());
});

it.each([
  ['EMAIL_TAKEN', 'An account with this email already exists. Please sign in.'],
  ['INTERNAL', 'Failed to create account'],
] as const)('%s is said in the form that creates an account', async (code, message) => {
  openPage('/auth?mode=create-account', { ...signedOut, 'POST /auth/sign-up': () => refuse(code) });
  await screen.findByLabelText('Email');
  type('Email', 'mia@example.com');
  for (const label of ['Password', 'Confirm password']) type(label, 'secret-1');
  await press('Create Account');
  expect((await form().findByRole('alert')).textContent).toBe(message);
  expect(toastTexts()).toEqual([]);
});

it('a reset that failed is said in its form', async () => {
  openPage('/auth?mode=reset-password', { ...signedOut, 'POST /auth/request-password-reset': () => refuse('INTERNAL') });
  await screen.findByLabelText('Email');
  type('Email', 'mia@example.com');
  await press('Send Reset Link');
  expect((await form().findByRole('alert')).textContent).toBe('An unexpected error occurred. Please try again later.');
});
