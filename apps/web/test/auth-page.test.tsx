import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { ADMIN_USER } from './fixtures.ts';
import {
  DASHBOARD_RESPONSES,
  failWith,
  getToasts,
  getValue,
  type MockApi,
  openPage,
  pressButton,
  typeInto,
  waitForFocus,
  waitForToasts,
} from './open-page.tsx';

const TOO_COMMON_MESSAGE = 'This password is too common. Please choose another one.';

function openAuthPage(path: string, responses: MockApi = {}) {
  return openPage(path, {
    'GET /me': () => failWith('UNAUTHENTICATED'),
    'POST /auth/reset-password/view': () => ({}),
    ...DASHBOARD_RESPONSES,
    ...responses,
  });
}

/** Simulates a server whose `GET /me` fails until the user signs in. */
function createSignInResponses(): MockApi {
  let me: () => unknown = () => failWith('UNAUTHENTICATED');
  return {
    'GET /me': () => me(),
    'POST /auth/sign-in': () => {
      me = () => ADMIN_USER;
      return ADMIN_USER.user;
    },
  };
}

async function fillAccountForm(email: string, password: string, confirm: string): Promise<void> {
  await screen.findByLabelText('Confirm password');
  typeInto('Email', email);
  typeInto('Password', password);
  typeInto('Confirm password', confirm);
}

describe('the sign-in page', () => {
  it('redirects to the requested page after sign-in', async () => {
    const { path, router } = openAuthPage('/customers?search=anna', {
      ...createSignInResponses(),
      'GET /customers/count': () => ({ total: 0 }),
      'GET /customers/count?search=anna': () => ({ total: 0 }),
      'GET /customers?search=anna&sort=name&order=asc': () => ({ rows: [], next_cursor: null }),
    });
    await screen.findByLabelText('Email');
    expect(path()).toBe('/auth');
    typeInto('Email', 'mia@example.com');
    typeInto('Password', 'a long password');
    await pressButton('Sign In');
    const search = await screen.findByRole<HTMLInputElement>('searchbox', { name: 'Search customers' });
    expect(search.value).toBe('anna');
    expect(router.state.location.href).toBe('/customers?search=anna');
  });

  it('redirects a signed-in user to the dashboard', async () => {
    const { path } = openAuthPage('/auth', { 'GET /me': () => ADMIN_USER });
    await waitFor(() => expect(path()).toBe('/dashboard'));
  });

  it('is the fallback for an unknown mode in the URL', async () => {
    openAuthPage('/auth?mode=sideways');
    expect(await screen.findByRole('heading', { name: 'Sign in to Callout' })).toBeDefined();
  });
});

describe('the create-account form', () => {
  it('shows errors next to their fields and keeps the input', async () => {
    openAuthPage('/auth?mode=create-account', {
      'POST /auth/sign-up': () => failWith('INVALID_INPUT', undefined, { fields: { password: TOO_COMMON_MESSAGE } }),
    });
    await fillAccountForm('abc', '12345', '123456');
    await pressButton('Create Account');
    await screen.findByText('Please enter a valid email address');
    screen.getByText('Password must be at least 6 characters long');
    await waitForFocus('Email');
    expect(getValue('Email')).toBe('abc');

    typeInto('Email', 'a@b.co');
    typeInto('Password', '1234567');
    await pressButton('Create Account');
    await screen.findByText('Passwords do not match');
    expect(getValue('Confirm password')).toBe('123456');

    typeInto('Confirm password', '1234567');
    await pressButton('Create Account');
    await screen.findByText(TOO_COMMON_MESSAGE);
    await waitForFocus('Password');
  });
});

it('after sign-up, keeps the email and focuses the password', async () => {
  openAuthPage('/auth?mode=create-account', { 'POST /auth/sign-up': () => ({}) });
  await fillAccountForm('new@example.com', 'secret-1', 'secret-1');
  await pressButton('Create Account');
  await waitForToasts('Account created! Please sign in.');
  await screen.findByRole('heading', { name: 'Sign in to Callout' });
  expect(getValue('Email')).toBe('new@example.com');
  await waitForFocus('Password');
});

describe('the password reset page', () => {
  const RESET_LINK = '/auth?reset=true&token=abc';

  async function submitNewPassword(password: string, confirm = password): Promise<void> {
    await screen.findByLabelText('New password');
    typeInto('New password', password);
    typeInto('Confirm password', confirm);
    await pressButton('Set New Password');
  }

  it('rejects weak passwords, then redirects to the page in the link after sign-in', async () => {
    const { path } = openAuthPage(`${RESET_LINK}&next=/settings?tab=menu-order`, {
      ...createSignInResponses(),
      'POST /auth/reset-password': (input) =>
        (input as { password: string }).password === 'Password1'
          ? failWith('INVALID_INPUT', undefined, { fields: { password: TOO_COMMON_MESSAGE } })
          : {},
    });
    await submitNewPassword('12345');
    await screen.findByText('Password must be at least 6 characters long');
    await submitNewPassword('Password1');
    await screen.findByText(TOO_COMMON_MESSAGE);
    await waitForFocus('New password');
    await submitNewPassword('a new password');
    await waitForToasts('Password updated successfully');
    await screen.findByLabelText('Email');
    typeInto('Email', 'mia@example.com');
    typeInto('Password', 'a new password');
    await pressButton('Sign In');
    await waitFor(() => expect(path()).toBe('/settings'));
  });

  const USED_LINK_MESSAGE = 'This link has already been used or has expired. Please request a new one.';

  it('hides the password form if the link has already been used', async () => {
    openAuthPage(RESET_LINK, { 'POST /auth/reset-password/view': () => failWith('LINK_EXPIRED') });
    await screen.findByText(USED_LINK_MESSAGE);
    expect(screen.queryByLabelText('New password')).toBeNull();
    await pressButton('Request a new link');
    expect(await screen.findByRole('button', { name: 'Send Reset Link' })).toBeDefined();
  });

  it('reports a link that was used elsewhere after the form opened', async () => {
    openAuthPage(RESET_LINK, { 'POST /auth/reset-password': () => failWith('LINK_EXPIRED') });
    await submitNewPassword('a new password');
    await screen.findByText(USED_LINK_MESSAGE);
    expect(screen.queryByRole('button', { name: 'Set New Password' })).toBeNull();
  });

  it('shows the password form if the link cannot be checked', async () => {
    openAuthPage(RESET_LINK, { 'POST /auth/reset-password/view': () => failWith('UNAVAILABLE') });
    expect(await screen.findByLabelText('New password')).toBeDefined();
    expect(getToasts()).toEqual([]);
  });
});

it('requesting a reset link prefills the email address typed on the sign-in form', async () => {
  openAuthPage('/auth', { 'POST /auth/request-password-reset': () => ({ mail: 'queued' }) });
  await screen.findByLabelText('Email');
  typeInto('Email', 'mia@example.com');
  await pressButton('Forgot your password?');
  await screen.findByRole('button', { name: 'Send Reset Link' });
  expect(getValue('Email')).toBe('mia@example.com');
  await pressButton('Send Reset Link');
  await waitForToasts('Password reset instructions sent to your email');
  await screen.findByText('Check your inbox');
  expect(screen.getByRole('status').textContent).toContain('If mia@example.com has an account, we sent it a link');
  expect(screen.queryByLabelText('Email')).toBeNull();
  await pressButton('Use another email');
  expect(getValue('Email')).toBe('mia@example.com');
});

it('without a mail server, the reset form stays open and says who has the link', async () => {
  openAuthPage('/auth?mode=reset-password', { 'POST /auth/request-password-reset': () => ({ mail: 'kept' }) });
  await screen.findByLabelText('Email');
  typeInto('Email', 'mia@example.com');
  await pressButton('Send Reset Link');
  await screen.findByText("Email isn't set up on this server. Ask the person who runs this Callout server for the link.");
  expect(screen.queryByText('Check your inbox')).toBeNull();
  expect(screen.queryByText(/to get a link/)).toBeNull();
});

describe('the auth page after a failure', () => {
  const getForm = () => within(screen.getByRole('main'));

  async function signInWithResponse(respond: () => unknown) {
    openAuthPage('/auth', { 'POST /auth/sign-in': respond });
    await screen.findByLabelText('Email');
    typeInto('Email', 'mia@example.com');
    typeInto('Password', 'wrong password');
    await pressButton('Sign In');
  }

  it.each([
    ['wrong credentials', () => failWith('INVALID_CREDENTIALS'), 'Invalid email or password. Please try again.'],
    [
      'too many attempts',
      () => failWith('TOO_MANY_ATTEMPTS', '', { retry_after: 61 }),
      'Too many attempts. Please try again in 2 minutes.',
    ],
    [
      'an account under attack',
      () => failWith('TOO_MANY_ATTEMPTS', 'Reset your password instead.', { retry_after: 61, offers_password_reset: true }),
      'Reset your password instead.',
    ],
    ['server failures', () => failWith('INTERNAL'), 'Failed to sign in'],
  ])('reports %s in the sign-in form until the user types', async (_, respond, message) => {
    await signInWithResponse(respond);
    const alert = await getForm().findByRole('alert');
    expect(alert.textContent).toBe(message);
    expect(getToasts()).toEqual([]);
    expect(getValue('Email')).toBe('mia@example.com');
    fireEvent.input(screen.getByLabelText('Password'), { target: { value: 'another one' } });
    await waitFor(() => expect(getForm().queryByRole('alert')).toBeNull());
  });

  it('selects the password after a failed sign-in, so that typing replaces it', async () => {
    await signInWithResponse(() => failWith('INVALID_CREDENTIALS'));
    await waitForFocus('Password');
    const field = screen.getByLabelText<HTMLInputElement>('Password');
    expect([field.selectionStart, field.selectionEnd]).toEqual([0, 'wrong password'.length]);
  });

  it.each([
    ['EMAIL_TAKEN', 'An account with this email already exists. Please sign in.'],
    ['INTERNAL', 'Failed to create account'],
  ] as const)('reports %s in the create-account form', async (code, message) => {
    openAuthPage('/auth?mode=create-account', { 'POST /auth/sign-up': () => failWith(code) });
    await screen.findByLabelText('Email');
    typeInto('Email', 'mia@example.com');
    for (const label of ['Password', 'Confirm password']) typeInto(label, 'secret-1');
    await pressButton('Create Account');
    expect((await getForm().findByRole('alert')).textContent).toBe(message);
    expect(getToasts()).toEqual([]);
  });

  it('reports a failed password reset request in its form', async () => {
    openAuthPage('/auth?mode=reset-password', { 'POST /auth/request-password-reset': () => failWith('INTERNAL') });
    await screen.findByLabelText('Email');
    typeInto('Email', 'mia@example.com');
    await pressButton('Send Reset Link');
    expect((await getForm().findByRole('alert')).textContent).toBe('An unexpected error occurred. Please try again later.');
  });
});
