import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { watchSession } from '../src/app/session.ts';
import { useOfflineState } from '../src/lib/offline-state.ts';
import { getRequestHeaders } from '../src/lib/request-identity.ts';
import { announceSessionEnd, onSessionEnd } from '../src/lib/session-end.ts';
import { ADMIN_USER, CUSTOMER } from './fixtures.ts';
import { failWith, type MockApi, openPage, pressButton, waitForToasts } from './open-page.tsx';

afterEach(() => vi.restoreAllMocks());

const CUSTOMER_LIST_CALL = 'GET /customers?sort=name&order=asc';

function openShellPage(path: string, responses: MockApi = {}) {
  return openPage(path, {
    'GET /me': () => ADMIN_USER,
    'GET /customers/count': () => ({ total: 1 }),
    [CUSTOMER_LIST_CALL]: () => ({ rows: [CUSTOMER], next_cursor: null }),
    [`GET /customers/${CUSTOMER.id}`]: () => CUSTOMER,
    'GET /jobs?sort=created_at&order=desc&customer_id={id}': () => ({ rows: [], next_cursor: null }),
    'GET /categories': () => ({ rows: [] }),
    'GET /staff-names': () => ({ rows: [] }),
    ...responses,
  });
}

it('refetches the signed-in user on navigation only when the cached one is stale', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  let reads = 0;
  const { router } = openShellPage('/customers', {
    'GET /me': () => {
      reads += 1;
      return ADMIN_USER;
    },
  });
  await screen.findByRole('link', { name: /^Ana Rossi/ });
  const readsBefore = reads;
  await act(() => router.navigate({ to: '/customers/$id', params: { id: CUSTOMER.id } }));
  await screen.findByRole('heading', { level: 1, name: CUSTOMER.name });
  expect(reads).toBe(readsBefore);
  vi.setSystemTime(Date.now() + 6 * 60_000);
  await act(() => router.navigate({ to: '/customers' }));
  await waitFor(() => expect(reads).toBe(readsBefore + 1));
});

it('Back goes up one level from a page opened by URL, and otherwise back in history', async () => {
  const { path } = openShellPage(`/customers/${CUSTOMER.id}`);
  await pressButton('Back');
  await waitFor(() => expect(path()).toBe('/customers'));
  const row = await screen.findByRole('link', { name: /^Ana Rossi/ });
  await act(async () => fireEvent.click(row));
  const [newJob] = await screen.findAllByRole('link', { name: 'New Job' });
  await act(async () => fireEvent.click(newJob ?? document.body));
  await waitFor(() => expect(path()).toBe('/jobs/new'));
  await pressButton('Back');
  await waitFor(() => expect(path()).toBe(`/customers/${CUSTOMER.id}`));
});

it('redirects to sign-in when the session expires, with one message and the page to return to', async () => {
  const list = { respond: (): unknown => ({ rows: [CUSTOMER], next_cursor: null }) };
  const { router, queryClient, path } = openShellPage('/customers', { [CUSTOMER_LIST_CALL]: () => list.respond() });
  onTestFinished(watchSession(router, queryClient));
  await screen.findByRole('link', { name: /^Ana Rossi/ });
  list.respond = () => failWith('UNAUTHENTICATED');
  await act(async () => queryClient.invalidateQueries({ queryKey: ['customers'] }));
  await waitFor(() => expect(path()).toBe('/auth'));
  expect(router.state.location.search).toEqual({ next: '/customers' });
  await waitForToasts('Your session has expired. Please sign in again.');
});

it('tells a removed member which company they no longer belong to', async () => {
  const list = { respond: (): unknown => ({ rows: [CUSTOMER], next_cursor: null }) };
  const { router, queryClient, path } = openShellPage('/customers', { [CUSTOMER_LIST_CALL]: () => list.respond() });
  onTestFinished(watchSession(router, queryClient));
  await screen.findByRole('link', { name: /^Ana Rossi/ });
  list.respond = () => failWith('UNAUTHENTICATED', 'No authenticated user', { removed_from: 'Harbour Plumbing' });
  await act(async () => queryClient.invalidateQueries({ queryKey: ['customers'] }));
  await waitFor(() => expect(path()).toBe('/auth'));
  expect(router.state.location.search).toEqual({});
  await waitForToasts('You no longer belong to Harbour Plumbing. Your login there was deleted.');
});

/** Opens the channel on which another tab of the same browser announces session changes. */
function openOtherTabChannel() {
  const tab = new BroadcastChannel('callout-session');
  onTestFinished(() => tab.close());
  return tab;
}

it.each([
  ['the same user signed out', { end: 'signed-out', person: ADMIN_USER.user.id }],
  ['another user signed in', { end: 'replaced', person: 'another-user' }],
] as const)('clears the page when another tab ends its session: %s', async (_, message) => {
  const { router, queryClient, path } = openShellPage('/customers');
  onTestFinished(watchSession(router, queryClient));
  await screen.findByRole('link', { name: /^Ana Rossi/ });
  const sessionEnds: string[] = [];
  onTestFinished(onSessionEnd((reason, byOtherTab) => void sessionEnds.push(`${reason} ${byOtherTab}`)));
  openOtherTabChannel().postMessage(message);
  await waitFor(() => expect(path()).toBe('/auth'));
  expect(sessionEnds).toEqual([`${message.end} true`]);
  expect(queryClient.getQueryCache().getAll()).toEqual([]);
});

it('keeps the session when another tab signs in the same user', async () => {
  const { router, queryClient, path } = openShellPage('/customers');
  onTestFinished(watchSession(router, queryClient));
  await screen.findByRole('link', { name: /^Ana Rossi/ });
  const sessionEnds: string[] = [];
  onTestFinished(onSessionEnd((reason) => void sessionEnds.push(reason)));
  const tab = openOtherTabChannel();
  tab.postMessage({ end: 'replaced', person: ADMIN_USER.user.id });
  // Only this second message may end the session, which proves that the first one was ignored.
  tab.postMessage({ end: 'signed-out', person: ADMIN_USER.user.id });
  await waitFor(() => expect(path()).toBe('/auth'));
  expect(sessionEnds).toEqual(['signed-out']);
});

it('leaves the sign-in form when the same user signs in again in another tab, but not for another user', async () => {
  const me = { respond: (): unknown => ADMIN_USER };
  const { router, queryClient, path } = openShellPage('/customers', { 'GET /me': () => me.respond() });
  onTestFinished(watchSession(router, queryClient));
  await screen.findByRole('link', { name: /^Ana Rossi/ });
  await act(async () => announceSessionEnd('expired'));
  await screen.findByLabelText('Password');
  const requests = vi.fn((): unknown => ADMIN_USER);
  me.respond = requests;
  // Created after the page's channel, so it receives each message after the page.
  const received = vi.fn();
  openOtherTabChannel().addEventListener('message', received);
  const tab = openOtherTabChannel();
  tab.postMessage({ end: 'replaced', person: 'another-user' });
  await waitFor(() => expect(received).toHaveBeenCalledOnce());
  expect(requests).not.toHaveBeenCalled();
  expect(path()).toBe('/auth');
  tab.postMessage({ end: 'replaced', person: ADMIN_USER.user.id });
  await waitFor(() => expect(path()).toBe('/customers'));
  await screen.findByRole('link', { name: /^Ana Rossi/ });
});

it('rechecks the session when another user signs out in another tab, and ends it only if it is invalid', async () => {
  const me = { respond: vi.fn((): unknown => ADMIN_USER) };
  const { router, queryClient, path } = openShellPage('/customers', { 'GET /me': () => me.respond() });
  onTestFinished(watchSession(router, queryClient));
  await screen.findByRole('link', { name: /^Ana Rossi/ });
  me.respond.mockClear();
  const tab = openOtherTabChannel();
  tab.postMessage({ end: 'signed-out', person: 'another-user' });
  await waitFor(() => expect(me.respond).toHaveBeenCalledOnce());
  expect(path()).toBe('/customers');
  me.respond.mockImplementation(() => failWith('UNAUTHENTICATED'));
  tab.postMessage({ end: 'signed-out', person: 'another-user' });
  await waitFor(() => expect(path()).toBe('/auth'));
});

it('sends the id of the signed-in user with every request, even after the session has ended', async () => {
  openShellPage('/customers');
  await screen.findByRole('link', { name: /^Ana Rossi/ });
  expect(getRequestHeaders()).toMatchObject({ 'x-callout-person': ADMIN_USER.user.id });
  act(() => announceSessionEnd('expired'));
  expect(getRequestHeaders()).toMatchObject({ 'x-callout-person': ADMIN_USER.user.id });
});

it('never shows the next user a response meant for the previous user', async () => {
  const requestUserIds: unknown[] = [];
  const nextUser = { ...ADMIN_USER, user: { ...ADMIN_USER.user, id: 'another-user', name: 'Nora Next' } };
  const me = { respond: (): unknown => ADMIN_USER };
  const { router, queryClient, path } = openShellPage('/customers', { 'GET /me': () => me.respond() });
  onTestFinished(watchSession(router, queryClient));
  await screen.findByRole('link', { name: /^Ana Rossi/ });
  act(() => announceSessionEnd('expired'));
  await waitFor(() => expect(path()).toBe('/auth'));
  await waitFor(() => expect(queryClient.getQueryCache().getAll()).toEqual([]));
  me.respond = () => {
    requestUserIds.push(getRequestHeaders()['x-callout-person']);
    return nextUser;
  };
  queryClient.setQueryData(['me'], ADMIN_USER);
  await act(() => router.navigate({ to: '/customers' }));
  await screen.findByRole('link', { name: /^Ana Rossi/ });
  expect(requestUserIds).toEqual([undefined]);
  expect(getRequestHeaders()).toMatchObject({ 'x-callout-person': 'another-user' });
});

it('does not announce the user to other tabs if the session ends during a navigation', async () => {
  const { router, queryClient, path } = openShellPage('/customers');
  onTestFinished(watchSession(router, queryClient));
  await screen.findByRole('link', { name: /^Ana Rossi/ });
  const receivedMessages: unknown[] = [];
  openOtherTabChannel().addEventListener('message', ({ data }) => receivedMessages.push(data));
  await act(async () => {
    announceSessionEnd('expired');
    void router.navigate({ to: '/customers', search: { status: 'inactive' } });
  });
  await waitFor(() => expect(queryClient.getQueryCache().getAll()).toEqual([]));
  expect(path()).toBe('/auth');
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(receivedMessages).toEqual([]);
});

it('reloads the profile on Retry after it failed to load', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const me = { respond: (): unknown => failWith('FORBIDDEN') };
  openShellPage('/customers', { 'GET /me': () => me.respond() });
  await screen.findByText('Unable to load profile. Please check your connection and try again.');
  me.respond = () => ADMIN_USER;
  await pressButton('Retry');
  expect(await screen.findByRole('link', { name: /^Ana Rossi/ })).toBeDefined();
});

it('says since when the browser is offline until the connection is back', async () => {
  openShellPage('/customers');
  await screen.findByRole('link', { name: /^Ana Rossi/ });
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  act(() => void window.dispatchEvent(new Event('offline')));
  await screen.findByRole('link', { name: /^Offline since \d+:\d\d [AP]M$/ });
  online.mockReturnValue(true);
  act(() => void window.dispatchEvent(new Event('online')));
  await waitFor(() => expect(screen.queryByRole('link', { name: /^Offline/ })).toBeNull());
});

it('offers a new version and reloads only on request', async () => {
  openShellPage('/customers');
  await screen.findByRole('link', { name: /^Ana Rossi/ });
  expect(screen.queryByText('A new version is ready.')).toBeNull();
  const openNewVersion = vi.fn();
  act(() => useOfflineState.setState({ openNewVersion }));
  await screen.findByText('A new version is ready.');
  expect(openNewVersion).not.toHaveBeenCalled();
  await pressButton('Reload');
  expect(openNewVersion).toHaveBeenCalledOnce();
  act(() => useOfflineState.setState(useOfflineState.getInitialState(), true));
});

it('says so when the server is unreachable although the browser is online', async () => {
  openShellPage('/customers');
  await screen.findByRole('link', { name: /^Ana Rossi/ });
  act(() => useOfflineState.setState({ isReachable: false }));
  await screen.findByRole('link', { name: /^Offline since \d+:\d\d [AP]M$/ });
  act(() => useOfflineState.setState({ isReachable: true }));
  expect(screen.queryByRole('link', { name: /^Offline/ })).toBeNull();
});

it('shows Page not found inside the shell for an unknown path', async () => {
  openShellPage('/no-such-page');
  await screen.findByText('Page not found');
  expect(screen.getByRole('navigation', { name: 'Main menu' })).toBeDefined();
});
