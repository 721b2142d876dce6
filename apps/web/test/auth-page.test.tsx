import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import {
  type Answers,
  DASHBOARD,
  openPage,
  press,
  refuse,
  toastTexts,
  typeInto,
  valueOf,
  waitForFocus,
  waitForToasts,
} from './open-page.tsx';
import { OWNER } from './people.ts';

const TOO_COMMON = 'This password is too common. Please choose another one.';

function openAuth(path: string, answers: Answers = {}) {
  return openPage(path, {
    'GET /me': () => refuse('UNAUTHENTICATED'),
    'POST /auth/reset-password/view': () => ({}),
    ...DASHBOARD,
    ...answers,
  });
}

/** A server that knows who is signed in once it has accepted the password. */
function signInAnswers(): Answers {
  let me: () => unknown = () => refuse('UNAUTHENTICATED');
  return {
    'GET /me': () => me(),
    'POST /auth/sign-in': () => {
      me = () => OWNER;
      return OWNER.user;
    },
  };
}

async function fillAccount(email: string, password: string, confirm: string): Promise<void> {
  await screen.findByLabelText('Confirm password');
  typeInto('Email', email);
  typeInto('Password', password);
  typeInto('Confirm password', confirm);
}

describe('signing in', () => {
  it('leads to the page that was asked for', async () => {
    const { path, router } = openAuth('/customers?search=anna', {
      ...signInAnswers(),
      'GET /customers/count': () => ({ total: 0 }),
      'GET /customers/count?search=anna': () => ({ total: 0 }),
      'GET /customers?search=anna&sort=name&order=asc': () => ({ rows: [], next_cursor: null }),
    });
    await screen.findByLabelText('Email');
    expect(path()).toBe('/auth');
    typeInto('Email', 'mia@example.com');
    typeInto('Password', 'a long password');
    await press('Sign In');
    const search = await screen.findByRole<HTMLInputElement>('searchbox', { name: 'Search customers' });
    expect(search.value).toBe('anna');
    expect(router.state.location.href).toBe('/customers?search=anna');
  });

  it('is not offered to someone who is signed in', async () => {
    const { path } = openAuth('/auth', { 'GET /me': () => OWNER });
    await waitFor(() => expect(path()).toBe('/dashboard'));
  });

  it('is what an unknown mode of a link shows', async () => {
    openAuth('/auth?mode=sideways');
    expect(await screen.findByRole('heading', { name: 'Sign in to Callout' })).toBeDefined();
  });
});

describe('creating an account', () => {
  it('says beside each field what is wrong and keeps what was typed', async () => {
    openAuth('/auth?mode=create-account', {
      'POST /auth/sign-up': () => refuse('INVALID_INPUT', undefined, { fields: { password: TOO_COMMON } }),
    });
    await fillAccount('abc', '12345', '123456');
    await press('Create Account');
    await screen.findByText('Please enter a valid email address');
    screen.getByText('Password must be at least 6 characters long');
    await waitForFocus('Email');
    expect(valueOf('Email')).toBe('abc');

    typeInto('Email', 'a@b.co');
    typeInto('Password', '1234567');
    await press('Create Account');
    await screen.findByText('Passwords do not match');
    expect(valueOf('Confirm password')).toBe('123456');

    typeInto('Confirm password', '1234567');
    await press('Create Account');
    await screen.findByText(TOO_COMMON);
    await waitForFocus('Password');
  });
});

describe('a new password from a mailed link', () => {
  const LINK = '/auth?reset=true&token=abc';

  async function choosePassword(password: string, confirm = password): Promise<void> {
    await screen.findByLabelText('New password');
    typeInto('New password', password);
    typeInto('Confirm password', confirm);
    await press('Set New Password');
  }

  it('says what is wrong with it, and then leads to where the link says', async () => {
    const { path } = openAuth(`${LINK}&next=/settings?tab=menu-order`, {
      ...signInAnswers(),
      'POST /auth/reset-password': (input) =>
        (input as { password: string }).password === 'Password1'
          ? refuse('INVALID_INPUT', undefined, { fields: { password: TOO_COMMON } })
          : {},
    });
    await choosePassword('12345');
    await screen.findByText('Password must be at least 6 characters long');
    await choosePassword('Password1');
    await screen.findByText(TOO_COMMON);
    await waitForFocus('New password');
    await choosePassword('a new password');
    await waitForToasts('Password updated successfully');
    await screen.findByLabelText('Email');
    typeInto('Email', 'mia@example.com');
    typeInto('Password', 'a new password');
    await press('Sign In');
    await waitFor(() => expect(path()).toBe('/settings'));
  });

  const USED = 'This link was used before or has expired. Please request a new one.';

  it('is not asked for when the link was used before', async () => {
    openAuth(LINK, { 'POST /auth/reset-password/view': () => refuse('LINK_EXPIRED') });
    await screen.findByText(USED);
    expect(screen.queryByLabelText('New password')).toBeNull();
    await press('Request a new link');
    expect(await screen.findByRole('button', { name: 'Send Reset Link' })).toBeDefined();
  });

  it('is refused when the link was used meanwhile', async () => {
    openAuth(LINK, { 'POST /auth/reset-password': () => refuse('LINK_EXPIRED') });
    await choosePassword('a new password');
    await screen.findByText(USED);
    expect(screen.queryByRole('button', { name: 'Set New Password' })).toBeNull();
  });

  it('is asked for when the link could not be checked', async () => {
    openAuth(LINK, { 'POST /auth/reset-password/view': () => refuse('UNAVAILABLE') });
    expect(await screen.findByLabelText('New password')).toBeDefined();
    expect(toastTexts()).toEqual([]);
  });
});

it('asking for a reset link starts from the email that was typed', async () => {
  openAuth('/auth', { 'POST /auth/request-password-reset': () => ({ mail: 'queued' }) });
  await screen.findByLabelText('Email');
  typeInto('Email', 'mia@example.com');
  await press('Forgot your password?');
  await screen.findByRole('button', { name: 'Send Reset Link' });
  expect(valueOf('Email')).toBe('mia@example.com');
  await press('Send Reset Link');
  await waitForToasts('Password reset instructions sent to your email');
  await screen.findByText('Check your inbox');
  expect(screen.getByRole('status').textContent).toContain('If mia@example.com has an account, we sent it a link');
  expect(screen.queryByLabelText('Email')).toBeNull();
  await press('Use another email');
  expect(valueOf('Email')).toBe('mia@example.com');
});

it('without a mail server the form stays and says that nothing was sent', async () => {
  openAuth('/auth?mode=reset-password', { 'POST /auth/request-password-reset': () => ({ mail: 'kept' }) });
  await screen.findByLabelText('Email');
  typeInto('Email', 'mia@example.com');
  await press('Send Reset Link');
  await screen.findByText(/nothing was sent\. Ask your administrator/);
  expect(screen.queryByText('Check your inbox')).toBeNull();
});

describe('a failure is said in its form and as a message', () => {
  const form = () => within(screen.getByRole('main'));

  async function signInWith(answer: () => unknown) {
    openAuth('/auth', { 'POST /auth/sign-in': answer });
    await screen.findByLabelText('Email');
    typeInto('Email', 'mia@example.com');
    typeInto('Password', 'wrong password');
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
    expect(toastTexts()).toEqual([message]);
    expect(valueOf('Email')).toBe('mia@example.com');
    fireEvent.input(screen.getByLabelText('Password'), { target: { value: 'another one' } });
    await waitFor(() => expect(form().queryByRole('alert')).toBeNull());
  });

  it('a wrong password is selected, to type over it', async () => {
    await signInWith(() => refuse('INVALID_CREDENTIALS'));
    await waitForFocus('Password');
    const field = screen.getByLabelText<HTMLInputElement>('Password');
    expect([field.selectionStart, field.selectionEnd]).toEqual([0, 'wrong password'.length]);
  });

  it.each([
    ['EMAIL_TAKEN', 'An account with this email already exists. Please sign in.'],
    ['INTERNAL', 'Failed to create account'],
  ] as const)('%s is said in the form that creates an account', async (code, message) => {
    openAuth('/auth?mode=create-account', { 'POST /auth/sign-up': () => refuse(code) });
    await screen.findByLabelText('Email');
    typeInto('Email', 'mia@example.com');
    for (const label of ['Password', 'Confirm password']) typeInto(label, 'secret-1');
    await press('Create Account');
    expect((await form().findByRole('alert')).textContent).toBe(message);
    expect(toastTexts()).toEqual([message]);
  });

  it('a reset that failed is said in its form', async () => {
    openAuth('/auth?mode=reset-password', { 'POST /auth/request-password-reset': () => refuse('INTERNAL') });
    await screen.findByLabelText('Email');
    typeInto('Email', 'mia@example.com');
    await press('Send Reset Link');
    expect((await form().findByRole('alert')).textContent).toBe('An unexpected error occurred. Please try again later.');
  });
});
