import type { ActiveTimer } from '@callout/contract/timer';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ADMIN_USER, JOB, USER_WITHOUT_COMPANY } from './fixtures.ts';
import { advanceClock, buildActiveTimer, buildHourlyJob, buildRunningEntry, freezeClock, getServerTime } from './mock-timer.ts';
import { type MockApi, openPage, pressButton, waitForToasts } from './open-page.tsx';

const setViewportWidth = (width: number) => window.happyDOM.setViewport({ width, height: 844 });

beforeEach(freezeClock);
afterEach(async () => {
  vi.useRealTimers();
  localStorage.clear();
  setViewportWidth(1024);
  const { useTimerStore } = await import('../src/features/timer/timer-store.ts');
  useTimerStore.setState(useTimerStore.getInitialState());
});

const buildRunningJob = () => buildHourlyJob({ timer_status: 'started', finished_seconds: 60, running: [buildRunningEntry(5)] });
const buildPausedJob = () => buildHourlyJob({ timer_status: 'paused', finished_seconds: 5400 });

function openTodoPage(timer: ActiveTimer | null, responses: MockApi = {}) {
  const server = { timer, reads: 0 };
  const page = openPage('/todo', {
    'GET /me': () => ADMIN_USER,
    'GET /timer': () => {
      server.reads += 1;
      return { timer: server.timer, server_time: getServerTime() };
    },
    [`GET /jobs/${JOB.id}`]: () => buildRunningJob(),
    ...responses,
  });
  return { ...page, server };
}

const findTodoHeading = () => screen.findByRole('heading', { name: 'To Do' });
const findTimerChip = () => within(screen.getByRole('banner')).findByRole('link', { name: /View Job/ });
const queryTimerChip = () => within(screen.getByRole('banner')).queryByRole('link', { name: /View Job/ });
const findTimerCard = async () => within(await screen.findByRole('region', { name: 'Timer' }));
const queryTimerCard = () => screen.queryByRole('region', { name: 'Timer' });

describe('the timer chip and card', () => {
  it('are hidden without a timer', async () => {
    const { server } = openTodoPage(null);
    await findTodoHeading();
    await waitFor(() => expect(server.reads).toBe(1));
    expect(queryTimerChip()).toBeNull();
    expect(queryTimerCard()).toBeNull();
  });

  it('show the timer once: on the card, or in the header while the card is hidden', async () => {
    openTodoPage(buildActiveTimer(buildRunningJob()));
    await findTodoHeading();
    const timer = await findTimerCard();
    for (const text of ['#J26030042', 'Roof repair', '1m 5s', '$1.53', 'Running']) timer.getByText(text);
    timer.getByRole('progressbar');
    expect(queryTimerChip()).toBeNull();
    advanceClock(1);
    await timer.findByText('1m 6s');
    await pressButton('Hide timer');
    const chip = await findTimerChip();
    for (const text of ['#J26030042', 'Roof repair', '1m 6s', 'Running']) expect(chip.textContent).toContain(text);
    within(chip).getByRole('progressbar');
    expect(queryTimerCard()).toBeNull();
  });

  it('both link to the job, where the panel replaces them', async () => {
    const page = openTodoPage(buildActiveTimer(buildRunningJob()));
    await findTodoHeading();
    expect((await findTimerCard()).getByRole('link', { name: 'View Job' }).getAttribute('href')).toBe(`/jobs/${JOB.id}`);
    await pressButton('Hide timer');
    const chip = await findTimerChip();
    await act(async () => fireEvent.click(chip, { button: 0 }));
    await waitFor(() => expect(page.path()).toBe(`/jobs/${JOB.id}`));
    await screen.findByRole('region', { name: 'Job Timer' });
    await waitFor(() => expect([queryTimerCard(), queryTimerChip()]).toEqual([null, null]));
  });

  it('stop counting while the timer is paused', async () => {
    openTodoPage(buildActiveTimer(buildPausedJob()));
    const timer = await findTimerCard();
    timer.getByText('Paused');
    advanceClock(10);
    expect(timer.getByText('1h 30m')).toBeDefined();
  });

  it('can pause the timer from any page', async () => {
    const { server } = openTodoPage(buildActiveTimer(buildRunningJob()), {
      'POST /timer/pause': () => {
        server.timer = buildActiveTimer(buildPausedJob());
        return buildPausedJob();
      },
    });
    const timer = await findTimerCard();
    await act(async () => fireEvent.click(timer.getByRole('button', { name: 'Pause' })));
    await waitForToasts('Timer paused');
    expect(await (await findTimerCard()).findByRole('button', { name: 'Resume' })).toBeDefined();
  });

  it('remember across reloads that the card is hidden, and can show it again', async () => {
    openTodoPage(buildActiveTimer(buildRunningJob()));
    await findTimerCard();
    await pressButton('Hide timer');
    expect(queryTimerCard()).toBeNull();
    cleanup();
    expect(JSON.parse(localStorage.getItem('callout-timer') ?? '')).toMatchObject({ version: 1, state: { isCardHidden: true } });
    openTodoPage(buildActiveTimer(buildRunningJob()));
    await findTodoHeading();
    await findTimerChip();
    expect(queryTimerCard()).toBeNull();
    await pressButton('Show timer');
    await findTimerCard();
  });

  it('mirror the timer to local storage', async () => {
    openTodoPage(buildActiveTimer(buildRunningJob()));
    await findTimerCard();
    const stored: unknown = JSON.parse(localStorage.getItem('callout-timer') ?? '');
    expect(stored).toMatchObject({ version: 1, state: { jobId: JOB.id, startTime: buildRunningEntry(5).started_at, elapsedTime: 60 } });
  });

  it('refetch the timer every five seconds and disappear when it ends', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] });
    const { server } = openTodoPage(buildActiveTimer(buildRunningJob()));
    await findTodoHeading();
    await findTimerCard();
    const before = server.reads;
    for (let read = 1; read <= 3; read += 1) {
      await act(async () => vi.advanceTimersByTime(5000));
      await act(async () => undefined);
      expect(server.reads - before).toBe(read);
    }
    server.timer = null;
    await act(async () => vi.advanceTimersByTime(5000));
    await waitFor(() => expect(queryTimerCard()).toBeNull());
    expect(queryTimerChip()).toBeNull();
  });

  it('request no timer for a system administrator without a company', async () => {
    const reads: unknown[] = [];
    openPage('/admin', {
      'GET /me': () => ({ ...USER_WITHOUT_COMPANY, is_system_admin: true }),
      'GET /admin/companies': () => ({ rows: [], next_cursor: null }),
      'GET /timer': () => reads.push('read'),
    });
    await screen.findByRole('heading', { level: 1 });
    expect(reads).toEqual([]);
  });

  it('become a bar on a phone', async () => {
    setViewportWidth(390);
    openTodoPage(buildActiveTimer(buildRunningJob()));
    await findTodoHeading();
    const bar = await findTimerCard();
    for (const text of ['1m 5s', '$1.53', '#J26030042 Roof repair']) {
      expect(screen.getByRole('region', { name: 'Timer' }).textContent).toContain(text);
    }
    expect(bar.getByRole('link', { name: /View Job/ }).getAttribute('href')).toBe(`/jobs/${JOB.id}`);
    bar.getByRole('button', { name: 'Pause' });
  });

  it('can be hidden on a phone while the timer is paused, until it is started again', async () => {
    setViewportWidth(390);
    const { server } = openTodoPage(buildActiveTimer(buildRunningJob()));
    await findTimerCard();
    expect(screen.queryByRole('button', { name: 'Hide timer' })).toBeNull();
    cleanup();
    server.timer = buildActiveTimer(buildPausedJob());
    openTodoPage(server.timer);
    await findTimerCard();
    await pressButton('Hide timer');
    expect([queryTimerCard(), queryTimerChip()]).toEqual([null, null]);
    cleanup();
    openTodoPage(server.timer);
    await findTodoHeading();
    expect([queryTimerCard(), queryTimerChip()]).toEqual([null, null]);
    cleanup();
    openTodoPage(buildActiveTimer(buildRunningJob()));
    await findTimerCard();
    await findTimerChip();
  });

  it('show that a job has a fixed price or no hourly rate instead of a cost', async () => {
    const { timer } = buildRunningJob();
    openTodoPage(buildActiveTimer({ ...buildRunningJob(), job_type: 'fixed' }));
    expect((await findTimerCard()).getByText('Fixed price')).toBeDefined();
    cleanup();
    openTodoPage(buildActiveTimer({ ...buildRunningJob(), timer: { ...timer, hourly_rate: '0' } }));
    expect((await findTimerCard()).getByText('No hourly rate yet')).toBeDefined();
  });
});
