import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, onTestFinished } from 'vitest';
import { watchSession } from '../src/app/session.ts';
import { USER_WITHOUT_COMPANY } from './fixtures.ts';
import { failWith, getToasts, type MockApi, openPage, pressButton, typeInto } from './open-page.tsx';

const SYSTEM_ADMIN = { ...USER_WITHOUT_COMPANY, is_system_admin: true };

function openAsSystemAdmin(path: string, responses: MockApi = {}) {
  return openPage(path, {
    'GET /me': () => SYSTEM_ADMIN,
    'GET /admin/companies': () => ({ rows: [], next_cursor: null }),
    'GET /me/sessions': () => ({ rows: [] }),
    ...responses,
  });
}

describe('a system administrator without a company', () => {
  it.each(['/', '/dashboard', '/jobs', '/settings?tab=profile', '/auth'])('is redirected from %s to the admin page', async (from) => {
    const { path } = openAsSystemAdmin(from);
    await screen.findByRole('heading', { name: 'System Administration' });
    expect(path()).toBe('/admin');
  });

  it('has no Back button on the admin page', async () => {
    openAsSystemAdmin('/admin');
    await screen.findByRole('heading', { name: 'System Administration' });
    expect(screen.queryByRole('button', { name: 'Back' })).toBeNull();
  });

  it('can change email and password on the Profile tab', async () => {
    const { router } = openAsSystemAdmin('/admin');
    const profileLink = await screen.findByTitle('Your profile');
    await act(async () => fireEvent.click(profileLink));
    expect(await screen.findByRole('heading', { name: 'Change Password' })).toBeDefined();
    expect(router.state.location.href).toBe('/admin?tab=profile');
  });

  it('cannot search company records in the command palette', async () => {
    openAsSystemAdmin('/admin');
    await screen.findByRole('heading', { name: 'System Administration' });
    await act(async () => fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true }));
    const palette = await screen.findByRole('dialog', { name: 'Search or go to' });
    fireEvent.change(within(palette).getByRole('combobox'), { target: { value: 'acme' } });
    expect(await within(palette).findByText('No results. Try a different search.')).toBeDefined();
    await new Promise((done) => setTimeout(done, 200));
    expect(within(palette).queryByRole('alert')).toBeNull();
  });
});

it('resetting the password in a signed-in tab opens the sign-in page and keeps the redirect', async () => {
  let me: () => unknown = () => SYSTEM_ADMIN;
  const { router, queryClient, path } = openAsSystemAdmin('/admin', {
    'GET /me': () => me(),

    'POST /auth/reset-password/view': () => ({}),
    'POST /auth/reset-password': () => {
      me = () => failWith('UNAUTHENTICATED');
      return {};
    },
  });
  onTestFinished(watchSession(router, queryClient));
  await screen.findByRole('heading', { name: 'System Administration' });
  await act(() => router.navigate({ to: '/auth', search: { reset: true, token: 'abc', next: '/admin' } }));
  await screen.findByLabelText('New password');
  typeInto('New password', 'a long password');
  typeInto('Confirm password', 'a long password');
  await pressButton('Set New Password');
  await screen.findByRole('heading', { name: 'Sign in to Callout' });
  await waitFor(() => expect(getToasts()).toEqual(['Password updated successfully']));
  expect(path()).toBe('/auth');
  expect(router.state.location.search).toEqual({ next: '/admin' });
});
