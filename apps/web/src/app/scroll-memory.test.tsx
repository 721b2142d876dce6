import { createMemoryHistory, createRootRoute, createRoute, createRouter, Outlet, RouterProvider } from '@tanstack/react-router';
import { act, cleanup, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clearLocalStores, useNavigation } from './navigation-store.ts';
import { rememberScroll } from './scroll-memory.ts';

/** A page whose height the test decides; scrolling stops at its end, as in a browser. */
const page = { height: 0, top: 0 };
const resize: (() => void)[] = [];

class PlayedResizeObserver {
  readonly #notify: () => void;
  constructor(notify: () => void) {
    this.#notify = notify;
  }
  observe(): void {
    resize.push(this.#notify);
  }
  disconnect(): void {
    resize.splice(resize.indexOf(this.#notify), 1);
  }
}

function growTo(height: number): void {
  page.height = height;
  for (const notify of resize.slice()) notify();
}

beforeEach(() => {
  clearLocalStores();
  Object.assign(page, { height: 800, top: 0 });
  vi.stubGlobal('ResizeObserver', PlayedResizeObserver);
  vi.spyOn(window, 'innerHeight', 'get').mockReturnValue(800);
  vi.spyOn(window, 'scrollY', 'get').mockImplementation(() => page.top);
  vi.spyOn(document.documentElement, 'scrollHeight', 'get').mockImplementation(() => page.height);
  vi.spyOn(window, 'scrollTo').mockImplementation((_left?: unknown, top?: unknown) => {
    page.top = Math.max(0, Math.min(Number(top), page.height - 800));
  });
});

afterEach(() => {
  cleanup();
  resize.length = 0;
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** A tab at a path, opened by a link, a reload, or the browser's back button. */
async function openTab(path: string, type: 'navigate' | 'reload' | 'back_forward', onStore?: () => void) {
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ type } as PerformanceNavigationTiming]);
  const root = createRootRoute({ component: Outlet });
  const shell = createRoute({ id: '_shell', getParentRoute: () => root, component: Outlet });
  const pages = ['/customers', '/staff', '/jobs'].map((to) =>
    createRoute({ path: to, getParentRoute: () => shell, component: () => to, staticData: { keepsScroll: to !== '/jobs' } }),
  );
  const history = createMemoryHistory({ initialEntries: [path] });
  const routeTree = root.addChildren([shell.addChildren(pages)]);
  const router = createRouter({ routeTree, history, scrollRestoration: () => false });
  rememberScroll(router, onStore);
  await act(async () => {
    render(<RouterProvider router={router} />);
    await router.load();
  });
  return { go: (to: string) => act(() => router.navigate({ to })) };
}

test('a new tab opens at the top, also of a list that another tab has scrolled', async () => {
  useNavigation.getState().keepScroll('/customers', 900);
  useNavigation.getState().keepScroll('/staff', 700);
  page.height = 5_000;
  const { go } = await openTab('/customers', 'navigate');
  expect(page.top).toBe(0);
  await go('/staff');
  expect(page.top).toBe(0);
});

test.each(['reload', 'back_forward'] as const)('%s leads to where the page was', async (type) => {
  useNavigation.getState().keepScroll('/jobs', 900);
  await openTab('/jobs', type);
  growTo(5_000);
  expect(page.top).toBe(900);
});

test('a list opened again from the menu is where it was', async () => {
  page.height = 5_000;
  const { go } = await openTab('/customers', 'navigate');
  page.top = 1_200;
  await go('/jobs');
  expect(page.top).toBe(0);
  await go('/customers');
  expect(page.top).toBe(1_200);
});

test('a list that is left is still on screen when its position is stored', async () => {
  const seen: (string | null)[] = [];
  const { go } = await openTab('/customers', 'navigate', () => seen.push(document.body.textContent));
  await go('/jobs');
  expect(seen).toEqual(['/customers']);
});

test('leaving a page cancels its pending restore, and does not lose its position', async () => {
  useNavigation.getState().keepScroll('/customers', 900);
  const { go } = await openTab('/customers', 'reload');
  expect(page.top).toBe(0);
  await go('/jobs');
  growTo(5_000);
  expect(page.top).toBe(0);
  await go('/customers');
  expect(page.top).toBe(900);
});
