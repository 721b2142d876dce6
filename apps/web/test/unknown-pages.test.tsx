import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { MENU } from '../src/app/menu.ts';
import { openPage } from './open-page.tsx';
import { OWNER, PROFILE } from './people.ts';

const STAFF = { ...OWNER, profile: { ...PROFILE, role: 'staff' as const } };

function open(path: string, me = OWNER) {
  return openPage(path, { 'GET /me': () => me });
}

it.each(['/jobs/7/payment', '/quotes/new', '/quotes/7/edit'])('%s is denied to staff', async (path) => {
  open(path, STAFF);
  expect(await screen.findByRole('heading', { name: 'Access Denied' })).toBeDefined();
});

it.each(['/nowhere', '/jobs/7/nowhere', '/items-services/nowhere'])('%s is no page', async (path) => {
  open(path);
  await screen.findByRole('heading', { name: 'Page not found' });
  expect(document.title).toBe('Page not found · Callout');
});

it('every entry of the menu leads to a page', async () => {
  const { router } = open('/nowhere');
  await screen.findByRole('heading', { name: 'Page not found' });
  const routeOf = (path: string): unknown => router.getMatchedRoutes(path)[0].at(-1)?.id;
  expect(MENU.map(({ to }) => routeOf(to))).not.toContain('/_shell/$');
});
