import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useShortcutSettings } from '../src/app/shell/shortcuts.tsx';
import { openPage } from './open-page.tsx';
import { OWNER } from './people.ts';

const ADMIN = { ...OWNER, is_system_admin: true };

beforeEach(() => act(() => useShortcutSettings.getState().setSingleKeys(true)));

afterEach(() => {
  document.querySelector('[data-search]')?.remove();
  vi.restoreAllMocks();
});

async function openToDo(me = OWNER) {
  const page = openPage('/todo', {
    'GET /me': () => me,
    'GET /admin/companies': () => new Promise(() => undefined),
  });
  await screen.findByRole('heading', { name: 'To Do' });
  return page;
}

const press = (key: string, more: object = {}) => fireEvent.keyDown(document.body, { key, ...more });

async function openHelp() {
  press('?', { shiftKey: true });
  return screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
}

it('every shortcut of the menu that the help lists works, also the one to Admin', async () => {
  const { path, router } = await openToDo(ADMIN);
  const help = await openHelp();
  const keys = [...help.querySelectorAll('dd')]
    .map((keysOf) => /^G then (.)$/.exec(keysOf.textContent)?.[1])
    .filter((key) => key !== undefined);
  expect(keys).toHaveLength(11);
  expect(keys).toContain('M');
  fireEvent.keyDown(help, { key: 'Escape' });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const navigate = vi.spyOn(router, 'navigate').mockResolvedValue();
  for (const key of keys) {
    press('g');
    press(key.toLowerCase());
  }
  expect(new Set(navigate.mock.calls.map(([{ to }]) => to)).size).toBe(11);
  expect(path()).toBe('/todo');
});

it('a page that is not in the menu of the role has no shortcut', async () => {
  const { router } = await openToDo();
  const navigate = vi.spyOn(router, 'navigate').mockResolvedValue();
  press('g');
  press('m');
  expect(navigate).not.toHaveBeenCalled();
});

it('the slash does not focus a search field that cannot be seen', async () => {
  await openToDo();
  const hidden = Object.assign(document.createElement('input'), { checkVisibility: () => false });
  hidden.setAttribute('data-search', '');
  document.body.append(hidden);
  press('/');
  await screen.findByRole('combobox', { name: 'Search or go to' });
  expect(document.activeElement).not.toBe(hidden);
});

it('single keys can be turned off in the help, which stays within reach', async () => {
  await openToDo();
  fireEvent.click(await openHelp().then(() => screen.getByRole('switch', { name: /Single-key shortcuts/ })));
  expect(screen.queryByText('Search this screen')).toBeNull();
  fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(localStorage.getItem('callout-shortcuts')).toContain('"singleKeys":false');
  press('?', { shiftKey: true });
  press('n');
  press('/');
  expect(screen.queryByRole('dialog')).toBeNull();
  press('/', { ctrlKey: true });
  await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
});
