import type { Job } from '@callout/contract/jobs';
import type { ActiveTimer } from '@callout/contract/timer';
import type { QueryClient } from '@tanstack/react-query';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ADMIN_USER, JOB, JOB_ITEM } from './fixtures.ts';
import {
  advanceClock,
  buildActiveTimer,
  buildHourlyJob,
  buildJobTimer,
  buildRunningEntry,
  buildSamRunningEntry,
  freezeClock,
  getServerTime,
} from './mock-timer.ts';
import { failWith, type MockApi, openPage, pressButton, waitForToasts } from './open-page.tsx';

const setViewportWidth = (width: number) => window.happyDOM.setViewport({ width, height: 844 });

beforeEach(freezeClock);
afterEach(() => {
  vi.useRealTimers();
  localStorage.clear();
  setViewportWidth(1024);
});

interface MockTimerServer {
  job: Job;
  timer: ActiveTimer | null;
  sent: unknown[];
}

/** Opens a job on a mock server that starts and pauses the signed-in person's timer. */
function openJobPage(job: Job, responses: MockApi = {}, timer: ActiveTimer | null = null) {
  const server: MockTimerServer = { job, timer, sent: [] };
  const saveJob = (next: Job) => {
    server.job = next;
    server.timer = buildActiveTimer(next);
    return next;
  };
  const page = openPage(`/jobs/${job.id}`, {
    'GET /me': () => ADMIN_USER,
    'GET /timer': () => ({ timer: server.timer, server_time: getServerTime() }),
    [`GET /jobs/${job.id}`]: () => server.job,
    [`PUT /jobs/${job.id}/status`]: (input) => {
      server.timer = null;
      server.job = { ...server.job, ...(input as Job) };
      return server.job;
    },
    'POST /time-entries': (input) => {
      server.sent.push(input);
      return saveJob(buildHourlyJob({ timer_status: 'started', running: [{ ...buildRunningEntry(0), started_at: getServerTime() }] }));
    },
    'POST /timer/pause': (input) => {
      server.sent.push(input);
      return saveJob(buildHourlyJob({ timer_status: 'paused', finished_seconds: 6615 }));
    },
    ...responses,
  });
  return { ...page, server };
}

const findTimerPanel = async () => within(await screen.findByRole('region', { name: 'Job Timer' }));
const queryTimerChip = () => within(screen.getByRole('banner')).queryByRole('link', { name: /View Job/ });
/** Returns the timer that other pages show. The page of its own job shows only the panel. */
const getActiveTimer = ({ queryClient }: { queryClient: QueryClient }) =>
  queryClient.getQueryData<{ timer: ActiveTimer | null }>(['timer'])?.timer ?? null;
const findJobHeading = () => screen.findByRole('heading', { level: 1, name: 'Roof repair' });
const isDisabled = (button: HTMLElement) => (button as HTMLButtonElement).disabled;
/** 1200 seconds are already saved; the rest comes from the running entry. */
const STARTED_TIMER = { timer_status: 'started' as const, finished_seconds: 1200 };
const buildRunningJob = () => buildHourlyJob({ ...STARTED_TIMER, running: [buildRunningEntry(5415)] });

describe('the job timer', () => {
  it.each([
    ['fixed', 'invoiced'],
    ['hourly', 'complete'],
    ['hourly', 'canceled'],
  ] as const)('is hidden on a %s job that is %s', async (job_type, status) => {
    openJobPage(buildHourlyJob({}, { job_type, status }));
    await findJobHeading();
    expect(screen.queryByRole('region', { name: 'Job Timer' })).toBeNull();
  });

  it('counts by the server clock, and only in the panel', async () => {
    const job = buildRunningJob();
    openJobPage(job, {}, buildActiveTimer(job));
    const timer = await findTimerPanel();
    expect(timer.getByText('1h 50m 15s').textContent).toBe('1h 50m 15s / 2h');
    timer.getByText('$156.19');
    advanceClock(4);
    await timer.findByText('1h 50m 19s');
    expect(queryTimerChip()).toBeNull();
  });

  it.each([390, 1024])("shows a fixed-price job's running timer only in the panel on a screen that is %i px wide", async (width) => {
    setViewportWidth(width);
    const job: Job = { ...buildRunningJob(), job_type: 'fixed' };
    openJobPage(job, {}, buildActiveTimer(job));
    await (await findTimerPanel()).findByText('1h 50m 15s');
    await waitFor(() => expect(queryTimerChip()).toBeNull());
    expect(screen.getAllByText('1h 50m 15s')).toHaveLength(1);
  });

  it("keeps the bar of another job's timer on the phone page of a fixed-price job", async () => {
    setViewportWidth(390);
    openJobPage({ ...buildHourlyJob(), job_type: 'fixed' }, {}, buildActiveTimer({ ...buildRunningJob(), id: 'job-2' }));
    await findTimerPanel();
    expect(await screen.findAllByText('1h 50m 15s')).not.toHaveLength(0);
  });

  it.each([
    [3600, '50', 'normal'],
    [5400, '75', 'normal'],
    [5403, '75', 'high'],
    [6480, '90', 'high'],
    [6483, '90', 'critical'],
    [90_000, '100', 'critical'],
  ])('after %s of 7200 planned seconds fills its bar to %s percent at level %s', async (finished_seconds, percent, level) => {
    openJobPage(buildHourlyJob({ timer_status: 'paused', finished_seconds }));
    const getTimerBar = (await findTimerPanel()).getByRole('progressbar', { name: 'Planned time used' });
    expect([getTimerBar.getAttribute('aria-valuenow'), getTimerBar.dataset['level']]).toEqual([percent, level]);
  });

  it('has no progress bar without planned hours', async () => {
    openJobPage(buildHourlyJob({ finished_seconds: 60 }, { duration: null }));
    const timer = await findTimerPanel();
    expect(timer.getByText('1m').textContent).toBe('1m');
    expect(timer.queryByRole('progressbar')).toBeNull();
  });

  it('shows who is working on the job', async () => {
    openJobPage(buildHourlyJob({ ...STARTED_TIMER, running: [buildSamRunningEntry(90_000), buildRunningEntry(3600)] }));
    const people = within((await findTimerPanel()).getByRole('list', { name: 'Working now' })).getAllByRole('listitem');
    expect(people.map(({ textContent }) => textContent)).toEqual([
      'RunningYou, since 11:00 AM',
      'RunningSam Leota, since May 4, 2031 11:00 AM',
    ]);
  });

  it('updates its times when the company time zone changes', async () => {
    const profile = { ...ADMIN_USER.profile, timezone: 'Pacific/Auckland' };
    const server = { me: { ...ADMIN_USER, profile } };
    const { queryClient } = openJobPage(buildHourlyJob({ ...STARTED_TIMER, running: [buildRunningEntry(3600)] }), {
      'GET /me': () => server.me,
    });
    await (await findTimerPanel()).findByText(/You, since 11:00 AM/);
    server.me = { ...ADMIN_USER, profile: { ...profile, timezone: 'Australia/Sydney' } };
    await act(() => queryClient.refetchQueries({ queryKey: ['me'] }));
    expect(await (await findTimerPanel()).findByText(/You, since 9:00 AM/)).toBeDefined();
  });

  it('starts optimistically, before the server responds', async () => {
    const response = Promise.withResolvers<void>();
    const { server } = openJobPage(buildHourlyJob(), {
      'POST /time-entries': async (input) => {
        server.sent.push(input);
        await response.promise;
        return buildHourlyJob({ timer_status: 'started', running: [{ ...buildRunningEntry(0), started_at: getServerTime() }] });
      },
    });
    await findTimerPanel();
    await waitFor(() => expect(screen.getByRole('button', { name: 'Start' })).toBeDefined());
    const button = screen.getByRole('button', { name: 'Start' });
    await act(async () => fireEvent.click(button, { detail: 1 }));
    await act(async () => fireEvent.click(button, { detail: 2 }));
    await screen.findByRole('button', { name: 'Pause' });
    advanceClock(3);
    await (await findTimerPanel()).findByText('3s');
    await act(async () => response.resolve());
    await waitForToasts('Timer started');
    expect(server.sent).toEqual([{ id: expect.any(String), job_id: JOB.id, pause_others: true }]);
  });

  it('keeps a quantity that is raised while the timer starts', async () => {
    const [started, changed] = [Promise.withResolvers<Job>(), Promise.withResolvers<Job>()];
    const job = buildHourlyJob({}, { items: [JOB_ITEM] });
    const { server } = openJobPage(job, {
      'POST /time-entries': () => started.promise,
      'POST /job-items/line-1/quantity-changes': () => changed.promise,
    });
    const getQuantity = () => screen.getByLabelText<HTMLInputElement>('Quantity of Tap', { selector: 'input' }).value;
    await findTimerPanel();
    await pressButton('Start');
    await pressButton('Increase quantity of Tap');
    await waitFor(() => expect(getQuantity()).toBe('2'));
    const running = { ...buildRunningJob(), items: [JOB_ITEM] };
    await act(async () => started.resolve(running));
    await waitForToasts('Timer started');
    expect(getQuantity()).toBe('2');
    server.job = { ...running, items: [{ ...JOB_ITEM, quantity: '2' }] };
    await act(async () => changed.resolve(server.job));
    await (await findTimerPanel()).findByRole('button', { name: 'Pause' });
    expect(getQuantity()).toBe('2');
  });

  it('takes back a refused start and shows why', async () => {
    openJobPage(buildHourlyJob(), { 'POST /time-entries': () => failWith('JOB_FINISHED', 'This job is finished.') });
    await findTimerPanel();
    await pressButton('Start');
    await waitForToasts('Failed to update timer: This job is finished.');
    await (await findTimerPanel()).findByRole('button', { name: 'Start' });
    expect(queryTimerChip()).toBeNull();
  });

  it('keeps a start whose answer was lost, and sends it again with the same ids', async () => {
    const sent: { id: string; key: string | null }[] = [];
    const { server } = openJobPage(buildHourlyJob(), {
      'POST /time-entries': (input) => {
        sent.push(input as (typeof sent)[number]);
        server.job = buildHourlyJob({ timer_status: 'started', running: [buildRunningEntry(0)] });
        server.timer = buildActiveTimer(server.job);
        if (sent.length === 1) throw new TypeError('Failed to fetch');
        return server.job;
      },
    });
    await findTimerPanel();
    await pressButton('Start');
    await (await findTimerPanel()).findByText('Started, not sent yet');
    await waitFor(() => expect(sent).toHaveLength(2), { timeout: 5_000 });
    expect(sent[1]).toEqual(sent[0]);
    await waitFor(() => expect(screen.queryByText('Started, not sent yet')).toBeNull());
    (await findTimerPanel()).getByRole('button', { name: 'Pause' });
  });

  it('keeps showing the start when a response from before it arrives', async () => {
    const response = Promise.withResolvers<void>();
    const { queryClient } = openJobPage(buildHourlyJob(), { 'POST /time-entries': () => response.promise.then(() => buildRunningJob()) });
    await findTimerPanel();
    await pressButton('Start');
    await act(() => queryClient.invalidateQueries());
    (await findTimerPanel()).getByRole('button', { name: 'Pause' });
    await act(async () => response.resolve());
    await waitForToasts('Timer started');
    expect(screen.queryByRole('button', { name: 'Start' })).toBeNull();
  });

  it.each([
    [
      'and names that job',
      { job_id: 'job-2', job_number: 'J26030007', title: 'Blocked drain' },
      'Another timer is already running: #J26030007 Blocked drain. Please pause it before starting a new one.',
    ],
    ['without naming that job', undefined, 'Another timer is already running. Please pause it before starting a new one.'],
  ])('refuses to start while a timer runs on another job, %s', async (_name, other, text) => {
    const job = buildHourlyJob();
    const otherJobTimer = { ...buildActiveTimer(buildRunningJob()), job_id: 'job-2', job_number: 'J26030007', title: 'Blocked drain' };
    const sent: unknown[] = [];
    const message = 'Another timer is already running. Please pause it before starting a new one.';
    openJobPage(
      job,
      {
        'POST /time-entries': (input) => {
          sent.push(input);
          return failWith('TIMER_RUNNING', message, other);
        },
      },
      otherJobTimer,
    );
    const timer = await findTimerPanel();
    await screen.findByRole('region', { name: 'Timer' });
    await act(async () => fireEvent.click(timer.getByRole('button', { name: 'Start' })));
    await waitForToasts(text);
    expect(sent).toMatchObject([{ pause_others: false }]);
    timer.getByRole('button', { name: 'Start' });
  });

  it('does not pause a timer on another job that is known only from local storage', async () => {
    localStorage.setItem('callout-timer', JSON.stringify({ version: 1, state: { jobId: 'job-2' } }));
    const { useTimerStore } = await import('../src/features/timer/timer-store.ts');
    await useTimerStore.persist.rehydrate();
    const pendingResponse = Promise.withResolvers<never>();
    const { server } = openJobPage(buildHourlyJob(), { 'GET /timer': () => pendingResponse.promise });
    await findTimerPanel();
    await pressButton('Start');
    await waitFor(() => expect(server.sent).toMatchObject([{ pause_others: false }]));
    useTimerStore.setState({ jobId: null });
  });

  it('stops counting when it is paused', async () => {
    const job = buildRunningJob();
    const { server, ...page } = openJobPage(job, {}, buildActiveTimer(job));
    const timer = await findTimerPanel();
    await pressButton('Pause');
    await waitForToasts('Timer paused');
    expect(server.sent).toEqual([{ job_id: JOB.id }]);
    advanceClock(60);
    timer.getByText('1h 50m 15s');
    timer.getByRole('button', { name: 'Start' });
    await waitFor(() => expect(getActiveTimer(page)?.timer_status).toBe('paused'));
  });

  it('keeps running when a pause is refused', async () => {
    const job = buildRunningJob();
    openJobPage(job, { 'POST /timer/pause': () => failWith('FORBIDDEN', 'No') }, buildActiveTimer(job));
    await findTimerPanel();
    await pressButton('Pause');
    await waitForToasts('Failed to update timer: No');
    expect(await screen.findByRole('button', { name: 'Pause' })).toBeDefined();
  });

  it.each([
    ['No time to allocate yet.', {}, true],
    ['All time on this job has been allocated.', { finished_seconds: 600, allocated_seconds: 600 }, true],
    ['10m unbilled, $14.17', { finished_seconds: 1200, allocated_seconds: 600 }, false],
  ])('shows the allocation status: %s', async (text, change, disabled) => {
    openJobPage(buildHourlyJob(buildJobTimer(change)));
    const timer = await findTimerPanel();
    timer.getByText(text);
    expect(isDisabled(timer.getByRole('button', { name: 'Allocate' }))).toBe(disabled);
  });

  it('completes the job and disappears everywhere before the next poll', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] });
    const job = buildRunningJob();
    const page = openJobPage(job, {}, buildActiveTimer(job));
    await findTimerPanel();
    await waitFor(() => expect(getActiveTimer(page)).not.toBeNull());
    expect(screen.getAllByRole('button', { name: 'Complete Job' })).toHaveLength(1);
    await pressButton('Complete Job');
    await waitForToasts('Job marked as completeUndo', '20m not billed yet.');
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Job Timer' })).toBeNull());
    await waitFor(() => expect(getActiveTimer(page)).toBeNull());
    screen.getByRole('link', { name: 'Payment' });
  });

  it('shows why completing the job failed', async () => {
    openJobPage(buildRunningJob(), { [`PUT /jobs/${JOB.id}/status`]: () => failWith('FORBIDDEN', 'No') });
    await findTimerPanel();
    await pressButton('Complete Job');
    await waitForToasts('Failed to complete job: No');
    expect(await findTimerPanel()).toBeDefined();
  });
});

describe('the job timer on a phone', () => {
  beforeEach(() => setViewportWidth(390));
  // Until the job has loaded, this is the timer bar that every other page shows.
  const getTimerBar = () => within(screen.getByRole('region', { name: 'Timer' }));

  it('is a bar with time, cost and one button, and opens a sheet with the rest', async () => {
    const job = buildRunningJob();
    openJobPage(job, {}, buildActiveTimer(job));
    await screen.findByText('$156.19');
    const timer = getTimerBar();
    timer.getByRole('button', { name: 'Pause' });
    timer.getByRole('progressbar');
    expect(queryTimerChip()).toBeNull();
    expect(screen.queryByRole('button', { name: 'Complete Job' })).toBeNull();
    await act(async () => fireEvent.click(timer.getByRole('button', { name: /1h 50m 15s/ })));
    const sheet = within(await screen.findByRole('dialog', { name: 'Job Timer' }));
    sheet.getByRole('button', { name: 'Allocate' });
    await act(async () => fireEvent.click(sheet.getByRole('button', { name: 'Complete Job' })));
    await waitForToasts('Job marked as completeUndo', '20m not billed yet.');
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Timer' })).toBeNull());
  });

  it('offers Start even while a timer runs on another job', async () => {
    const otherJobTimer = { ...buildActiveTimer(buildRunningJob()), job_id: 'job-2', job_number: 'J26030007', title: 'Blocked drain' };
    openJobPage(buildHourlyJob(), {}, otherJobTimer);
    await waitFor(() => expect(queryTimerChip()?.textContent).toContain('1h 50m 15s'));
    await screen.findByRole('button', { name: 'Start' });
    getTimerBar().getByRole('button', { name: 'Start' });
    expect(screen.getAllByRole('region', { name: 'Timer' })).toHaveLength(1);
  });
});
