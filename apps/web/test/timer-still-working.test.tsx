import type { ActiveTimer, TimeEntry } from '@callout/contract/timer';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Answers, openPage, press, refuse, typeInto, valueOf, waitForToasts } from './open-page.tsx';
import { OWNER } from './people.ts';
import { activeOn, ago, hourlyJob, passSeconds, runningEntry, serverTime, stopClock } from './timers.ts';

beforeEach(stopClock);
afterEach(async () => {
  vi.useRealTimers();
  localStorage.clear();
  const { useTimerStore } = await import('../src/features/timer/timer-store.ts');
  useTimerStore.setState(useTimerStore.getInitialState());
});

const HOUR = 3600;
/** It is noon in Auckland. */
const startedHoursAgo = (hours: number, duration: string | null = '2') =>
  activeOn(hourlyJob({ timer_status: 'started', running: [runningEntry(hours * HOUR)] }, { duration }));

const ENTRY: TimeEntry = {
  id: 'entry-1',
  job_id: 'job-1',
  job_number: 'J26030042',
  job_title: 'Roof repair',
  staff_id: 'staff-1',
  staff_name: 'Mia',
  started_at: ago(13 * HOUR),
  ended_at: ago(11 * HOUR),
  original_ended_at: ago(0),
  corrected_at: ago(0),
  corrected_by: 'Mia',
  version: 2,
};

function openToDo(timer: ActiveTimer, more: Answers = {}) {
  const server = { timer };
  const page = openPage('/todo', {
    'GET /me': () => OWNER,
    'GET /timer': () => ({ timer: server.timer, server_time: serverTime() }),
    ...more,
  });
  return { ...page, server };
}

const question = () => screen.findByText('Still working?');
const card = () => screen.findByRole('region', { name: 'Timer' });
const asks = () => screen.queryByText('Still working?') !== null;

it('a timer of today within twice its planned hours asks nothing', async () => {
  openToDo(startedHoursAgo(4));
  await card();
  expect(asks()).toBe(false);
  passSeconds(1);
  await question();
});

it('a paused timer asks nothing', async () => {
  openToDo(activeOn(hourlyJob({ timer_status: 'paused', finished_seconds: 50 * HOUR })));
  await card();
  expect(asks()).toBe(false);
});

it('a timer that ran past midnight asks once, until its owner says yes', async () => {
  openToDo(startedHoursAgo(13, null));
  await question();
  screen.getByText(/Your timer on #J26030042 Roof repair has been running since May 4, 2031 11:00 PM/);
  await press('Yes, keep going');
  expect(asks()).toBe(false);
  cleanup();
  openToDo(startedHoursAgo(13, null));
  await card();
  expect(asks()).toBe(false);
});

async function openCorrection(more: Answers = {}) {
  const page = openToDo(startedHoursAgo(13), more);
  await question();
  await press('No, correct the end');
  return { ...page, dialog: within(await screen.findByRole('dialog', { name: 'When did you stop?' })) };
}

it('its end is corrected on the clocks of the company, starting from the planned one', async () => {
  const sent: unknown[] = [];
  const { server, dialog } = await openCorrection({
    'PUT /time-entries/entry-1/end': (input) => {
      sent.push(input);
      server.timer = activeOn(hourlyJob({ timer_status: 'paused', finished_seconds: HOUR }));
      return ENTRY;
    },
  });
  dialog.getByText('#J26030042 Roof repair, started May 4, 2031 11:00 PM');
  dialog.getByText('Auckland time');
  expect([valueOf('Date'), valueOf('Time')]).toEqual(['2031-05-05', '01:00']);
  typeInto('Time', '00:30');
  await press('Correct End');
  await waitForToasts('Time corrected');
  expect(sent).toEqual([{ version: 1, ended_at: '2031-05-04T12:30:00.000Z' }]);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(asks()).toBe(false));
});

it.each([
  ['2031-05-04', '23:00', 'The end must be after the start'],
  ['2031-05-05', '12:01', 'The end must not be in the future'],
  ['', '12:00', 'Please enter a date and a time'],
  ['2031-05-05', '', 'Please enter a date and a time'],
])('an end at %s %s is refused: %s', async (date, time, text) => {
  const { dialog } = await openCorrection();
  typeInto('Date', date);
  typeInto('Time', time);
  await press('Correct End');
  await dialog.findByText(text);
  expect(valueOf('Time')).toBe(time);
});

it('a correction that the server refuses says why and keeps what was typed', async () => {
  const { dialog } = await openCorrection({
    'PUT /time-entries/entry-1/end': () =>
      refuse('INVALID_INPUT', 'No', { fields: { ended_at: 'This time has been allocated. Remove its line from the job first.' } }),
  });
  typeInto('Time', '00:30');
  await press('Correct End');
  await dialog.findByText('This time has been allocated. Remove its line from the job first.');
  expect(valueOf('Time')).toBe('00:30');
});

it('a correction of a timer that was stopped elsewhere tells so, and is saved when pressed again', async () => {
  const versions: unknown[] = [];
  const { server, dialog } = await openCorrection({
    'PUT /time-entries/entry-1/end': (input) => {
      versions.push((input as { version: number }).version);
      server.timer = activeOn(hourlyJob({ timer_status: 'paused', finished_seconds: HOUR }));
      return versions.length === 1 ? refuse('STALE_VERSION', 'Changed', { current: { ...ENTRY, version: 7 } }) : ENTRY;
    },
  });
  typeInto('Time', '00:30');
  await press('Correct End');
  await dialog.findByText(/This timer was stopped elsewhere; it ended May 5, 2031 1:00 AM./);
  expect(valueOf('Time')).toBe('00:30');
  await press('Correct End');
  await waitForToasts('Time corrected');
  expect(versions).toEqual([1, 7]);
});

it('a correction that does not reach the server says so and keeps what was typed', async () => {
  await openCorrection({ 'PUT /time-entries/entry-1/end': () => refuse('UNAVAILABLE', 'Out of order') });
  typeInto('Time', '00:30');
  await press('Correct End');
  await waitForToasts('Failed to update timer: Out of order');
  expect(valueOf('Time')).toBe('00:30');
});

it('a correction that was canceled starts afresh', async () => {
  const { dialog } = await openCorrection();
  typeInto('Time', '12:01');
  await press('Correct End');
  await dialog.findByText('The end must not be in the future');
  await press('Cancel');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await press('No, correct the end');
  await screen.findByRole('dialog', { name: 'When did you stop?' });
  expect(valueOf('Time')).toBe('01:00');
  expect(screen.queryByText('The end must not be in the future')).toBeNull();
});

it('a time that clocks show twice says which one is meant', async () => {
  const { dialog } = await openCorrection();
  const text = 'Clocks go back that night and show 2:30 AM twice. The first one is meant.';
  typeInto('Time', '02:30');
  expect(dialog.queryByText(text)).toBeNull();
  typeInto('Date', '2031-04-06');
  expect(await dialog.findByText(text)).toBeDefined();
});
