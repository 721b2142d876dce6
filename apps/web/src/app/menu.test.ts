import type { Me } from '@callout/contract/company';
import { act, renderHook } from '@testing-library/react';
import { createElement, type ReactNode } from 'react';
import { expect, test } from 'vitest';
import { MeContext } from '../features/company/company.api.ts';
import { buildMenu, MENU_ENTRIES, useMenu } from './menu.ts';
import { useNavigationStore } from './navigation-store.ts';

const listLabels = (role: string, order: readonly string[] | null = null, isSystemAdmin = false) =>
  buildMenu({ role, isSystemAdmin, order }).map(({ label }) => label);

test('shows a company admin all ten entries in the default order', () => {
  expect(listLabels('admin')).toEqual([
    'Dashboard',
    'To Do',
    'Job Board',
    'Calendar',
    'Jobs',
    'Quotes',
    'Customers',
    'Items & Services',
    'Staff',
    'Settings',
  ]);
});

test('hides entries for pages that the role may not open', () => {
  expect(listLabels('staff')).not.toContain('Staff');
  expect(listLabels('staff')).toHaveLength(9);
});

test('shows Admin last, and only to system administrators', () => {
  expect(listLabels('admin', null, true).at(-1)).toBe('Admin');
  expect(listLabels('admin')).not.toContain('Admin');
});

test('shows only Admin to a system administrator without a company', () => {
  expect(listLabels('', null, true)).toEqual(['Admin']);
});

test("follows the user's order and appends missing entries in the default order", () => {
  expect(listLabels('admin', ['quotes', 'jobs', 'deleted']).slice(0, 4)).toEqual(['Quotes', 'Jobs', 'Dashboard', 'To Do']);
});

test('gives every entry a unique shortcut key', () => {
  expect(new Set(MENU_ENTRIES.map(({ shortcutKey: key }) => key)).size).toBe(MENU_ENTRIES.length);
});

test('does not re-render the menu when a page is opened or scrolled', () => {
  const me: Me = {
    user: { id: 'user-1', email: 'mia@example.com', name: 'Mia', staff_id: null, avatar_url: null, hex_code: null, pending_email: null },
    profile: null,
    company_deletes_at: null,
    is_system_admin: false,
    must_confirm_email: false,
    menu_order: null,
    start_card_dismissed: false,
    sends_mail: true,
  };
  const wrapper = ({ children }: { children: ReactNode }) => createElement(MeContext, { value: me }, children);
  let renders = 0;
  const useCountedMenu = () => {
    renders += 1;
    return useMenu();
  };
  const { unmount } = renderHook(useCountedMenu, { wrapper });
  const before = renders;
  act(() => useNavigationStore.getState().recordVisit('/customers'));
  act(() => useNavigationStore.getState().saveScrollPosition('/customers', 300));
  expect(renders).toBe(before);
  unmount();
});
