import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { useOfflineState } from '../src/app/offline/offline-state.ts';
import { watchSession } from '../src/app/session.ts';
import { requestHeaders } from '../src/lib/request-person.ts';
import { announceSessionEnd, onSessionEnd } from '../src/lib/session-end.ts';
import { type Answers, openPage, press, refuse, waitForToasts } from './open-page.tsx';
import { CUSTOMER, OWNER } from './people.ts';

afterEach(() => vi.restoreAllMocks());

const LIST = 'GET /customers?sort=name&order=asc';

function openShell(path: string, more: Answers = {}) {
  return openPage(path, {
    'GET /me': () => OWNER,
    'GET /customers/count': () => ({ total: 1 }),
    [LIST]: () => ({ rows: [CUSTOMER], next_cursor: null }),
    [`GET /customers/${CUSTOMER.id}`]: () => CUSTOMER,
    'GET /jobs?sort=created_at&order=desc&customer_id={id}': () => ({ rows: [], next_cursor: null }),
    'GET /categories': () => ({ rows: [] }),
    'GET /staff-names': () => ({ rows: [] }),
    ...more,
  });
}

it('the person is read again with the next page once that was a while ago, and not before', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  let reads = 0;
  const { router } = openShell('/customers', {
    'GET /me': () => {
      reads += 1;
      return OWNER;
    },
  });
  await screen.findByRole('link', { name: /^Ana Rossi/ });
  const before = reads;
  await act(() => router.navigate({ to: '/customers/$id', params: { id: CUSTOMER.id } }));
  await screen.findByRole('heading', { level: 1, name: CUSTOMER.name });
  expect(reads).toBe(before);
  vi.setSystemTime(Date.now() + 6 * 60_000);
  await act(() => router.navigate({ to: '/customers' }));
  await waitFor(() => expect(reads).toBe(before + 1));
});

it('Back leads one level up from a page that was opened by its URL, and otherwise one step back', async () => {
  const { path } = openShell(`/customers/${CUSTOMER.id}`);
  await press('Back');
  await waitFor(() => expect(path()).toBe('/customers'));
  const row = await screen.findByRole('link', { name: /^Ana Rossi/ });
  await act(async () => fireEvent.click(row));
  const [newJob] = await screen.findAllByRole('link', { name: 'New Job' });
  await act(async () => fireEvent.click(newJob ?? document.body));
  await waitFor(() => expect(path()).toBe('/jobs/new'));
  await press('Back');
  await waitFor(() => expect(path()).toBe(`/customers/${CUSTOMER.id}`));
});

it('a session that has ended says so once and remembers the page', async () => {
  const list = { answer: (): unknown => ({ rows: [CUSTOMER], next_cursor: null }) };
  const { router, queryClient, path } = openShell('/customers', { [LIST]: () => list.answer() });
  watchSession(router, queryClient);
  await screen.findByRole('link', { name: /^Ana Rossi/ });
  list.answer = () => refuse('UNAUTHENTICATED');
  await act(async () => queryClient.invalidateQueries({ queryKey: ['customers'] }));
  await waitFor(() => expect(path()).toBe('/auth'));
  expect(router.state.location.search).toEqual({ next: '/customers' });
  await waitForToasts('Your session has expired. Please sign in again.');
});

/** Another tab of the same browser. */
function otherTab() {
  const tab = new BroadcastChannel('callout-session');
  onTestFinished(() => tab.close());
  return tab;
}

it.each([
  ['its person has signed out', { end: 'signed-out', person: OWNER.user.id }],
  ['somebody else has signed in', { end: 'replaced', person: 'somebody-else' }],
] as const)('a page whose session another tab has ended shows nothing any more: %s', async (_, message) => {
  const { router, queryClient, path } = openShell('/customers');
  watchSession(router, queryClient);
  await screen.findByRole('link', { name: /^Ana Rossi/ });
  const ends: string[] = [];
  onTestFinished(onSessionEnd((how, byOtherTab) => void ends.push(`${how} ${byOtherTab}`)));
  otherTab().postMessage(message);
  await waitFor(() => expect(path()).toBe('/auth'));
  expect(ends).toEqual([`${message.end} true`]);
  expect(queryClient.getQueryCache().getAll()).toEqual([]);
});

it('a tab in which the same person signs in ends no other', async () => {
  const { router, queryClient, path } = openShell('/customers');
  watchSession(router, queryClient);
  await screen.findByRole('link', { name: /^Ana Rossi/ });
  const ends: string[] = [];
  onTestFinished(onSessionEnd((how) => void ends.push(how)));
  const tab = otherTab();
  tab.postMessage({ end: 'replaced', person: OWNER.user.id });
  // Of another kind, which tells the two apart.
  tab.postMessage({ end: 'signed-out', person: OWNER.user.id });
  await waitFor(() => expect(path()).toBe('/auth'));
  expect(ends).toEqual(['signed-out']);
});

it('a page whose session somebody else’s sign-out in another tab leaves alone stays, and one whose session is gone does not', async () => {
  const me = { answer: vi.fn((): unknown => OWNER) };
  const { router, queryClient, path } = openShell('/customers', { 'GET /me': () => me.answer() });
  watchSession(router, queryClient);
  await screen.findByRole('link', { name: /^Ana Rossi/ });
  me.answer.mockClear();
  const tab = otherTab();
  tab.postMessage({ end: 'signed-out', person: 'somebody-else' });
  await waitFor(() => expect(me.answer).toHaveBeenCalledOnce());
  expect(path()).toBe('/customers');
  me.answer.mockImplementation(() => refuse('UNAUTHENTICATED'));
  tab.postMessage({ end: 'signed-out', person: 'somebody-else' });
  await waitFor(() => expect(path()).toBe('/auth'));
});

it('every request says whom the page is shown to, also what is still sent after the session has ended', async () => {
  openShell('/customers');
  await screen.findByRole('link', { name: /^Ana Rossi/ });
  expect(requestHeaders()).toMatchObject({ 'x-callout-person': OWNER.user.id });
  act(() => announceSessionEnd('expired'));
  expect(requestHeaders()).toMatchObject({ 'x-callout-person': OWNER.user.id });
});

it('whoever signs in next sees nothing that arrived for the person before', async () => {
  const asked: unknown[] = [];
  const next = { ...OWNER, user: { ...OWNER.user, id: 'somebody-else', name: 'Nora Next' } };
  const me = { answer: (): unknown => OWNER };
  const { router, queryClient, path } = openShell('/customers', { 'GET /me': () => me.answer() });
  watchSession(router, queryClient);
  await screen.findByRole('link', { name: /^Ana Rossi/ });
  act(() => announceSessionEnd('expired'));
  await waitFor(() => expect(path()).toBe('/auth'));
  await waitFor(() => expect(queryClient.getQueryCache().getAll()).toEqual([]));
  me.answer = () => {
    asked.push(requestHeaders()['x-callout-person']);
    return next;
  };
  queryClient.setQueryData(['me'], OWNER);
  await act(() => router.navigate({ to: '/customers' }));
  await screen.findByRole('link', { name: /^Ana Rossi/ });
  expect(asked).toEqual([undefined]);
  expect(requestHeaders()).toMatchObject({ 'x-callout-person': 'somebody-else' });
});

it('a navigation that was under way when the session ended tells no other tab that its person is there', async () => {
  const { router, queryClient, path } = openShell('/customers');
  watchSession(router, queryClient);
  await screen.findByRole('link', { name: /^Ana Rossi/ });
  const told: unknown[] = [];
  otherTab().addEventListener('message', ({ data }) => told.push(data));
  await act(async () => {
    announceSessionEnd('expired');
    void router.navigate({ to: '/customers', search: { status: 'inactive' } });
  });
  await waitFor(() => expect(queryClient.getQueryCache().getAll()).toEqual([]));
  expect(path()).toBe('/auth');
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(told).toEqual([]);
});

it('a profile that cannot be read is read again on request', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const me = { answer: (): unknown => refuse('FORBIDDEN') };
  openShell('/customers', { 'GET /me': () => me.answer() });
  await screen.findByText('Unable to load profile. Please check your connection and try again.');
  me.answer = () => OWNER;
  await press('Retry');
  expect(await screen.findByRole('link', { name: /^Ana Rossi/ })).toBeDefined();
});

it('without a connection a banner says so until it is back', async () => {
  openShell('/customers');
  await screen.findByRole('link', { name: /^Ana Rossi/ });
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  act(() => void window.dispatchEvent(new Event('offline')));
  await screen.findByText(/You're offline\./);
  online.mockReturnValue(true);
  act(() => void window.dispatchEvent(new Event('online')));
  await waitFor(() => expect(screen.queryByText(/You're offline\./)).toBeNull());
});

it('a new version is offered until somebody wants it', async () => {
  openShell('/customers');
  await screen.findByRole('link', { name: /^Ana Rossi/ });
  expect(screen.queryByText('A new version is ready.')).toBeNull();
  const openNewVersion = vi.fn();
  act(() => useOfflineState.setState({ openNewVersion }));
  await screen.findByText('A new version is ready.');
  expect(openNewVersion).not.toHaveBeenCalled();
  await press('Reload');
  expect(openNewVersion).toHaveBeenCalledOnce();
  act(() => useOfflineState.setState(useOfflineState.getInitialState(), true));
});

it('a page that opened without an answer of the server says so, although the browser is online', async () => {
  openShell('/customers');
  await screen.findByRole('link', { name: /^Ana Rossi/ });
  act(() => useOfflineState.setState({ isReachable: false }));
  await screen.findByText(/You're offline\./);
  act(() => useOfflineState.setState({ isReachable: true }));
  expect(screen.queryByText(/You're offline\./)).toBeNull();
});

it('an unknown path says so inside the shell', async () => {
  openShell('/no-such-page');
  await screen.findByText('Page not found');
  expect(screen.getByRole('navigation', { name: 'Main menu' })).toBeDefined();
});
