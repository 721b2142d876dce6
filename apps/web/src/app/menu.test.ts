import { expect, test } from 'vitest';
import { MENU, menuFor } from './menu.ts';

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
