import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { clearLocalStores } from '../src/app/navigation-store.ts';
import { ADMIN_USER, JOB } from './fixtures.ts';
import { advanceClock, buildActiveTimer, buildHourlyJob, buildRunningEntry, freezeClock, getServerTime, secondsAgo } from './mock-timer.ts';
import { failWith, openPage, pressButton, waitForToasts } from './open-page.tsx';

const setViewportWidth = (width: number) => window.happyDOM.setViewport({ width, height: 844 });

beforeEach(freezeClock);
afterEach(async () => {
  vi.useRealTimers();
  localStorage.clear();
  setViewportWidth(1024);
  const { usePendingPauses, useTimerStore } = await import('../src/features/timer/timer-store.ts');
  useTimerStore.setState(useTimerStore.getInitialState());
  usePendingPauses.setState({}, true);
});

const UNSENT_LABEL = 'Paused, not sent yet';
const OFFLINE_TOAST = "Timer paused. The pause will be sent when you're back online.";
const buildRunningJob = () => buildHourlyJob({ timer_status: 'started', finished_seconds: 1200, running: [buildRunningEntry(60)] });
const buildPausedJob = () => buildHourlyJob({ timer_status: 'paused', finished_seconds: 1260 });

/** Opens a job on a mock server that can become unreachable while its timer keeps running. */
function openJobPage(path = `/jobs/${JOB.id}`) {
  const server = { isReachable: true, job: buildRunningJob(), sent: [] as unknown[], respondToPause: () => buildPausedJob() };
  const whenReachable = <Response,>(respond: (input: unknown) => Response) => {
    return (input: unknown) => {
      if (!server.isReachable) throw new TypeError('Failed to fetch');
      return respond(input);
    };
  };
  const page = openPage(path, {
    'GET /me': () => ADMIN_USER,
    'GET /timer': whenReachable(() => ({ timer: buildActiveTimer(server.job), server_time: getServerTime() })),
    [`GET /jobs/${JOB.id}`]: whenReachable(() => server.job),
    'POST /timer/pause': whenReachable((input) => {
      server.sent.push(input);
      server.job = server.respondToPause();
      return server.job;
    }),
    'POST /time-entries': whenReachable((input) => {
      server.sent.push(input);
      server.job = buildHourlyJob({
        timer_status: 'started',
        finished_seconds: 1260,
        running: [{ ...buildRunningEntry(0), id: 'entry-9' }],
      });
      return server.job;
    }),
  });
  return { ...page, server };
}

const findTimerPanel = async () => within(await screen.findByRole('region', { name: 'Job Timer' }));
const isButtonDisabled = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name }).disabled;
const SENT_PAUSE = { job_id: JOB.id, entry_id: 'entry-1', at: secondsAgo(0) };

async function pauseOffline() {
  const page = openJobPage();
  await findTimerPanel();
  await waitFor(() => expect(page.queryClient.getQueryData(['timer'])).toBeDefined());
  page.server.isReachable = false;
  await pressButton('Pause');
  await waitForToasts(OFFLINE_TOAST);
  return page;
}

it('stores a pause made offline, shows it as unsent and sends it with its original time once online', async () => {
  const { server, queryClient } = await pauseOffline();
  (await findTimerPanel()).getByText(UNSENT_LABEL);
  expect([isButtonDisabled('Allocate'), isButtonDisabled('Complete Job')]).toEqual([true, true]);
  advanceClock(600);
  (await findTimerPanel()).getByText('21m');
  server.isReachable = true;
  // The job may be refetched before the pause is sent; it must still appear paused.
  await act(() => queryClient.refetchQueries({ queryKey: ['jobs', 'detail'] }));
  (await findTimerPanel()).getByText('21m');
  await act(() => queryClient.refetchQueries({ queryKey: ['timer'] }));
  await waitFor(() => expect(screen.queryByText(UNSENT_LABEL)).toBeNull());
  await waitForToasts('Timer paused', OFFLINE_TOAST);
  expect(server.sent).toEqual([SENT_PAUSE]);
  await act(() => queryClient.refetchQueries({ queryKey: ['timer'] }));
  expect(server.sent).toHaveLength(1);
  (await findTimerPanel()).getByText('21m');
});

it('shows an unsent pause after a reload, on every page and on a phone', async () => {
  await pauseOffline();
  cleanup();
  setViewportWidth(390);
  const { server } = openJobPage('/todo');
  server.respondToPause = () => failWith('UNAVAILABLE');
  const bar = within(await screen.findByRole('region', { name: 'Timer' }));
  bar.getByText(UNSENT_LABEL);
  within(screen.getByRole('banner')).getByText(UNSENT_LABEL);
  bar.getByText('21m');
  expect(server.sent).toEqual([SENT_PAUSE]);
});

it('keeps an unsent pause when the session ends and sends it when the person returns', async () => {
  await pauseOffline();
  cleanup();
  clearLocalStores();
  expect(Object.keys(localStorage)).toContain('callout-kept-pauses');
  const { server } = openJobPage();
  await waitFor(() => expect(server.sent).toEqual([SENT_PAUSE]));
  expect(localStorage.getItem('callout-kept-pauses')).toBeNull();
});

it('sends an unsent pause before starting the timer again', async () => {
  const { server } = await pauseOffline();
  server.isReachable = true;
  await pressButton('Start');
  await waitFor(() => expect(server.sent).toHaveLength(2));
  expect(server.sent).toMatchObject([SENT_PAUSE, { job_id: JOB.id, pause_others: true }]);
  await (await findTimerPanel()).findByRole('button', { name: 'Pause' });
});

it('shows why the server rejected an unsent pause and keeps the timer running', async () => {
  const { server, queryClient } = await pauseOffline();
  server.isReachable = true;
  server.respondToPause = () => failWith('INVALID_INPUT', 'No', { fields: { at: 'The end must be after the start' } });
  await act(() => queryClient.refetchQueries({ queryKey: ['timer'] }));
  await waitForToasts('Failed to update timer: The end must be after the start', OFFLINE_TOAST);
  await (await findTimerPanel()).findByRole('button', { name: 'Pause' });
  expect(screen.queryByText(UNSENT_LABEL)).toBeNull();
});

it("neither shows nor sends another person's unsent pause", async () => {
  const { usePendingPauses } = await import('../src/features/timer/timer-store.ts');
  usePendingPauses.setState({ 'staff-2': { jobId: JOB.id, entryId: 'entry-1', at: secondsAgo(30) } });
  const { server, queryClient } = openJobPage();
  await (await findTimerPanel()).findByRole('button', { name: 'Pause' });
  await waitFor(() => expect(queryClient.getQueryData(['timer'])).toBeDefined());
  expect(screen.queryByText(UNSENT_LABEL)).toBeNull();
  expect(server.sent).toEqual([]);
});

it('shows a pause stored by another tab until it has been sent, and sends it', async () => {
  const STORAGE_KEY = 'callout-kept-pauses';
  const { server, queryClient } = openJobPage();
  await findTimerPanel();
  const changeInOtherTab = (newValue: string | null) => {
    if (newValue === null) localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, newValue);
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key: STORAGE_KEY, newValue })));
  };
  const pauses = { [ADMIN_USER.user.staff_id ?? '']: { jobId: SENT_PAUSE.job_id, entryId: SENT_PAUSE.entry_id, at: SENT_PAUSE.at } };
  server.isReachable = false;
  changeInOtherTab(JSON.stringify({ state: pauses, version: 1 }));
  (await findTimerPanel()).getByText(UNSENT_LABEL);
  changeInOtherTab(null);
  expect(screen.queryByText(UNSENT_LABEL)).toBeNull();
  changeInOtherTab(JSON.stringify({ state: pauses, version: 1 }));
  server.isReachable = true;
  await act(() => queryClient.refetchQueries({ queryKey: ['timer'] }));
  await waitFor(() => expect(server.sent).toEqual([SENT_PAUSE]));
  expect(localStorage.getItem(STORAGE_KEY)).toBeNull();
});
