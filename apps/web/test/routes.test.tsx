import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { MENU_ENTRIES } from '../src/app/menu.ts';
import { ADMIN_USER, PROFILE } from './fixtures.ts';
import { openPage } from './open-page.tsx';

const STAFF_USER = { ...ADMIN_USER, profile: { ...PROFILE, role: 'staff' as const } };

function openRoute(path: string, me = ADMIN_USER) {
  return openPage(path, { 'GET /me': () => me });
}

it.each(['/jobs/7/payment', '/quotes/new', '/quotes/7/edit'])('%s is denied to staff', async (path) => {
  openRoute(path, STAFF_USER);
  expect(await screen.findByRole('heading', { name: 'Access Denied' })).toBeDefined();
});

it.each(['/nowhere', '/jobs/7/nowhere', '/items-services/nowhere'])('%s shows Page not found', async (path) => {
  openRoute(path);
  await screen.findByRole('heading', { name: 'Page not found' });
  expect(document.title).toBe('Page not found · Callout');
});

it('every menu entry leads to a page', async () => {
  const { router } = openRoute('/nowhere');
  await screen.findByRole('heading', { name: 'Page not found' });
  const getRouteId = (path: string): unknown => router.getMatchedRoutes(path)[0].at(-1)?.id;
  expect(MENU_ENTRIES.map(({ to }) => getRouteId(to))).not.toContain('/_shell/$');
});
