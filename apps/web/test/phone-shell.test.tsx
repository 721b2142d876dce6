import type { Me } from '@callout/contract/company';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { useTheme } from '../src/lib/theme.ts';
import { openPage, press } from './open-page.tsx';
import { OWNER } from './people.ts';

const setWidth = (width: number) => window.happyDOM.setViewport({ width, height: 800 });

afterEach(() => {
  setWidth(1024);
  useTheme.setState({ choice: 'system' });
  localStorage.clear();
});

async function openToDo(width: number, me: Me = OWNER) {
  setWidth(width);
  const page = openPage('/todo', { 'GET /me': () => me });
  await screen.findByRole('heading', { name: 'To Do' });
  return page;
}

const sidebar = () => screen.getByRole('complementary', { name: 'Sidebar', hidden: true });
const isOpen = () => !sidebar().hasAttribute('inert');

it('on a phone only More opens the menu, which holds the theme', async () => {
  await openToDo(390);
  const header = screen.getByRole('banner');
  expect(within(header).queryByRole('button', { name: 'Theme' })).toBeNull();
  expect(within(header).queryByRole('button', { name: 'Show menu' })).toBeNull();
  expect(isOpen()).toBe(false);
  expect(sidebar().children).toHaveLength(0);
  await press('More');
  expect(isOpen()).toBe(true);
  expect(screen.getByText('Skip to content').hasAttribute('inert')).toBe(true);
  expect(screen.getByText('More').getAttribute('aria-expanded')).toBe('true');
  const dark = within(sidebar()).getByRole('radio', { name: 'Dark' });
  await act(async () => fireEvent.click(dark));
  expect(document.documentElement.dataset['colorScheme']).toBe('dark');
});

it('a phone whose menu was never opened follows the theme that another tab has chosen', async () => {
  await openToDo(390);
  const scheme = () => document.documentElement.dataset['colorScheme'];
  expect(scheme()).toBe('light');
  localStorage.setItem('callout-theme', JSON.stringify({ state: { choice: 'dark' }, version: 1 }));
  await act(async () => void window.dispatchEvent(new StorageEvent('storage', { key: 'callout-theme' })));
  expect(scheme()).toBe('dark');
});

it('the bottom bar has the first four pages of the menu, in the order the person chose', async () => {
  await openToDo(390, { ...OWNER, menu_order: ['customers', 'quotes', 'items-services'] });
  const links = () => within(screen.getByRole('navigation', { name: 'Quick menu' })).getAllByRole('link');
  await waitFor(() =>
    expect(links().map(({ textContent }) => textContent)).toEqual(['Customers', 'Quotes', 'Items & Services', 'Dashboard']),
  );
});

it('a sidebar that was closed on a desk stays closed after a reload', async () => {
  await openToDo(1280);
  expect(isOpen()).toBe(true);
  await press('Hide menu');
  expect(isOpen()).toBe(false);
  cleanup();
  await openToDo(1280);
  expect(isOpen()).toBe(false);
  await press('Show menu');
  expect(isOpen()).toBe(true);
});

it('the menu of a phone closes with the window it was opened in, and leaves the sidebar of a desk as it was', async () => {
  await openToDo(390);
  await press('More');
  await act(async () => setWidth(1280));
  expect(isOpen()).toBe(true);
  await act(async () => setWidth(390));
  expect(isOpen()).toBe(false);
});

it('Back closes the open menu and stays on the page; the next Back leaves it', async () => {
  const { router, path } = await openToDo(390);
  await act(async () => router.navigate({ to: '/nowhere' as '/dashboard' }));
  await screen.findByRole('heading', { name: 'Page not found' });
  await press('More');
  await act(async () => window.history.back());
  await waitFor(() => expect(isOpen()).toBe(false));
  expect(path()).toBe('/nowhere');
  await act(async () => window.history.back());
  await waitFor(() => expect(path()).toBe('/todo'));
});
