import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useShortcutSettings } from '../src/app/shell/shortcuts.tsx';
import { ADMIN_USER } from './fixtures.ts';
import { openPage } from './open-page.tsx';

const SYSTEM_ADMIN = { ...ADMIN_USER, is_system_admin: true };

beforeEach(() => act(() => useShortcutSettings.getState().setSingleKeys(true)));

afterEach(() => {
  document.querySelector('[data-search]')?.remove();
  vi.restoreAllMocks();
});

async function openTodoPage(me = ADMIN_USER) {
  const page = openPage('/todo', {
    'GET /me': () => me,
    'GET /admin/companies': () => new Promise(() => undefined),
  });
  await screen.findByRole('heading', { name: 'To Do' });
  return page;
}

const pressKey = (key: string, modifiers: object = {}) => fireEvent.keyDown(document.body, { key, ...modifiers });

async function openShortcutHelp() {
  pressKey('?', { shiftKey: true });
  return screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
}

it('every menu shortcut listed in the help works, including the one to Admin', async () => {
  const { path, router } = await openTodoPage(SYSTEM_ADMIN);
  const help = await openShortcutHelp();
  const keys = [...help.querySelectorAll('dd')]
    .map((shortcut) => /^G then (.)$/.exec(shortcut.textContent)?.[1])
    .filter((key) => key !== undefined);
  expect(keys).toHaveLength(11);
  expect(keys).toContain('M');
  fireEvent.keyDown(help, { key: 'Escape' });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const navigate = vi.spyOn(router, 'navigate').mockResolvedValue();
  for (const key of keys) {
    pressKey('g');
    pressKey(key.toLowerCase());
  }
  expect(new Set(navigate.mock.calls.map(([{ to }]) => to)).size).toBe(11);
  expect(path()).toBe('/todo');
});

it('a page that is missing from the menu has no shortcut', async () => {
  const { router } = await openTodoPage();
  const navigate = vi.spyOn(router, 'navigate').mockResolvedValue();
  pressKey('g');
  pressKey('m');
  expect(navigate).not.toHaveBeenCalled();
});

it('the slash key does not focus a hidden search field', async () => {
  await openTodoPage();
  const hiddenSearch = Object.assign(document.createElement('input'), { checkVisibility: () => false });
  hiddenSearch.setAttribute('data-search', '');
  document.body.append(hiddenSearch);
  pressKey('/');
  await screen.findByRole('combobox', { name: 'Search or go to' });
  expect(document.activeElement).not.toBe(hiddenSearch);
});

it('single-key shortcuts can be turned off in the help, which still opens with Ctrl+/', async () => {
  await openTodoPage();
  fireEvent.click(await openShortcutHelp().then(() => screen.getByRole('switch', { name: /Single-key shortcuts/ })));
  expect(screen.queryByText('Search this screen')).toBeNull();
  fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(localStorage.getItem('callout-shortcuts')).toContain('"singleKeys":false');
  pressKey('?', { shiftKey: true });
  pressKey('n');
  pressKey('/');
  expect(screen.queryByRole('dialog')).toBeNull();
  pressKey('/', { ctrlKey: true });
  await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
});
