import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { watchSession } from '../src/app/session.ts';
import { type Answers, openPage, press, refuse, toastTexts, typeInto } from './open-page.tsx';
import { NEWCOMER } from './people.ts';

const ADMINISTRATOR = { ...NEWCOMER, is_system_admin: true };

function openAsAdministrator(path: string, more: Answers = {}) {
  return openPage(path, {
    'GET /me': () => ADMINISTRATOR,
    'GET /admin/companies': () => ({ rows: [], next_cursor: null }),
    'GET /me/sessions': () => ({ rows: [] }),
    ...more,
  });
}

/** For a system administrator without a company. */
describe('the administration is home', () => {
  it.each(['/', '/dashboard', '/jobs', '/settings?tab=profile', '/auth'])('of who opens %s', async (from) => {
    const { path } = openAsAdministrator(from);
    await screen.findByRole('heading', { name: 'System Administration' });
    expect(path()).toBe('/admin');
  });

  it('with nothing to go back to', async () => {
    openAsAdministrator('/admin');
    await screen.findByRole('heading', { name: 'System Administration' });
    expect(screen.queryByRole('button', { name: 'Back' })).toBeNull();
  });

  it('where their own email and password can be changed', async () => {
    const { router } = openAsAdministrator('/admin');
    const mine = await screen.findByTitle('Your profile');
    await act(async () => fireEvent.click(mine));
    expect(await screen.findByRole('heading', { name: 'Change Password' })).toBeDefined();
    expect(router.state.location.href).toBe('/admin?tab=profile');
  });

  it('where nothing searches the records of companies', async () => {
    openAsAdministrator('/admin');
    await screen.findByRole('heading', { name: 'System Administration' });
    await act(async () => fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true }));
    const palette = await screen.findByRole('dialog', { name: 'Search or go to' });
    fireEvent.change(within(palette).getByRole('combobox'), { target: { value: 'acme' } });
    expect(await within(palette).findByText('No results. Try a different search.')).toBeDefined();
    await new Promise((done) => setTimeout(done, 200));
    expect(within(palette).queryByRole('alert')).toBeNull();
  });
});

it('a new password in a tab that is still signed in leads to the sign-in, and from there to where the link says', async () => {
  let me: () => unknown = () => ADMINISTRATOR;
  const { router, queryClient, path } = openAsAdministrator('/admin', {
    'GET /me': () => me(),

    'POST /auth/reset-password/view': () => ({}),
    'POST /auth/reset-password': () => {
      me = () => refuse('UNAUTHENTICATED');
      return {};
    },
  });
  watchSession(router, queryClient);
  await screen.findByRole('heading', { name: 'System Administration' });
  await act(() => router.navigate({ to: '/auth', search: { reset: true, token: 'abc', next: '/admin' } }));
  await screen.findByLabelText('New password');
  typeInto('New password', 'a long password');
  typeInto('Confirm password', 'a long password');
  await press('Set New Password');
  await screen.findByRole('heading', { name: 'Sign in to Callout' });
  await waitFor(() => expect(toastTexts()).toEqual(['Password updated successfully']));
  expect(path()).toBe('/auth');
  expect(router.state.location.search).toEqual({ next: '/admin' });
});
