import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { onSessionEnd } from '../src/lib/session-end.ts';
import { type Answers, openPage, press, refuse, toastTexts, typeInto, waitForToasts } from './open-page.tsx';
import { NEWCOMER, OWNER } from './people.ts';

const TOO_COMMON = 'This password is too common. Please choose another one.';

/** What the other tabs of this browser are told. */
async function sessionEndsDuring(work: () => Promise<void>): Promise<string[]> {
  const ends: string[] = [];
  const stop = onSessionEnd((end) => ends.push(end));
  await work();
  stop();
  return ends;
}

describe('the undo of an email change', () => {
  it('forgets everything of whoever was signed in, in every tab', async () => {
    const { queryClient } = openPage('/undo-email-change?token=abc', {
      'POST /auth/undo-email-change': () => ({ email: 'mia@example.com' }),
    });
    queryClient.setQueryData(['me'], OWNER);
    queryClient.setQueryData(['staff', 'list'], { rows: [] });
    fireEvent.change(await screen.findByLabelText('New password'), { target: { value: 'mine again' } });
    fireEvent.change(screen.getByLabelText('Confirm password'), { target: { value: 'mine again' } });
    const ends = await sessionEndsDuring(async () => {
      await press('Restore My Account');
      await screen.findByText('Your account is back');
    });
    expect(queryClient.getQueryCache().getAll()).toEqual([]);
    expect(ends).toEqual(['replaced']);
  });
});

describe('the undo of an email change, refused', () => {
  const choose = async () => {
    await screen.findByLabelText('New password');
    typeInto('New password', '123456');
    typeInto('Confirm password', '123456');
    await press('Restore My Account');
  };

  it('says what is wrong with the password', async () => {
    openPage('/undo-email-change?token=abc', {
      'POST /auth/undo-email-change': () => refuse('INVALID_INPUT', undefined, { fields: { password: TOO_COMMON } }),
    });
    await choose();
    await screen.findByText(TOO_COMMON);
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('New password')));
  });

  it('says that the link was used before', async () => {
    openPage('/undo-email-change?token=abc', { 'POST /auth/undo-email-change': () => refuse('LINK_EXPIRED') });
    await choose();
    await screen.findByText('This link was used before or has expired.');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Restore My Account' }).disabled).toBe(true);
  });
});

describe('the profile', () => {
  /** Two forms ask for the current password: this is the one with the button. */
  const currentPassword = (submit: string) => {
    const form = screen.getByRole('button', { name: submit }).closest('form') ?? document.body;
    return within(form).getByLabelText('Current password');
  };

  async function openProfile(more: Answers) {
    openPage('/settings?tab=profile', {
      'GET /me': () => OWNER,
      'GET /me/sessions': () => ({ rows: [] }),
      'GET /staff': () => ({ rows: [] }),
      'GET /me/details': () => ({ id: 'staff-1', name: 'Mia', phone: null, color: null, avatar_url: null, version: 1 }),
      ...more,
    });
    await screen.findByText(/^You sign in with mia@example.com/);
  }

  async function changePassword(next: string, confirm = next): Promise<void> {
    fireEvent.change(currentPassword('Change Password'), { target: { value: 'the old one' } });
    typeInto('New password', next);
    typeInto('Confirm new password', confirm);
    await press('Change Password');
  }

  it('says beside each field what is wrong with a new password', async () => {
    const put = { answer: (): unknown => refuse('INVALID_INPUT', undefined, { fields: { new_password: TOO_COMMON } }) };
    await openProfile({ 'PUT /me/password': () => put.answer() });
    await changePassword('12345');
    await screen.findByText('Password must be at least 6 characters');
    await changePassword('another horse', 'another house');
    await screen.findByText('New passwords do not match');
    await changePassword('qwerty123');
    await screen.findByText(TOO_COMMON);
    put.answer = () => refuse('WRONG_PASSWORD', 'Current password is incorrect');
    await changePassword('another horse');
    await screen.findByText('Current password is incorrect');
    await waitFor(() => expect(document.activeElement).toBe(currentPassword('Change Password')));
    put.answer = () => refuse('INTERNAL');
    await changePassword('another horse');
    await waitForToasts('Failed to update password: An unexpected error occurred. Please try again later.');
  });

  it.each([
    [true, 'Your email changes to new@example.com when you open the link we sent there.'],
    [false, "Waiting for confirmation. The email wasn't sent; ask your administrator for the link."],
  ])('with a server that sends mail: %s, says how a requested email is confirmed', async (sends_mail, text) => {
    await openProfile({ 'GET /me': () => ({ ...OWNER, sends_mail, user: { ...OWNER.user, pending_email: 'new@example.com' } }) });
    expect(await screen.findByText(text)).toBeDefined();
  });

  it('says why a new email was not requested', async () => {
    const post = { answer: (): unknown => refuse('WRONG_PASSWORD', 'Current password is incorrect') };
    await openProfile({ 'POST /me/email-change': () => post.answer() });
    const request = async () => {
      typeInto('New email', 'new@example.com');
      fireEvent.change(currentPassword('Update Email'), { target: { value: 'not the password' } });
      await press('Update Email');
    };
    await request();
    await screen.findByText('Current password is incorrect');
    await waitFor(() => expect(document.activeElement).toBe(currentPassword('Update Email')));
    post.answer = () => refuse('INTERNAL');
    await request();
    await waitForToasts('Failed to update email: An unexpected error occurred. Please try again later.');
  });
});

describe('the link of another account', () => {
  const LINK = '/confirm-email?token=abc';
  const expired = { 'POST /auth/confirm-email': () => refuse('LINK_EXPIRED', 'This link was used before or has expired.') };

  it('offers to sign out, and leads back after signing in', async () => {
    const session = { me: (): unknown => OWNER };
    const { router, queryClient } = openPage(LINK, {
      'GET /me': () => session.me(),
      ...expired,
      'POST /auth/sign-out': () => {
        session.me = () => refuse('UNAUTHENTICATED');
        return {};
      },
    });
    await press('Confirm Email');
    await screen.findByText(/You're signed in as mia@example.com/);
    queryClient.setQueryData(['staff', 'list'], { rows: [] });
    const ends = await sessionEndsDuring(async () => {
      await press('Sign out and use another account');
      await waitFor(() => expect(router.state.location.pathname).toBe('/auth'));
    });
    expect(router.state.location.search).toEqual({ next: LINK });
    expect(queryClient.getQueryData(['staff', 'list'])).toBeUndefined();
    expect(ends).toContain('replaced');
  });

  it('stays, and says why, when the server did not sign out', async () => {
    const { path } = openPage(LINK, { 'GET /me': () => OWNER, ...expired, 'POST /auth/sign-out': () => refuse('UNAVAILABLE') });
    await press('Confirm Email');
    await press('Sign out and use another account');
    await waitFor(() => expect(toastTexts()).toEqual(['A failure on purpose']));
    expect(path()).toBe('/confirm-email');
  });

  it('is not suspected when the link is incomplete', async () => {
    openPage('/confirm-email', { 'GET /me': () => OWNER });
    await screen.findByText('This link is incomplete.');
    expect(screen.queryByRole('button', { name: 'Sign out and use another account' })).toBeNull();
  });
});

it('a second link in the same tab is confirmed on its own', async () => {
  const { router } = openPage('/confirm-email?token=abc', {
    'GET /me': () => OWNER,
    'POST /auth/confirm-email': () => ({ email: 'new@example.com' }),
  });
  await press('Confirm Email');
  await screen.findByRole('heading', { name: 'Your email is confirmed' });
  await act(() => router.navigate({ to: '/confirm-email', search: { token: 'def' } }));
  expect(screen.getByRole('button', { name: 'Confirm Email' })).toBeDefined();
});

describe('whoever confirms an email without a company', () => {
  async function confirm(invitations: object): Promise<void> {
    openPage('/confirm-email?token=abc', {
      'GET /me': () => NEWCOMER,
      'GET /me/invitations': () => invitations,
      'POST /auth/confirm-email': () => ({ email: NEWCOMER.user.email }),
    });
    await press('Confirm Email');
    await screen.findByRole('heading', { name: 'Your email is confirmed' });
  }

  it('joins the company that invited them', async () => {
    await confirm({ open: true, companies: [{ company_id: 'company-1', company_name: 'Harbour Plumbing' }] });
    expect(await screen.findByRole('button', { name: 'Join Harbour Plumbing' })).toBeDefined();
    expect(screen.queryByRole('link', { name: 'Back to settings' })).toBeNull();
  });

  it('else goes on to set up their own', async () => {
    await confirm({ open: false, companies: [] });
    expect((await screen.findByRole('link', { name: 'Continue' })).getAttribute('href')).toBe('/onboarding');
    expect(screen.queryByRole('link', { name: 'Back to settings' })).toBeNull();
  });
});

describe('the administrator without a company', () => {
  const ADMINISTRATOR = { ...NEWCOMER, is_system_admin: true };
  const nothingYet = {
    'GET /me': () => ADMINISTRATOR,
    'GET /me/sessions': () => ({ rows: [] }),
    'GET /me/invitations': () => ({ open: false, companies: [] }),
  };

  it('is told where the administration is after confirming an email', async () => {
    openPage('/confirm-email?token=abc', { ...nothingYet, 'POST /auth/confirm-email': () => ({ email: ADMINISTRATOR.user.email }) });
    await press('Confirm Email');
    const link = await screen.findByRole('link', { name: 'Open System Administration' });
    expect(link.getAttribute('href')).toBe('/admin');
    expect(screen.queryByRole('link', { name: 'Back to settings' })).toBeNull();
  });

  it('changes email and password and signs out devices in the administration', async () => {
    openPage('/admin?tab=profile', nothingYet);
    await screen.findByRole('list', { name: 'Signed-in devices' });
    const forms = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
    expect(forms).toEqual(['Update Email', 'Change Password', 'Signed-in devices']);
  });

  it('who has a company does that in its settings', async () => {
    openPage('/admin?tab=queue', {
      'GET /me': () => ({ ...OWNER, is_system_admin: true }),
      'GET /admin/queue': () => refuse('UNAVAILABLE'),
    });
    await screen.findByRole('tab', { name: 'Companies' });
    expect(screen.queryByRole('tab', { name: 'Profile' })).toBeNull();
  });
});

describe('an invitation', () => {
  const openInvitation = (takesOverAccount: boolean, more: Answers = {}) =>
    openPage('/invitation?token=abc', {
      'GET /me': () => refuse('UNAUTHENTICATED'),
      'POST /invitations/view': () => ({
        company_name: 'Harbour Plumbing',
        name: 'Mia',
        email: 'mia@example.com',
        role: 'staff',
        replaces_company: false,
        leaves_company: false,
        takes_over_account: takesOverAccount,
      }),
      ...more,
    });

  it('names the role that somebody joins with', async () => {
    openInvitation(false);
    expect(await screen.findByText('Hi Mia, choose a password to join as a staff member.')).toBeDefined();
  });

  it('with a copied link sends whoever has an account to sign in', async () => {
    const message = 'This email already has an account. Sign in to join, or ask for the invitation by email.';
    openInvitation(false, { 'POST /invitations/accept': () => refuse('EMAIL_TAKEN', message) });
    expect((await screen.findByRole('link', { name: 'Sign in' })).getAttribute('href')).toBe('/auth');
    for (const label of ['Password', 'Confirm password']) {
      fireEvent.change(screen.getByLabelText(label), { target: { value: 'secret-1' } });
    }
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Accept Invitation' })));
    await waitFor(() => expect(toastTexts()).toEqual([message]));
  });

  it('says that accepting replaces the password of an account with this email', async () => {
    openInvitation(true);
    const sentence = 'If you already have an account with this email, this password replaces your current one.';
    expect(await screen.findByText(sentence)).toBeDefined();
  });
});
