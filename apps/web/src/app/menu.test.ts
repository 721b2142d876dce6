import type { Me } from '@callout/contract/company';
import { act, renderHook } from '@testing-library/react';
import { createElement, type ReactNode } from 'react';
import { expect, test } from 'vitest';
import { MeContext } from '../features/company/company.api.ts';
import { MENU, menuFor, useMenu } from './menu.ts';
import { useNavigation } from './navigation-store.ts';

const labels = (role: string, order: readonly string[] | null = null, isSystemAdmin = false) =>
  menuFor({ role, isSystemAdmin, order }).map(({ label }) => label);

test('the owner sees the ten entries in the default order', () => {
  expect(labels('admin')).toEqual([
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

test('what a role may not open is not in its menu', () => {
  expect(labels('staff')).not.toContain('Staff');
  expect(labels('staff')).toHaveLength(9);
});

test('Admin is last and only for the administrator account', () => {
  expect(labels('admin', null, true).at(-1)).toBe('Admin');
  expect(labels('admin')).not.toContain('Admin');
});

test('the administrator without a company finds only what needs none', () => {
  expect(labels('', null, true)).toEqual(['Admin']);
});

test('an own order holds; entries it does not name follow in the default order', () => {
  expect(labels('admin', ['quotes', 'jobs', 'gone']).slice(0, 4)).toEqual(['Quotes', 'Jobs', 'Dashboard', 'To Do']);
});

test('no two entries share a key', () => {
  expect(new Set(MENU.map(({ key }) => key)).size).toBe(MENU.length);
});

test('the menu is not rendered again when a page is opened or scrolled', () => {
  const me: Me = {
    user: { id: 'user-1', email: 'mia@example.com', name: 'Mia', staff_id: null, avatar_url: null, pending_email: null },
    profile: null,
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
  act(() => useNavigation.getState().visit('/customers'));
  act(() => useNavigation.getState().keepScroll('/customers', 300));
  expect(renders).toBe(before);
  unmount();
});
