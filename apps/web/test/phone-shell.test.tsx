import type { Me } from '@callout/contract/company';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { useTheme } from '../src/lib/theme.ts';
import { ADMIN_USER } from './fixtures.ts';
import { openPage, pressButton } from './open-page.tsx';

const setViewportWidth = (width: number) => window.happyDOM.setViewport({ width, height: 800 });

afterEach(() => {
  setViewportWidth(1024);
  useTheme.setState({ choice: 'system' });
  localStorage.clear();
});

async function openTodoPage(width: number, me: Me = ADMIN_USER) {
  setViewportWidth(width);
  const page = openPage('/todo', { 'GET /me': () => me });
  await screen.findByRole('heading', { name: 'To Do' });
  return page;
}

const getSidebar = () => screen.getByRole('complementary', { name: 'Sidebar', hidden: true });
const isSidebarOpen = () => !getSidebar().hasAttribute('inert');

it('on a phone, opens the menu with the theme setting only from More', async () => {
  await openTodoPage(390);
  const header = screen.getByRole('banner');
  expect(within(header).queryByRole('button', { name: 'Theme' })).toBeNull();
  expect(within(header).queryByRole('button', { name: 'Show menu' })).toBeNull();
  expect(isSidebarOpen()).toBe(false);
  expect(getSidebar().children).toHaveLength(0);
  await pressButton('More');
  expect(isSidebarOpen()).toBe(true);
  expect(screen.getByText('Skip to content').hasAttribute('inert')).toBe(true);
  expect(screen.getByText('More').getAttribute('aria-expanded')).toBe('true');
  const dark = within(getSidebar()).getByRole('radio', { name: 'Dark' });
  await act(async () => fireEvent.click(dark));
  expect(document.documentElement.dataset['colorScheme']).toBe('dark');
});

it('applies a theme chosen in another tab before the phone menu was ever opened', async () => {
  await openTodoPage(390);
  const scheme = () => document.documentElement.dataset['colorScheme'];
  expect(scheme()).toBe('light');
  localStorage.setItem('callout-theme', JSON.stringify({ state: { choice: 'dark' }, version: 1 }));
  await act(async () => void window.dispatchEvent(new StorageEvent('storage', { key: 'callout-theme' })));
  expect(scheme()).toBe('dark');
});

it("shows the first four pages of the person's menu order in the bottom bar", async () => {
  await openTodoPage(390, { ...ADMIN_USER, menu_order: ['customers', 'quotes', 'items-services'] });
  const links = () => within(screen.getByRole('navigation', { name: 'Quick menu' })).getAllByRole('link');
  await waitFor(() =>
    expect(links().map(({ textContent }) => textContent)).toEqual(['Customers', 'Quotes', 'Items & Services', 'Dashboard']),
  );
});

it('keeps a closed desktop sidebar closed after a reload', async () => {
  await openTodoPage(1280);
  expect(isSidebarOpen()).toBe(true);
  await pressButton('Hide menu');
  expect(isSidebarOpen()).toBe(false);
  cleanup();
  await openTodoPage(1280);
  expect(isSidebarOpen()).toBe(false);
  await pressButton('Show menu');
  expect(isSidebarOpen()).toBe(true);
});

it('closes the phone menu when the window becomes wide, without changing the desktop sidebar', async () => {
  await openTodoPage(390);
  await pressButton('More');
  await act(async () => setViewportWidth(1280));
  expect(isSidebarOpen()).toBe(true);
  await act(async () => setViewportWidth(390));
  expect(isSidebarOpen()).toBe(false);
});

it('closes the open menu on the first Back and leaves the page on the next', async () => {
  const { router, path } = await openTodoPage(390);
  await act(async () => router.navigate({ to: '/nowhere' as '/dashboard' }));
  await screen.findByRole('heading', { name: 'Page not found' });
  await pressButton('More');
  await act(async () => window.history.back());
  await waitFor(() => expect(isSidebarOpen()).toBe(false));
  expect(path()).toBe('/nowhere');
  await act(async () => window.history.back());
  await waitFor(() => expect(path()).toBe('/todo'));
});
