import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { deleteCommandStorage } from '../src/lib/commands/command-storage.ts';
import { ADMIN_USER, JOB, SAM } from './fixtures.ts';
import { stubIndexedDb } from './indexed-db.ts';
import { advanceClock, buildActiveTimer, buildHourlyJob, buildRunningEntry, freezeClock, getServerTime } from './mock-timer.ts';
import { failWith, openPage, pressButton, waitForToasts } from './open-page.tsx';

const setViewportWidth = (width: number) => window.happyDOM.setViewport({ width, height: 844 });

beforeEach(() => {
  freezeClock();
  stubIndexedDb();
});
afterEach(async () => {
  vi.useRealTimers();
  cleanup();
  await deleteCommandStorage();
  localStorage.clear();
  setViewportWidth(1024);
  const { useTimerStore } = await import('../src/features/timer/timer-store.ts');
  useTimerStore.setState(useTimerStore.getInitialState());
});

const UNSENT_LABEL = 'Paused, not sent yet';
const OFFLINE_TOAST = "Saved on this device. It will be sent when you're back online.";
const buildRunningJob = () => buildHourlyJob({ timer_status: 'started', finished_seconds: 1200, running: [buildRunningEntry(60)] });
const buildPausedJob = () => buildHourlyJob({ timer_status: 'paused', finished_seconds: 1260 });

/** Opens a job on a mock server that can become unreachable while its timer keeps running. */
function openJobPage(path = `/jobs/${JOB.id}`, me = ADMIN_USER) {
  const server = { isReachable: true, job: buildRunningJob(), sent: [] as unknown[], respondToPause: () => buildPausedJob() };
  const whenReachable = <Response,>(respond: (input: unknown) => Response) => {
    return (input: unknown) => {
      if (!server.isReachable) throw new TypeError('Failed to fetch');
      return respond(input);
    };
  };
  const page = openPage(path, {
    'GET /me': () => me,
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
const SENT_PAUSE = { job_id: JOB.id };

/** The next successful request shows that the server can be reached again. */
const reconnect = ({ server, queryClient }: ReturnType<typeof openJobPage>) => {
  server.isReachable = true;
  return act(() => queryClient.refetchQueries({ queryKey: ['timer'] }));
};

async function pauseOffline() {
  const page = openJobPage();
  await findTimerPanel();
  await waitFor(() => expect(page.queryClient.getQueryData(['timer'])).toBeDefined());
  page.server.isReachable = false;
  await pressButton('Pause');
  await waitForToasts(OFFLINE_TOAST);
  return page;
}

it('stores a pause made offline, shows it as unsent and sends it once the server can be reached', async () => {
  const page = await pauseOffline();
  (await findTimerPanel()).getByText(UNSENT_LABEL);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Allocate' }).disabled).toBe(true);
  advanceClock(600);
  (await findTimerPanel()).getByText('21m');
  await reconnect(page);
  await waitFor(() => expect(screen.queryByText(UNSENT_LABEL)).toBeNull());
  expect(page.server.sent).toEqual([SENT_PAUSE]);
  await act(() => page.queryClient.refetchQueries({ queryKey: ['timer'] }));
  expect(page.server.sent).toHaveLength(1);
  (await findTimerPanel()).getByText('21m');
});

it('shows an unsent pause after a reload, on every page and on a phone', async () => {
  await pauseOffline();
  cleanup();
  setViewportWidth(390);
  const { server } = openJobPage('/todo');
  server.respondToPause = () => failWith('UNAVAILABLE');
  const bar = within(await screen.findByRole('region', { name: 'Timer' }));
  await bar.findByText(UNSENT_LABEL);
  within(screen.getByRole('banner')).getByText(UNSENT_LABEL);
  bar.getByText('21m');
  expect(server.sent).toEqual([SENT_PAUSE]);
});

it('sends an unsent pause before starting the timer again', async () => {
  const page = await pauseOffline();
  await pressButton('Start');
  await (await findTimerPanel()).findByText('Started, not sent yet');
  await reconnect(page);
  await waitFor(() => expect(page.server.sent).toHaveLength(2));
  expect(page.server.sent).toMatchObject([SENT_PAUSE, { job_id: JOB.id, pause_others: true }]);
  await (await findTimerPanel()).findByRole('button', { name: 'Pause' });
});

it('no longer shows a pause that the server has refused', async () => {
  const page = await pauseOffline();
  page.server.respondToPause = () => failWith('FORBIDDEN', 'No');
  await reconnect(page);
  await (await findTimerPanel()).findByRole('button', { name: 'Pause' });
  expect(screen.queryByText(UNSENT_LABEL)).toBeNull();
});

it("neither shows nor sends another person's unsent pause", async () => {
  await pauseOffline();
  cleanup();
  const { server, queryClient } = openJobPage(undefined, { ...ADMIN_USER, user: { ...ADMIN_USER.user, id: SAM.id } });
  await (await findTimerPanel()).findByRole('button', { name: 'Pause' });
  await waitFor(() => expect(queryClient.getQueryData(['timer'])).toBeDefined());
  expect(screen.queryByText(UNSENT_LABEL)).toBeNull();
  expect(server.sent).toEqual([]);
});

it('sends a pause that an earlier version has kept, with its time', async () => {
  const at = new Date(Date.parse(getServerTime()) - 30_000).toISOString();
  const kept = { [ADMIN_USER.user.staff_id ?? '']: { jobId: JOB.id, entryId: 'entry-1', at } };
  localStorage.setItem('callout-kept-pauses', JSON.stringify({ state: kept, version: 1 }));
  const { server } = openJobPage();
  await waitFor(() => expect(server.sent).toEqual([{ job_id: JOB.id, entry_id: 'entry-1', at }]));
  await waitFor(() => expect(localStorage.getItem('callout-kept-pauses')).toBeNull());
});
