import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { onSessionEnd } from '../src/lib/session-end.ts';
import { ADMIN_USER, USER_WITHOUT_COMPANY } from './fixtures.ts';
import { failWith, getToasts, type MockApi, openPage, pressButton, typeInto, waitForToasts } from './open-page.tsx';

const TOO_COMMON_MESSAGE = 'This password is too common. Please choose another one.';

/** Runs `work` and returns the reason for each session end that was announced while it ran. */
async function collectSessionEnds(work: () => Promise<void>): Promise<string[]> {
  const ends: string[] = [];
  const stop = onSessionEnd((end) => ends.push(end));
  await work();
  stop();
  return ends;
}

describe('undoing an email change', () => {
  it('clears cached data and announces the replaced session to every tab', async () => {
    const { queryClient } = openPage('/undo-email-change?token=abc', {
      'POST /auth/undo-email-change': () => ({ email: 'mia@example.com' }),
    });
    queryClient.setQueryData(['me'], ADMIN_USER);
    queryClient.setQueryData(['staff', 'list'], { rows: [] });
    fireEvent.change(await screen.findByLabelText('New password'), { target: { value: 'mine again' } });
    fireEvent.change(screen.getByLabelText('Confirm password'), { target: { value: 'mine again' } });
    const ends = await collectSessionEnds(async () => {
      await pressButton('Restore My Account');
      await screen.findByText('Your account is restored');
    });
    expect(queryClient.getQueryCache().getAll()).toEqual([]);
    expect(ends).toEqual(['replaced']);
  });
});

describe('a rejected attempt to undo an email change', () => {
  const submitNewPassword = async () => {
    await screen.findByLabelText('New password');
    typeInto('New password', '123456');
    typeInto('Confirm password', '123456');
    await pressButton('Restore My Account');
  };

  it('shows why the password was rejected and focuses the field', async () => {
    openPage('/undo-email-change?token=abc', {
      'POST /auth/undo-email-change': () => failWith('INVALID_INPUT', undefined, { fields: { password: TOO_COMMON_MESSAGE } }),
    });
    await submitNewPassword();
    await screen.findByText(TOO_COMMON_MESSAGE);
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('New password')));
  });

  it('reports a used link and disables the button', async () => {
    openPage('/undo-email-change?token=abc', { 'POST /auth/undo-email-change': () => failWith('LINK_EXPIRED') });
    await submitNewPassword();
    await screen.findByText('This link has already been used or has expired.');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Restore My Account' }).disabled).toBe(true);
  });
});

describe('the profile settings', () => {
  /** Finds the field in the form with the `submit` button, because two forms ask for the current password. */
  const getCurrentPasswordField = (submit: string) => {
    const form = screen.getByRole('button', { name: submit }).closest('form') ?? document.body;
    return within(form).getByLabelText('Current password');
  };

  async function openProfile(responses: MockApi) {
    openPage('/settings?tab=profile', {
      'GET /me': () => ADMIN_USER,
      'GET /me/sessions': () => ({ rows: [] }),
      'GET /staff': () => ({ rows: [] }),
      'GET /me/details': () => ({ id: 'staff-1', name: 'Mia', phone: null, color: null, avatar_url: null, version: 1 }),
      ...responses,
    });
    await screen.findByText(/^You sign in with mia@example.com/);
  }

  async function changePassword(next: string, confirm = next): Promise<void> {
    fireEvent.change(getCurrentPasswordField('Change Password'), { target: { value: 'the old one' } });
    typeInto('New password', next);
    typeInto('Confirm new password', confirm);
    await pressButton('Change Password');
  }

  it('shows password errors next to their fields', async () => {
    const put = { respond: (): unknown => failWith('INVALID_INPUT', undefined, { fields: { new_password: TOO_COMMON_MESSAGE } }) };
    await openProfile({ 'PUT /me/password': () => put.respond() });
    await changePassword('12345');
    await screen.findByText('Password must be at least 6 characters');
    await changePassword('another horse', 'another house');
    await screen.findByText('New passwords do not match');
    await changePassword('qwerty123');
    await screen.findByText(TOO_COMMON_MESSAGE);
    put.respond = () => failWith('WRONG_PASSWORD', 'Current password is incorrect');
    await changePassword('another horse');
    await screen.findByText('Current password is incorrect');
    await waitFor(() => expect(document.activeElement).toBe(getCurrentPasswordField('Change Password')));
    put.respond = () => failWith('INTERNAL');
    await changePassword('another horse');
    await waitForToasts('Failed to update password: An unexpected error occurred. Please try again later.');
  });

  it.each([
    [true, 'Open the link we sent to new@example.com to confirm your new email.'],
    [false, "Waiting for confirmation. Email isn't set up on this server. Ask the person who runs this Callout server for the link."],
  ])('explains how to confirm a requested email address (server can send email: %s)', async (sends_mail, text) => {
    await openProfile({ 'GET /me': () => ({ ...ADMIN_USER, sends_mail, user: { ...ADMIN_USER.user, pending_email: 'new@example.com' } }) });
    expect(await screen.findByText(text)).toBeDefined();
    expect(screen.queryByText(/^We'll send a link to this address/) !== null).toBe(sends_mail);
  });

  it('shows why an email change could not be requested', async () => {
    const post = { respond: (): unknown => failWith('WRONG_PASSWORD', 'Current password is incorrect') };
    await openProfile({ 'POST /me/email-change': () => post.respond() });
    const requestEmailChange = async () => {
      typeInto('New email', 'new@example.com');
      fireEvent.change(getCurrentPasswordField('Update Email'), { target: { value: 'not the password' } });
      await pressButton('Update Email');
    };
    await requestEmailChange();
    await screen.findByText('Current password is incorrect');
    await waitFor(() => expect(document.activeElement).toBe(getCurrentPasswordField('Update Email')));
    post.respond = () => failWith('INTERNAL');
    await requestEmailChange();
    await waitForToasts('Failed to update email: An unexpected error occurred. Please try again later.');
  });
});

describe('a confirmation link for another account', () => {
  const CONFIRM_LINK = '/confirm-email?token=abc';
  const expiredLinkResponses = {
    'POST /auth/confirm-email': () => failWith('LINK_EXPIRED', 'This link has already been used or has expired.'),
  };

  it('offers to sign out and returns to the link after the next sign-in', async () => {
    const session = { me: (): unknown => ADMIN_USER };
    const { router, queryClient } = openPage(CONFIRM_LINK, {
      'GET /me': () => session.me(),
      ...expiredLinkResponses,
      'POST /auth/sign-out': () => {
        session.me = () => failWith('UNAUTHENTICATED');
        return {};
      },
    });
    await pressButton('Confirm Email');
    await screen.findByText(/You're signed in as mia@example.com/);
    queryClient.setQueryData(['staff', 'list'], { rows: [] });
    const ends = await collectSessionEnds(async () => {
      await pressButton('Sign out and use another account');
      await waitFor(() => expect(router.state.location.pathname).toBe('/auth'));
    });
    expect(router.state.location.search).toEqual({ next: CONFIRM_LINK });
    expect(queryClient.getQueryData(['staff', 'list'])).toBeUndefined();
    expect(ends).toContain('replaced');
  });

  it('stays on the page and shows the error if signing out fails', async () => {
    const { path } = openPage(CONFIRM_LINK, {
      'GET /me': () => ADMIN_USER,
      ...expiredLinkResponses,
      'POST /auth/sign-out': () => failWith('UNAVAILABLE'),
    });
    await pressButton('Confirm Email');
    await pressButton('Sign out and use another account');
    await waitFor(() => expect(getToasts()).toEqual(['A failure on purpose']));
    expect(path()).toBe('/confirm-email');
  });

  it('offers no sign-out if the link is incomplete', async () => {
    openPage('/confirm-email', { 'GET /me': () => ADMIN_USER });
    await screen.findByText('This link is incomplete.');
    expect(screen.queryByRole('button', { name: 'Sign out and use another account' })).toBeNull();
  });
});

it('a second confirmation link in the same tab must be confirmed separately', async () => {
  const { router } = openPage('/confirm-email?token=abc', {
    'GET /me': () => ADMIN_USER,
    'POST /auth/confirm-email': () => ({ email: 'new@example.com' }),
  });
  await pressButton('Confirm Email');
  await screen.findByRole('heading', { name: 'Your email is confirmed' });
  await act(() => router.navigate({ to: '/confirm-email', search: { token: 'def' } }));
  expect(screen.getByRole('button', { name: 'Confirm Email' })).toBeDefined();
});

describe('the email confirmation page for a user without a company', () => {
  async function confirmEmail(invitations: object): Promise<void> {
    openPage('/confirm-email?token=abc', {
      'GET /me': () => USER_WITHOUT_COMPANY,
      'GET /me/invitations': () => invitations,
      'POST /auth/confirm-email': () => ({ email: USER_WITHOUT_COMPANY.user.email }),
    });
    await pressButton('Confirm Email');
    await screen.findByRole('heading', { name: 'Your email is confirmed' });
  }

  it('offers to join the company that sent an invitation', async () => {
    await confirmEmail({ open: true, companies: [{ company_id: 'company-1', company_name: 'Harbour Plumbing' }] });
    expect(await screen.findByRole('button', { name: 'Join Harbour Plumbing' })).toBeDefined();
    expect(screen.queryByRole('link', { name: 'Back to settings' })).toBeNull();
  });

  it('continues to onboarding if there is no invitation', async () => {
    await confirmEmail({ open: false, companies: [] });
    expect((await screen.findByRole('link', { name: 'Continue' })).getAttribute('href')).toBe('/onboarding');
    expect(screen.queryByRole('link', { name: 'Back to settings' })).toBeNull();
  });
});

describe('a system administrator', () => {
  const SYSTEM_ADMIN = { ...USER_WITHOUT_COMPANY, is_system_admin: true };
  const adminResponses = {
    'GET /me': () => SYSTEM_ADMIN,
    'GET /me/sessions': () => ({ rows: [] }),
    'GET /me/invitations': () => ({ open: false, companies: [] }),
  };

  it('without a company gets a link to System Administration after confirming an email address', async () => {
    openPage('/confirm-email?token=abc', { ...adminResponses, 'POST /auth/confirm-email': () => ({ email: SYSTEM_ADMIN.user.email }) });
    await pressButton('Confirm Email');
    const link = await screen.findByRole('link', { name: 'Open System Administration' });
    expect(link.getAttribute('href')).toBe('/admin');
    expect(screen.queryByRole('link', { name: 'Back to settings' })).toBeNull();
  });

  it('without a company manages email, password and devices on the admin page', async () => {
    openPage('/admin?tab=profile', adminResponses);
    await screen.findByRole('list', { name: 'Signed-in devices' });
    const forms = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
    expect(forms).toEqual(['Update Email', 'Change Password', 'Signed-in devices']);
  });

  it('with a company has no Profile tab on the admin page', async () => {
    openPage('/admin?tab=queue', {
      'GET /me': () => ({ ...ADMIN_USER, is_system_admin: true }),
      'GET /admin/queue': () => failWith('UNAVAILABLE'),
    });
    await screen.findByRole('tab', { name: 'Companies' });
    expect(screen.queryByRole('tab', { name: 'Profile' })).toBeNull();
  });
});

describe('the invitation page', () => {
  const openInvitation = (takesOverAccount: boolean, responses: MockApi = {}) =>
    openPage('/invitation?token=abc', {
      'GET /me': () => failWith('UNAUTHENTICATED'),
      'POST /invitations/view': () => ({
        company_id: 'company-2',
        company_name: 'Harbour Plumbing',
        name: 'Mia',
        email: 'mia@example.com',
        role: 'staff',
        replaces_company: false,
        leaves_company: false,
        takes_over_account: takesOverAccount,
      }),
      ...responses,
    });

  it("names the invited person's role", async () => {
    openInvitation(false);
    expect(await screen.findByText('Hi Mia, choose a password to join as a staff member.')).toBeDefined();
  });

  it('asks an existing user to sign in when they open a copied link', async () => {
    const message = 'This email already has an account. Sign in to join, or ask for the invitation by email.';
    openInvitation(false, { 'POST /invitations/accept': () => failWith('EMAIL_TAKEN', message) });
    expect((await screen.findByRole('link', { name: 'Sign in' })).getAttribute('href')).toBe('/auth');
    for (const label of ['Password', 'Confirm password']) {
      fireEvent.change(screen.getByLabelText(label), { target: { value: 'secret-1' } });
    }
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Accept Invitation' })));
    await waitFor(() => expect(getToasts()).toEqual([message]));
  });

  it('warns an existing user that accepting replaces their password', async () => {
    openInvitation(true);
    const sentence = 'If you already have an account with this email, this password replaces your current one.';
    expect(await screen.findByText(sentence)).toBeDefined();
  });
});
