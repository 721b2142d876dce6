import { BUSY_MESSAGE } from '@callout/domain/product/product';
import { QueryClient } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { PROFILE_UNAVAILABLE_MESSAGE } from '../lib/error-messages.ts';
import { shouldRetry } from '../lib/query-client.ts';
import { getRetryDelayMs } from '../lib/request-retries.ts';
import { requireSignedIn } from './auth-guard.ts';
import { ProfileErrorPage } from './fallback-pages.tsx';
import { claimCache } from './offline/cache-owner.ts';

const ME = { user: { id: 'mia' }, profile: null };

/** Responses to the next requests, in order. Once the list is empty, requests hang, as on a dead connection. */
let responses: (() => Promise<Response>)[] = [];
const hang = () => new Promise<Response>(() => undefined);
const respondUnavailable = async (message = 'Try again.') =>
  Response.json({ code: 'UNAVAILABLE', status: 503, message, defined: true }, { status: 503 });
const respondBusy = () => respondUnavailable(BUSY_MESSAGE);
const respondMe = async () => Response.json(ME);

let queryClient: QueryClient;
// Fake timers don't wait for code that is being loaded.
beforeAll(() => import('./offline/persisted-queries.ts'));
beforeEach(() => {
  vi.useFakeTimers();
  // Silences the errors that the router and React are expected to log.
  vi.spyOn(console, 'error').mockReturnValue();
  vi.spyOn(console, 'warn').mockReturnValue();
  queryClient = new QueryClient({ defaultOptions: { queries: { retry: shouldRetry, retryDelay: getRetryDelayMs } } });
  vi.stubGlobal('fetch', () => (responses.shift() ?? hang)());
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  localStorage.clear();
  vi.restoreAllMocks();
});

/** Renders an app with a single page that requires sign-in. */
async function startApp() {
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
const advanceTime = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

test('shows an error after ten seconds, then opens the page when the pending request succeeds', async () => {
  const late = Promise.withResolvers<Response>();
  responses = [() => late.promise];
  await startApp();
  await advanceTime(9_500);
  expect(screen.queryByText(PROFILE_UNAVAILABLE_MESSAGE)).toBeNull();
  await advanceTime(1_000);
  expect(screen.getByText(PROFILE_UNAVAILABLE_MESSAGE)).toBeDefined();
  expect(screen.getByRole('button', { name: 'Retry' })).toBeDefined();
  late.resolve(Response.json(ME));
  await advanceTime(1_000);
  expect(screen.getByText('The page')).toBeDefined();
});

test('opens the page automatically once the server responds again', async () => {
  responses = Array.from({ length: 6 }, () => () => respondUnavailable());
  await startApp();
  await advanceTime(12_000);
  expect(screen.getByText(PROFILE_UNAVAILABLE_MESSAGE)).toBeDefined();
  responses = [respondMe];
  await advanceTime(12_000);
  expect(screen.getByText('The page')).toBeDefined();
});

test('a busy server is asked again, instead of opening the data stored for offline use', async () => {
  claimCache('mia');
  responses = [respondBusy, respondBusy, respondBusy, respondMe];
  await startApp();
  await advanceTime(5_500);
  expect(screen.getByText('The page')).toBeDefined();
});

test('says that the server is busy if it stays busy', async () => {
  claimCache('mia');
  responses = Array.from({ length: 6 }, () => respondBusy);
  await startApp();
  await advanceTime(9_500);
  expect(screen.queryByRole('alert')).toBeNull();
  await advanceTime(1_000);
  expect(screen.getByRole('alert').textContent).toContain(BUSY_MESSAGE);
});
