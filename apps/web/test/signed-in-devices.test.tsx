import { onlineManager } from '@tanstack/react-query';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { NO_CONNECTION } from '../src/lib/request.ts';
import { openPage, refuse, toastTexts, waitForToasts } from './open-page.tsx';
import { OWNER } from './people.ts';

afterEach(() => onlineManager.setOnline(true));

const DETAILS = { id: 'staff-1', name: 'Mia', phone: null, color: null, avatar_url: null, version: 1 };
const NOW = '2026-03-01T08:00:00.000Z';

const device = (id: string, browser: string) => ({
  id,
  browser,
  system: 'Windows',
  network: null,
  signed_in_at: NOW,
  last_active_at: NOW,
  is_current: id === 'here',
});

/** Three devices, of which the server signs out those it is asked to. */
async function openDevices() {
  let rows = [device('here', 'Chrome'), device('phone', 'Safari'), device('tablet', 'Firefox')];
  const keep = (ids: string[]) => () => {
    rows = rows.filter(({ id }) => ids.includes(id));
    return {};
  };
  openPage('/settings?tab=profile', {
    'GET /me': () => OWNER,
    'GET /me/sessions': () => ({ rows }),
    'GET /staff': () => ({ rows: [] }),
    'GET /me/details': () => DETAILS,
    'DELETE /me/sessions/phone': keep(['here', 'tablet']),
    'DELETE /me/sessions/tablet': () => refuse('INTERNAL'),
    'DELETE /me/sessions': keep(['here']),
  });
  return screen.findByRole('list', { name: 'Signed-in devices' });
}

const focused = () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.nodeName;

const press = (target: HTMLElement) =>
  act(async () => {
    target.focus();
    fireEvent.click(target);
  });

it('signing out one device says so and keeps the focus at the list', async () => {
  const list = await openDevices();
  await press(within(list).getByRole('button', { name: 'Sign out Safari on Windows' }));
  await waitFor(() => expect(within(list).getAllByRole('listitem')).toHaveLength(2));
  expect(toastTexts()).toEqual(['Safari on Windows signed out']);
  await waitFor(() => expect(focused()).toBe('Signed-in devices'));
});

it('whoever has moved on meanwhile keeps the focus there', async () => {
  const list = await openDevices();
  const field = screen.getByLabelText('New email');
  await act(async () => {
    fireEvent.click(within(list).getByRole('button', { name: 'Sign out Safari on Windows' }));
    field.focus();
  });
  await waitFor(() => expect(within(list).getAllByRole('listitem')).toHaveLength(2));
  expect(document.activeElement === field).toBe(true);
});

it('signing out all others says so and leaves the focus on the page', async () => {
  const list = await openDevices();
  await press(screen.getByRole('button', { name: 'Sign out all other devices' }));
  const question = await screen.findByRole('alertdialog');
  within(question).getByText(/You stay signed in here\./);
  await press(await within(question).findByRole('button', { name: 'Sign Out' }));
  await waitFor(() => expect(within(list).getAllByRole('listitem')).toHaveLength(1));
  expect(toastTexts()).toEqual(['All other devices signed out']);
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(focused()).not.toBe('BODY');
});

it('a device that cannot be signed out stays in the list', async () => {
  const list = await openDevices();
  await press(within(list).getByRole('button', { name: 'Sign out Firefox on Windows' }));
  await waitForToasts('Failed to sign out the device: An unexpected error occurred. Please try again later.');
  expect(within(list).getAllByRole('listitem')).toHaveLength(3);
});

it('without a connection the list says so', async () => {
  const { router } = openPage('/todo', {
    'GET /me': () => OWNER,
    'GET /me/details': () => DETAILS,
    'GET /staff': () => ({ rows: [] }),
    'GET /me/sessions': () => ({ rows: [] }),
  });
  await screen.findByRole('heading', { name: 'To Do' });
  onlineManager.setOnline(false);
  await act(async () => router.navigate({ to: '/settings', search: { tab: 'profile' } }));
  const section = (await screen.findByRole('heading', { name: 'Signed-in devices' })).closest('section');
  await waitFor(() => expect(section?.textContent).toContain(NO_CONNECTION));
});

it('this device comes first, is marked and has no button', async () => {
  const [here] = within(await openDevices()).getAllByRole('listitem');
  expect(here?.textContent).toContain('This device');
  expect(within(here ?? document.body).queryByRole('button')).toBeNull();
});
