import type { Job } from '@callout/contract/jobs';
import type { ActiveTimer } from '@callout/contract/timer';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Answers, openPage, press, refuse, toastTexts, waitForToasts } from './open-page.tsx';
import { JOB, OWNER } from './people.ts';
import { activeOn, hourlyJob, passSeconds, runningEntry, runningSam, serverTime, stopClock, timerOf } from './timers.ts';

const setWidth = (width: number) => window.happyDOM.setViewport({ width, height: 844 });

beforeEach(stopClock);
afterEach(() => {
  vi.useRealTimers();
  localStorage.clear();
  setWidth(1024);
});

interface Played {
  job: Job;
  timer: ActiveTimer | null;
  sent: unknown[];
}

/** A server on which Mia starts and pauses. */
function openJob(job: Job, more: Answers = {}, timer: ActiveTimer | null = null) {
  const server: Played = { job, timer, sent: [] };
  const show = (next: Job) => {
    server.job = next;
    server.timer = activeOn(next);
    return next;
  };
  const page = openPage(`/jobs/${job.id}`, {
    'GET /me': () => OWNER,
    'GET /timer': () => ({ timer: server.timer, server_time: serverTime() }),
    [`GET /jobs/${job.id}`]: () => server.job,
    [`PUT /jobs/${job.id}/status`]: (input) => {
      server.timer = null;
      server.job = { ...server.job, ...(input as Job) };
      return server.job;
    },
    'POST /time-entries': (input) => {
      server.sent.push(input);
      return show(hourlyJob({ timer_status: 'started', running: [{ ...runningEntry(0), started_at: serverTime() }] }));
    },
    'POST /timer/pause': (input) => {
      server.sent.push(input);
      return show(hourlyJob({ timer_status: 'paused', finished_seconds: 6615 }));
    },
    ...more,
  });
  return { ...page, server };
}

const panel = async () => within(await screen.findByRole('region', { name: 'Job Timer' }));
const chip = () => within(screen.getByRole('banner')).queryByRole('link', { name: /View Job/ });
const heading = () => screen.findByRole('heading', { level: 1, name: 'Roof repair' });
const isDisabled = (button: HTMLElement) => (button as HTMLButtonElement).disabled;
/** 1200 seconds are saved, the rest runs. */
const RUNNING = { timer_status: 'started' as const, finished_seconds: 1200 };
const running = () => hourlyJob({ ...RUNNING, running: [runningEntry(5415)] });

describe('the timer of a job', () => {
  it.each([
    ['fixed', 'booked'],
    ['hourly', 'complete'],
    ['hourly', 'canceled'],
  ] as const)('is not there on a %s job that is %s', async (job_type, status) => {
    openJob(hourlyJob({}, { job_type, status }));
    await heading();
    expect(screen.queryByRole('region', { name: 'Job Timer' })).toBeNull();
  });

  it('counts by the clock of the server, in panel and header to the same second', async () => {
    const job = running();
    openJob(job, {}, activeOn(job));
    const timer = await panel();
    expect(timer.getByText('1h 50m 15s').textContent).toBe('1h 50m 15s / 2h');
    timer.getByText('$156.19');
    await waitFor(() => expect(chip()?.textContent).toContain('1h 50m 15s'));
    passSeconds(4);
    await timer.findByText('1h 50m 19s');
    expect(chip()?.textContent).toContain('1h 50m 19s');
  });

  it.each([
    [3600, '50', 'normal'],
    [5400, '75', 'normal'],
    [5403, '75', 'high'],
    [6480, '90', 'high'],
    [6483, '90', 'critical'],
    [90_000, '100', 'critical'],
  ])('after %s seconds of two planned hours fills its bar to %s percent, %s', async (finished_seconds, percent, level) => {
    openJob(hourlyJob({ timer_status: 'paused', finished_seconds }));
    const bar = (await panel()).getByRole('progressbar', { name: 'Planned time used' });
    expect([bar.getAttribute('aria-valuenow'), bar.dataset['level']]).toEqual([percent, level]);
  });

  it('has no bar without planned hours', async () => {
    openJob(hourlyJob({ finished_seconds: 60 }, { duration: null }));
    const timer = await panel();
    expect(timer.getByText('1m').textContent).toBe('1m');
    expect(timer.queryByRole('progressbar')).toBeNull();
  });

  it('says who works on it', async () => {
    openJob(hourlyJob({ ...RUNNING, running: [runningSam(90_000), runningEntry(3600)] }));
    const people = within((await panel()).getByRole('list', { name: 'Working now' })).getAllByRole('listitem');
    expect(people.map(({ textContent }) => textContent)).toEqual([
      'RunningYou, since 11:00 AM',
      'RunningSam Leota, since May 4, 2031 11:00 AM',
    ]);
  });

  it('follows the time zone of the company while it is open', async () => {
    const profile = { ...OWNER.profile, timezone: 'Pacific/Auckland' };
    const server = { me: { ...OWNER, profile } };
    const { queryClient } = openJob(hourlyJob({ ...RUNNING, running: [runningEntry(3600)] }), { 'GET /me': () => server.me });
    await (await panel()).findByText(/You, since 11:00 AM/);
    server.me = { ...OWNER, profile: { ...profile, timezone: 'Australia/Sydney' } };
    await act(() => queryClient.refetchQueries({ queryKey: ['me'] }));
    expect(await (await panel()).findByText(/You, since 9:00 AM/)).toBeDefined();
  });

  it('shows at once that it was started, before the server has answered', async () => {
    const answer = Promise.withResolvers<void>();
    const { server } = openJob(hourlyJob(), {
      'POST /time-entries': async (input) => {
        server.sent.push(input);
        await answer.promise;
        return hourlyJob({ timer_status: 'started', running: [{ ...runningEntry(0), started_at: serverTime() }] });
      },
    });
    await panel();
    await waitFor(() => expect(screen.getByRole('button', { name: 'Start' })).toBeDefined());
    const button = screen.getByRole('button', { name: 'Start' });
    await act(async () => fireEvent.click(button, { detail: 1 }));
    await act(async () => fireEvent.click(button, { detail: 2 }));
    await screen.findByRole('button', { name: 'Pause' });
    await waitFor(() => expect(chip()?.textContent).toContain('0s'));
    passSeconds(3);
    await (await panel()).findByText('3s');
    await act(async () => answer.resolve());
    await waitForToasts('Timer started');
    expect(server.sent).toEqual([{ id: expect.any(String), job_id: JOB.id, pause_others: true }]);
    // Before the next poll: a reload right now already knows of it.
    expect(JSON.parse(localStorage.getItem('callout-timer') ?? '{}')).toMatchObject({ state: { jobId: JOB.id } });
  });

  it('goes back when it could not be started, says why, and is the same timer when tried again', async () => {
    const sent: { id: string }[] = [];
    openJob(hourlyJob(), {
      'POST /time-entries': (input) => {
        sent.push(input as { id: string });
        return refuse('UNAVAILABLE', 'Out of order');
      },
    });
    await panel();
    await press('Start');
    await waitForToasts('Failed to update timer: Out of order');
    await press('Start');
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]?.id).toBe(sent[0]?.id);
    await waitFor(() => expect(chip()).toBeNull());
  });

  it('that the server started, although its answer was lost, shows in panel and header before the next poll', async () => {
    const { server } = openJob(hourlyJob(), {
      'POST /time-entries': () => {
        server.job = hourlyJob({ timer_status: 'started', running: [runningEntry(0)] });
        server.timer = activeOn(server.job);
        throw new TypeError('Failed to fetch');
      },
    });
    await panel();
    await press('Start');
    const timeout = { timeout: 3_000 };
    await waitFor(async () => expect((await panel()).queryByRole('button', { name: 'Pause' })).not.toBeNull(), timeout);
    await waitFor(() => expect(chip()).not.toBeNull(), timeout);
  });

  it('is not taken back by a read that was answered before the start arrived', async () => {
    const answer = Promise.withResolvers<void>();
    const { queryClient } = openJob(hourlyJob(), { 'POST /time-entries': () => answer.promise.then(() => running()) });
    await panel();
    await press('Start');
    await act(() => queryClient.invalidateQueries());
    (await panel()).getByRole('button', { name: 'Pause' });
    expect(chip()).not.toBeNull();
    await act(async () => answer.resolve());
    await waitForToasts('Timer started');
  });

  it.each([
    [
      'which is named',
      { job_id: 'job-2', job_number: 'J26030007', title: 'Blocked drain' },
      'Another timer is already running: #J26030007 Blocked drain. Please pause it before starting a new one.',
    ],
    ['which cannot be read', undefined, 'Another timer is already running. Please pause it before starting a new one.'],
  ])('is refused while one runs on another job, %s', async (_name, other, text) => {
    const job = hourlyJob();
    const elsewhere = { ...activeOn(running()), job_id: 'job-2', job_number: 'J26030007', title: 'Blocked drain' };
    const sent: unknown[] = [];
    const message = 'Another timer is already running. Please pause it before starting a new one.';
    openJob(
      job,
      {
        'POST /time-entries': (input) => {
          sent.push(input);
          return refuse('TIMER_RUNNING', message, other);
        },
      },
      elsewhere,
    );
    const timer = await panel();
    await waitFor(() => expect(chip()).not.toBeNull());
    await act(async () => fireEvent.click(timer.getByRole('button', { name: 'Start' })));
    await waitForToasts(text);
    expect(sent).toMatchObject([{ pause_others: false }]);
    timer.getByRole('button', { name: 'Start' });
  });

  it('of another job that only the last visit knows of is not paused either', async () => {
    localStorage.setItem('callout-timer', JSON.stringify({ version: 1, state: { jobId: 'job-2' } }));
    const { useTimerStore } = await import('../src/features/timer/timer-store.ts');
    await useTimerStore.persist.rehydrate();
    const never = Promise.withResolvers<never>();
    const { server } = openJob(hourlyJob(), { 'GET /timer': () => never.promise });
    await panel();
    await press('Start');
    await waitFor(() => expect(server.sent).toMatchObject([{ pause_others: false }]));
    useTimerStore.setState({ jobId: null });
  });

  it('is paused, and stands still', async () => {
    const job = running();
    const { server } = openJob(job, {}, activeOn(job));
    const timer = await panel();
    await press('Pause');
    await waitForToasts('Timer paused');
    expect(server.sent).toEqual([{ job_id: JOB.id }]);
    passSeconds(60);
    timer.getByText('1h 50m 15s');
    timer.getByRole('button', { name: 'Start' });
    within(chip() ?? document.body).getByText('Paused');
  });

  it('that could not be paused runs on', async () => {
    const job = running();
    openJob(job, { 'POST /timer/pause': () => refuse('INTERNAL') }, activeOn(job));
    await panel();
    await press('Pause');
    await waitFor(() => expect(toastTexts()[0]).toMatch(/^Failed to update timer: /));
    await screen.findByRole('button', { name: 'Pause' });
  });

  it.each([
    ['No time to allocate yet.', {}, true],
    ['All time on this job has been allocated.', { finished_seconds: 600, allocated_seconds: 600 }, true],
    ['10m not allocated yet, $14.17', { finished_seconds: 1200, allocated_seconds: 600 }, false],
  ])('says about allocating: %s', async (text, change, disabled) => {
    openJob(hourlyJob(timerOf(change)));
    const timer = await panel();
    timer.getByText(text);
    expect(isDisabled(timer.getByRole('button', { name: 'Allocate' }))).toBe(disabled);
  });

  it('completes the job, which ends it everywhere, before it is polled', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] });
    const job = running();
    openJob(job, {}, activeOn(job));
    await panel();
    await waitFor(() => expect(chip()).not.toBeNull());
    expect(screen.getAllByRole('button', { name: 'Complete Job' })).toHaveLength(1);
    await press('Complete Job');
    await waitForToasts('Job marked as completeUndo', '20m not allocated yet.');
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Job Timer' })).toBeNull());
    await waitFor(() => expect(chip()).toBeNull());
    screen.getByRole('link', { name: 'Payment' });
  });

  it('whose job could not be completed says why', async () => {
    openJob(running(), { [`PUT /jobs/${JOB.id}/status`]: () => refuse('FORBIDDEN', 'No') });
    await panel();
    await press('Complete Job');
    await waitForToasts('Failed to complete job: No');
    expect(await panel()).toBeDefined();
  });
});

describe('on a phone the timer of a job', () => {
  beforeEach(() => setWidth(390));
  // Until the job is there, the bar of every page shows.
  const bar = () => within(screen.getByRole('region', { name: 'Timer' }));

  it('is a bar with time, cost and one button, and a sheet with the rest', async () => {
    const job = running();
    openJob(job, {}, activeOn(job));
    await screen.findByText('$156.19');
    const timer = bar();
    timer.getByRole('button', { name: 'Pause' });
    timer.getByRole('progressbar');
    expect(screen.queryByRole('button', { name: 'Complete Job' })).toBeNull();
    await act(async () => fireEvent.click(timer.getByRole('button', { name: /1h 50m 15s/ })));
    const sheet = within(await screen.findByRole('dialog', { name: 'Job Timer' }));
    sheet.getByRole('button', { name: 'Allocate' });
    await act(async () => fireEvent.click(sheet.getByRole('button', { name: 'Complete Job' })));
    await waitForToasts('Job marked as completeUndo', '20m not allocated yet.');
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Timer' })).toBeNull());
  });

  it('can be started right away, also while one runs on another job', async () => {
    const elsewhere = { ...activeOn(running()), job_id: 'job-2', job_number: 'J26030007', title: 'Blocked drain' };
    openJob(hourlyJob(), {}, elsewhere);
    await waitFor(() => expect(chip()?.textContent).toContain('1h 50m 15s'));
    await screen.findByRole('button', { name: 'Start' });
    bar().getByRole('button', { name: 'Start' });
    expect(screen.getAllByRole('region', { name: 'Timer' })).toHaveLength(1);
  });
});
