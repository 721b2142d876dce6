import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { MENU } from '../src/app/menu.ts';
import { openPage } from './open-page.tsx';
import { OWNER, PROFILE } from './people.ts';

const STAFF = { ...OWNER, profile: { ...PROFILE, role: 'staff' as const } };

function open(path: string, me = OWNER) {
  return openPage(path, { 'GET /me': () => me });
}

it.each([['/calendar', 'Calendar', 'The calendar is coming soon.']])(
  '%s is called %s and says that it is coming soon',
  async (path, title, sentence) => {
    open(path);
    await screen.findByRole('heading', { level: 1, name: title });
    expect(screen.getByText(sentence)).toBeTruthy();
    expect(document.title).toBe(`${title} · Callout`);
    expect(window.location.pathname + window.location.search).toBe(path);
  },
);

it('the title of the tab follows from one of these pages to the next', async () => {
  const { router } = open('/calendar');
  await screen.findByRole('heading', { level: 1, name: 'Calendar' });
  for (const [to, title] of [
    ['/todo', 'To Do'],
    ['/nowhere', 'Page not found'],
  ] as const) {
    router.history.push(to);
    await waitFor(() => expect([router.state.location.pathname, document.title]).toEqual([to, `${title} · Callout`]));
  }
});

it.each(['/jobs/7/payment', '/quotes/new', '/quotes/7/edit'])('%s is denied to staff', async (path) => {
  open(path, STAFF);
  await screen.findByRole('heading', { name: 'Access Denied' });
  expect(screen.queryByText(/coming soon/)).toBeNull();
});

it.each(['/nowhere', '/jobs/7/nowhere', '/items-services/nowhere'])('%s is no page', async (path) => {
  open(path);
  await screen.findByRole('heading', { name: 'Page not found' });
  expect(document.title).toBe('Page not found · Callout');
});

it('a slash at the end makes no difference', async () => {
  open('/calendar/');
  expect(await screen.findByRole('heading', { level: 1, name: 'Calendar' })).toBeTruthy();
});

it('every entry of the menu leads to a page', async () => {
  const { router } = open('/todo');
  await screen.findByRole('heading', { level: 1, name: 'To Do' });
  for (const { to, label } of MENU) {
    const [routes] = router.getMatchedRoutes(to);
    if (routes.at(-1)?.id !== '/_shell/$') continue;
    router.history.push(to);
    expect(await screen.findByRole('heading', { level: 1, name: label })).toBeTruthy();
  }
});
