import { onlineManager } from '@tanstack/react-query';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { NO_CONNECTION_MESSAGE } from '../src/lib/request.ts';
import { ADMIN_USER } from './fixtures.ts';
import { failWith, openPage, waitForToasts } from './open-page.tsx';

afterEach(() => onlineManager.setOnline(true));

const MY_DETAILS = { id: 'staff-1', name: 'Mia', phone: null, color: null, avatar_url: null, version: 1 };
const SIGNED_IN_AT = '2026-03-01T08:00:00.000Z';

const buildDevice = (id: string, browser: string) => ({
  id,
  browser,
  system: 'Windows',
  network: null,
  signed_in_at: SIGNED_IN_AT,
  last_active_at: SIGNED_IN_AT,
  is_current: id === 'here',
});

/** Opens a list of three devices on a mock server, which fails to sign out the tablet. */
async function openDeviceList() {
  let rows = [buildDevice('here', 'Chrome'), buildDevice('phone', 'Safari'), buildDevice('tablet', 'Firefox')];
  const keepDevices = (ids: string[]) => () => {
    rows = rows.filter(({ id }) => ids.includes(id));
    return {};
  };
  openPage('/settings?tab=profile', {
    'GET /me': () => ADMIN_USER,
    'GET /me/sessions': () => ({ rows }),
    'GET /staff': () => ({ rows: [] }),
    'GET /me/details': () => MY_DETAILS,
    'DELETE /me/sessions/phone': keepDevices(['here', 'tablet']),
    'DELETE /me/sessions/tablet': () => failWith('INTERNAL'),
    'DELETE /me/sessions': keepDevices(['here']),
  });
  return screen.findByRole('list', { name: 'Signed-in devices' });
}

const getFocusedLabel = () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.nodeName;

const focusAndClick = (target: HTMLElement) =>
  act(async () => {
    target.focus();
    fireEvent.click(target);
  });

it('confirms that a device was signed out and moves focus to the list', async () => {
  const list = await openDeviceList();
  await focusAndClick(within(list).getByRole('button', { name: 'Sign out Safari on Windows' }));
  await waitFor(() => expect(within(list).getAllByRole('listitem')).toHaveLength(2));
  await waitForToasts('Safari on Windows signed out');
  await waitFor(() => expect(getFocusedLabel()).toBe('Signed-in devices'));
});

it('does not steal focus that moved elsewhere while a device was being signed out', async () => {
  const list = await openDeviceList();
  const field = screen.getByLabelText('New email');
  await act(async () => {
    fireEvent.click(within(list).getByRole('button', { name: 'Sign out Safari on Windows' }));
    field.focus();
  });
  await waitFor(() => expect(within(list).getAllByRole('listitem')).toHaveLength(2));
  expect(document.activeElement === field).toBe(true);
});

it('confirms that all other devices were signed out and keeps focus on the page', async () => {
  const list = await openDeviceList();
  await focusAndClick(screen.getByRole('button', { name: 'Sign out all other devices' }));
  const dialog = await screen.findByRole('alertdialog');
  within(dialog).getByText(/You stay signed in here\./);
  await focusAndClick(await within(dialog).findByRole('button', { name: 'Sign Out' }));
  await waitFor(() => expect(within(list).getAllByRole('listitem')).toHaveLength(1));
  await waitForToasts('All other devices signed out');
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(getFocusedLabel()).not.toBe('BODY');
});

it('keeps a device in the list when signing it out fails', async () => {
  const list = await openDeviceList();
  await focusAndClick(within(list).getByRole('button', { name: 'Sign out Firefox on Windows' }));
  await waitForToasts('Failed to sign out the device: An unexpected error occurred. Please try again later.');
  expect(within(list).getAllByRole('listitem')).toHaveLength(3);
});

it('shows a connection error instead of the list while offline', async () => {
  const { router } = openPage('/todo', {
    'GET /me': () => ADMIN_USER,
    'GET /me/details': () => MY_DETAILS,
    'GET /staff': () => ({ rows: [] }),
    'GET /me/sessions': () => ({ rows: [] }),
  });
  await screen.findByRole('heading', { name: 'To Do' });
  onlineManager.setOnline(false);
  await act(async () => router.navigate({ to: '/settings', search: { tab: 'profile' } }));
  const section = (await screen.findByRole('heading', { name: 'Signed-in devices' })).closest('section');
  await waitFor(() => expect(section?.textContent).toContain(NO_CONNECTION_MESSAGE));
});

it('lists this device first, marked and without a sign-out button', async () => {
  const [currentDevice] = within(await openDeviceList()).getAllByRole('listitem');
  expect(currentDevice?.textContent).toContain('This device');
  expect(within(currentDevice ?? document.body).queryByRole('button')).toBeNull();
});
