import { QueryClient } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PROFILE_UNAVAILABLE } from '../lib/error-messages.ts';
import { retryDelay, shouldRetry } from '../lib/query-client.ts';
import { requireSignedIn } from './guard.ts';
import { ProfileErrorPage } from './status-pages.tsx';

const ME = { user: { id: 'mia' }, profile: null };

/** What the server says to each request; nothing for a connection that is dead. */
let answers: (() => Promise<Response>)[] = [];
const nothing = () => new Promise<Response>(() => undefined);
const stalled = async () => Response.json({ code: 'UNAVAILABLE', status: 503, message: 'Try again.', defined: true }, { status: 503 });
const me = async () => Response.json(ME);

let queryClient: QueryClient;
beforeEach(() => {
  vi.useFakeTimers();
  // The router and React say what failed.
  vi.spyOn(console, 'error').mockReturnValue();
  vi.spyOn(console, 'warn').mockReturnValue();
  queryClient = new QueryClient({ defaultOptions: { queries: { retry: shouldRetry, retryDelay } } });
  vi.stubGlobal('fetch', () => (answers.shift() ?? nothing)());
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** The application, as far as it asks who is signed in. */
async function start() {
  const rootRoute = createRootRoute({
    beforeLoad: () => requireSignedIn(queryClient, '/'),
    component: () => 'The page',
    errorComponent: ProfileErrorPage,
  });
  const routeTree = rootRoute.addChildren([createRoute({ getParentRoute: () => rootRoute, path: '/' })]);
  const router = createRouter({ routeTree, context: { queryClient }, history: createMemoryHistory() });
  void router.load();
  render(<RouterProvider router={router as never} />);
}
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

test('a dead connection is said after ten seconds, and the page opens when the same request is answered', async () => {
  const late = Promise.withResolvers<Response>();
  answers = [() => late.promise];
  await start();
  await pass(9_500);
  expect(screen.queryByText(PROFILE_UNAVAILABLE)).toBeNull();
  await pass(1_000);
  expect(screen.getByText(PROFILE_UNAVAILABLE)).toBeDefined();
  expect(screen.getByRole('button', { name: 'Retry' })).toBeDefined();
  late.resolve(Response.json(ME));
  await pass(1_000);
  expect(screen.getByText('The page')).toBeDefined();
});

test('the page opens by itself once the server answers again', async () => {
  answers = [stalled, stalled, stalled, stalled, stalled, stalled];
  await start();
  await pass(12_000);
  expect(screen.getByText(PROFILE_UNAVAILABLE)).toBeDefined();
  answers = [me];
  await pass(12_000);
  expect(screen.getByText('The page')).toBeDefined();
});
