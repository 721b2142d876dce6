import type { ActiveTimer } from '@callout/contract/timer';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Answers, openPage, press, waitForToasts } from './open-page.tsx';
import { JOB, NEWCOMER, OWNER } from './people.ts';
import { activeOn, hourlyJob, passSeconds, runningEntry, serverTime, stopClock } from './timers.ts';

const setWidth = (width: number) => window.happyDOM.setViewport({ width, height: 844 });

beforeEach(stopClock);
afterEach(async () => {
  vi.useRealTimers();
  localStorage.clear();
  setWidth(1024);
  const { useTimerStore } = await import('../src/features/timer/timer-store.ts');
  useTimerStore.setState(useTimerStore.getInitialState());
});

const running = () => hourlyJob({ timer_status: 'started', finished_seconds: 60, running: [runningEntry(5)] });
const paused = () => hourlyJob({ timer_status: 'paused', finished_seconds: 5400 });

function openToDo(timer: ActiveTimer | null, more: Answers = {}) {
  const server = { timer, reads: 0 };
  const page = openPage('/todo', {
    'GET /me': () => OWNER,
    'GET /timer': () => {
      server.reads += 1;
      return { timer: server.timer, server_time: serverTime() };
    },
    [`GET /jobs/${JOB.id}`]: () => running(),
    ...more,
  });
  return { ...page, server };
}

const title = () => screen.findByRole('heading', { name: 'To Do' });
const findChip = () => within(screen.getByRole('banner')).findByRole('link', { name: /View Job/ });
const queryChip = () => within(screen.getByRole('banner')).queryByRole('link', { name: /View Job/ });
const card = async () => within(await screen.findByRole('region', { name: 'Timer' }));
const queryCard = () => screen.queryByRole('region', { name: 'Timer' });

describe('a running timer on every page', () => {
  it('is not there without one', async () => {
    const { server } = openToDo(null);
    await title();
    await waitFor(() => expect(server.reads).toBe(1));
    expect(queryChip()).toBeNull();
    expect(queryCard()).toBeNull();
  });

  it('is in the header and on a card, which agree to the second', async () => {
    openToDo(activeOn(running()));
    await title();
    const chip = await findChip();
    for (const text of ['#J26030042', 'Roof repair', '1m 5s', 'Running']) expect(chip.textContent).toContain(text);
    within(chip).getByRole('progressbar');
    const timer = await card();
    for (const text of ['#J26030042', 'Roof repair', '1m 5s', '$1.53', 'Running']) timer.getByText(text);
    timer.getByRole('progressbar');
    passSeconds(1);
    await timer.findByText('1m 6s');
    expect(chip.textContent).toContain('1m 6s');
  });

  it('opens its job by the header and by the card', async () => {
    const page = openToDo(activeOn(running()));
    await title();
    expect((await card()).getByRole('link', { name: 'View Job' }).getAttribute('href')).toBe(`/jobs/${JOB.id}`);
    const chip = await findChip();
    await act(async () => fireEvent.click(chip, { button: 0 }));
    await waitFor(() => expect(page.path()).toBe(`/jobs/${JOB.id}`));
    // Its page shows the panel instead of the card.
    await screen.findByRole('region', { name: 'Job Timer' });
    await waitFor(() => expect(queryCard()).toBeNull());
  });

  it('stands still while it is paused', async () => {
    openToDo(activeOn(paused()));
    await title();
    const chip = await findChip();
    expect(chip.textContent).toContain('Paused');
    passSeconds(10);
    expect(chip.textContent).toContain('1h 30m');
    (await card()).getByText('1h 30m');
  });

  it('is paused from any page', async () => {
    const { server } = openToDo(activeOn(running()), {
      'POST /timer/pause': () => {
        server.timer = activeOn(paused());
        return paused();
      },
    });
    const timer = await card();
    await act(async () => fireEvent.click(timer.getByRole('button', { name: 'Pause' })));
    await waitForToasts('Timer paused');
    expect(await (await card()).findByRole('button', { name: 'Resume' })).toBeDefined();
  });

  it('hides its card when asked to, also after a reload, and shows it again', async () => {
    openToDo(activeOn(running()));
    await card();
    await press('Hide timer');
    expect(queryCard()).toBeNull();
    cleanup();
    expect(JSON.parse(localStorage.getItem('callout-timer') ?? '')).toMatchObject({ version: 1, state: { isCardHidden: true } });
    openToDo(activeOn(running()));
    await title();
    await findChip();
    expect(queryCard()).toBeNull();
    await press('Show timer');
    await card();
  });

  it('is mirrored in the browser', async () => {
    openToDo(activeOn(running()));
    await title();
    await findChip();
    const stored: unknown = JSON.parse(localStorage.getItem('callout-timer') ?? '');
    expect(stored).toMatchObject({ version: 1, state: { jobId: JOB.id, startTime: runningEntry(5).started_at, elapsedTime: 60 } });
  });

  it('is read again every five seconds, and gone when it is', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] });
    const { server } = openToDo(activeOn(running()));
    await title();
    await findChip();
    const before = server.reads;
    for (let read = 1; read <= 3; read += 1) {
      await act(async () => vi.advanceTimersByTime(5000));
      await act(async () => undefined);
      expect(server.reads - before).toBe(read);
    }
    server.timer = null;
    await act(async () => vi.advanceTimersByTime(5000));
    await waitFor(() => expect(queryChip()).toBeNull());
    expect(queryCard()).toBeNull();
  });

  it('is not asked for by an administrator without a company', async () => {
    const reads: unknown[] = [];
    openPage('/admin', {
      'GET /me': () => ({ ...NEWCOMER, is_system_admin: true }),
      'GET /admin/companies': () => ({ rows: [], next_cursor: null }),
      'GET /timer': () => reads.push('read'),
    });
    await screen.findByRole('heading', { level: 1 });
    expect(reads).toEqual([]);
  });

  it('is a bar on a phone', async () => {
    setWidth(390);
    openToDo(activeOn(running()));
    await title();
    const bar = await card();
    for (const text of ['1m 5s', '$1.53', '#J26030042 Roof repair']) {
      expect(screen.getByRole('region', { name: 'Timer' }).textContent).toContain(text);
    }
    expect(bar.getByRole('link', { name: /View Job/ }).getAttribute('href')).toBe(`/jobs/${JOB.id}`);
    bar.getByRole('button', { name: 'Pause' });
  });

  it('in the header of a phone moves toasts below it', async () => {
    setWidth(390);
    openToDo(activeOn(running()));
    await title();
    expect((await findChip()).dataset['headerTimer']).toBe('');
    expect(screen.getByRole('region', { name: 'Messages' }).className).toContain('[html:has([data-header-timer])');
  });
});
