import { createMemoryHistory, createRootRoute, createRoute, createRouter, Outlet, RouterProvider } from '@tanstack/react-router';
import { act, cleanup, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clearLocalStores, useNavigationStore } from './navigation-store.ts';
import { setUpScrollRestoration } from './scroll-restoration.ts';

/** A fake page with a configurable height. Scrolling stops at the bottom, as in a browser. */
const page = { height: 0, top: 0 };
const resizeListeners: (() => void)[] = [];

class FakeResizeObserver {
  readonly #notify: () => void;
  constructor(notify: () => void) {
    this.#notify = notify;
  }
  observe(): void {
    resizeListeners.push(this.#notify);
  }
  disconnect(): void {
    resizeListeners.splice(resizeListeners.indexOf(this.#notify), 1);
  }
}

function growPageTo(height: number): void {
  page.height = height;
  for (const notify of resizeListeners.slice()) notify();
}

beforeEach(() => {
  clearLocalStores();
  Object.assign(page, { height: 800, top: 0 });
  vi.stubGlobal('ResizeObserver', FakeResizeObserver);
  vi.spyOn(window, 'innerHeight', 'get').mockReturnValue(800);
  vi.spyOn(window, 'scrollY', 'get').mockImplementation(() => page.top);
  vi.spyOn(document.documentElement, 'scrollHeight', 'get').mockImplementation(() => page.height);
  vi.spyOn(window, 'scrollTo').mockImplementation((_left?: unknown, top?: unknown) => {
    page.top = Math.max(0, Math.min(Number(top), page.height - 800));
  });
});

afterEach(() => {
  cleanup();
  resizeListeners.length = 0;
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Simulates a page load: a newly opened tab, a reload, or the browser's Back button. */
async function openTab(path: string, type: 'navigate' | 'reload' | 'back_forward', onStore?: () => void) {
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ type } as PerformanceNavigationTiming]);
  const root = createRootRoute({ component: Outlet });
  const shell = createRoute({ id: '_shell', getParentRoute: () => root, component: Outlet });
  const pages = ['/customers', '/staff', '/jobs'].map((to) =>
    createRoute({ path: to, getParentRoute: () => shell, component: () => to, staticData: { restoresScroll: to !== '/jobs' } }),
  );
  const history = createMemoryHistory({ initialEntries: [path] });
  const routeTree = root.addChildren([shell.addChildren(pages)]);
  const router = createRouter({ routeTree, history, scrollRestoration: () => false });
  setUpScrollRestoration(router, onStore);
  await act(async () => {
    render(<RouterProvider router={router} />);
    await router.load();
  });
  return { navigateTo: (to: string) => act(() => router.navigate({ to })) };
}

test('starts a new tab at the top, even on a list that another tab has scrolled', async () => {
  useNavigationStore.getState().saveScrollPosition('/customers', 900);
  useNavigationStore.getState().saveScrollPosition('/staff', 700);
  page.height = 5_000;
  const { navigateTo } = await openTab('/customers', 'navigate');
  expect(page.top).toBe(0);
  await navigateTo('/staff');
  expect(page.top).toBe(0);
});

test.each(['reload', 'back_forward'] as const)('restores the scroll position on %s', async (type) => {
  useNavigationStore.getState().saveScrollPosition('/jobs', 900);
  await openTab('/jobs', type);
  growPageTo(5_000);
  expect(page.top).toBe(900);
});

test('restores the scroll position of a list reopened from the menu', async () => {
  page.height = 5_000;
  const { navigateTo } = await openTab('/customers', 'navigate');
  page.top = 1_200;
  await navigateTo('/jobs');
  expect(page.top).toBe(0);
  await navigateTo('/customers');
  expect(page.top).toBe(1_200);
});

test("stores a list's scroll position while the list is still on screen", async () => {
  const displayed: (string | null)[] = [];
  const { navigateTo } = await openTab('/customers', 'navigate', () => displayed.push(document.body.textContent));
  await navigateTo('/jobs');
  expect(displayed).toEqual(['/customers']);
});

test('cancels a pending restore when the user leaves the page, without losing the stored position', async () => {
  useNavigationStore.getState().saveScrollPosition('/customers', 900);
  const { navigateTo } = await openTab('/customers', 'reload');
  expect(page.top).toBe(0);
  await navigateTo('/jobs');
  growPageTo(5_000);
  expect(page.top).toBe(0);
  await navigateTo('/customers');
  expect(page.top).toBe(900);
});
