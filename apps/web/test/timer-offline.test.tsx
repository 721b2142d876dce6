import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { clearLocalStores } from '../src/app/navigation-store.ts';
import { openPage, press, refuse, waitForToasts } from './open-page.tsx';
import { JOB, OWNER } from './people.ts';
import { activeOn, ago, hourlyJob, passSeconds, runningEntry, serverTime, stopClock } from './timers.ts';

const setWidth = (width: number) => window.happyDOM.setViewport({ width, height: 844 });

beforeEach(stopClock);
afterEach(async () => {
  vi.useRealTimers();
  localStorage.clear();
  setWidth(1024);
  const { useKeptPauses, useTimerStore } = await import('../src/features/timer/timer-store.ts');
  useTimerStore.setState(useTimerStore.getInitialState());
  useKeptPauses.setState({}, true);
});

const UNSENT = 'Paused, not sent yet';
const OFFLINE_TOAST = 'Timer paused. It will be sent when you are back online.';
const running = () => hourlyJob({ timer_status: 'started', finished_seconds: 1200, running: [runningEntry(60)] });
const paused = () => hourlyJob({ timer_status: 'paused', finished_seconds: 1260 });

/** A server that a phone without signal cannot reach. Its timer runs on. */
function openJob(path = `/jobs/${JOB.id}`) {
  const server = { isReachable: true, job: running(), sent: [] as unknown[], pauses: () => paused() };
  const reached = <Answer,>(answer: (input: unknown) => Answer) => {
    return (input: unknown) => {
      if (!server.isReachable) throw new TypeError('Failed to fetch');
      return answer(input);
    };
  };
  const page = openPage(path, {
    'GET /me': () => OWNER,
    'GET /timer': reached(() => ({ timer: activeOn(server.job), server_time: serverTime() })),
    [`GET /jobs/${JOB.id}`]: reached(() => server.job),
    'POST /timer/pause': reached((input) => {
      server.sent.push(input);
      server.job = server.pauses();
      return server.job;
    }),
    'POST /time-entries': reached((input) => {
      server.sent.push(input);
      server.job = hourlyJob({ timer_status: 'started', finished_seconds: 1260, running: [{ ...runningEntry(0), id: 'entry-9' }] });
      return server.job;
    }),
  });
  return { ...page, server };
}

const panel = async () => within(await screen.findByRole('region', { name: 'Job Timer' }));
const chip = () => within(screen.getByRole('banner')).findByRole('link', { name: /View Job/ });
const isDisabled = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name }).disabled;
const SENT = { job_id: JOB.id, entry_id: 'entry-1', at: ago(0) };

async function pauseOffline() {
  const page = openJob();
  await panel();
  await chip();
  page.server.isReachable = false;
  await press('Pause');
  await waitForToasts(OFFLINE_TOAST);
  return page;
}

it('a pause without signal is kept, said, and sent with its moment once there is signal', async () => {
  const { server, queryClient } = await pauseOffline();
  (await panel()).getByText(UNSENT);
  within(await chip()).getByText(UNSENT);
  expect([isDisabled('Allocate'), isDisabled('Complete Job')]).toEqual([true, true]);
  passSeconds(600);
  (await panel()).getByText('21m');
  server.isReachable = true;
  // The job may be read before the pause is sent: it stays paused.
  await act(() => queryClient.refetchQueries({ queryKey: ['jobs', 'detail'] }));
  (await panel()).getByText('21m');
  await act(() => queryClient.refetchQueries({ queryKey: ['timer'] }));
  await waitFor(() => expect(screen.queryByText(UNSENT)).toBeNull());
  await waitForToasts('Timer paused', OFFLINE_TOAST);
  expect(server.sent).toEqual([SENT]);
  await act(() => queryClient.refetchQueries({ queryKey: ['timer'] }));
  expect(server.sent).toHaveLength(1);
  (await panel()).getByText('21m');
});

it('a kept pause survives a reload, on every page and on a phone', async () => {
  await pauseOffline();
  cleanup();
  setWidth(390);
  const { server } = openJob('/todo');
  server.pauses = () => refuse('UNAVAILABLE');
  const bar = within(await screen.findByRole('region', { name: 'Timer' }));
  bar.getByText(UNSENT);
  bar.getByText('21m');
  expect(server.sent).toEqual([SENT]);
});

it('a kept pause outlives the session: it is sent when its person is back', async () => {
  await pauseOffline();
  cleanup();
  clearLocalStores();
  expect(Object.keys(localStorage)).toContain('callout-kept-pauses');
  const { server } = openJob();
  await waitFor(() => expect(server.sent).toEqual([SENT]));
  expect(localStorage.getItem('callout-kept-pauses')).toBeNull();
});

it('a start after a kept pause sends the pause first', async () => {
  const { server } = await pauseOffline();
  server.isReachable = true;
  await press('Start');
  await waitFor(() => expect(server.sent).toHaveLength(2));
  expect(server.sent).toMatchObject([SENT, { job_id: JOB.id, pause_others: true }]);
  await (await panel()).findByRole('button', { name: 'Pause' });
});

it('a kept pause that the server refuses says why, and the timer runs on', async () => {
  const { server, queryClient } = await pauseOffline();
  server.isReachable = true;
  server.pauses = () => refuse('INVALID_INPUT', 'No', { fields: { at: 'The end must be after the start' } });
  await act(() => queryClient.refetchQueries({ queryKey: ['timer'] }));
  await waitForToasts('Failed to update timer: The end must be after the start', OFFLINE_TOAST);
  await (await panel()).findByRole('button', { name: 'Pause' });
  expect(screen.queryByText(UNSENT)).toBeNull();
});

it("another person's kept pause is not shown and not sent", async () => {
  const { useKeptPauses } = await import('../src/features/timer/timer-store.ts');
  useKeptPauses.setState({ 'staff-2': { jobId: JOB.id, entryId: 'entry-1', at: ago(30) } });
  const { server } = openJob();
  await (await panel()).findByRole('button', { name: 'Pause' });
  await chip();
  expect(screen.queryByText(UNSENT)).toBeNull();
  expect(server.sent).toEqual([]);
});

it('a pause that another tab keeps is shown and sent by this one, until it has been sent', async () => {
  const KEY = 'callout-kept-pauses';
  const { server, queryClient } = openJob();
  await panel();
  const change = (newValue: string | null) => {
    if (newValue === null) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, newValue);
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key: KEY, newValue })));
  };
  const pauses = { [OWNER.user.staff_id ?? '']: { jobId: SENT.job_id, entryId: SENT.entry_id, at: SENT.at } };
  server.isReachable = false;
  change(JSON.stringify({ state: pauses, version: 1 }));
  (await panel()).getByText(UNSENT);
  change(null);
  expect(screen.queryByText(UNSENT)).toBeNull();
  change(JSON.stringify({ state: pauses, version: 1 }));
  server.isReachable = true;
  await act(() => queryClient.refetchQueries({ queryKey: ['timer'] }));
  await waitFor(() => expect(server.sent).toEqual([SENT]));
  expect(localStorage.getItem(KEY)).toBeNull();
});
