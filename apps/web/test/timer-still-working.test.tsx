import type { ActiveTimer, TimeEntry } from '@callout/contract/timer';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ADMIN_USER } from './fixtures.ts';
import { advanceClock, buildActiveTimer, buildHourlyJob, buildRunningEntry, freezeClock, getServerTime, secondsAgo } from './mock-timer.ts';
import { failWith, getValue, type MockApi, openPage, pressButton, typeInto, waitForToasts } from './open-page.tsx';

beforeEach(freezeClock);
afterEach(async () => {
  vi.useRealTimers();
  localStorage.clear();
  const { useTimerStore } = await import('../src/features/timer/timer-store.ts');
  useTimerStore.setState(useTimerStore.getInitialState());
});

const HOUR_SECONDS = 3600;
/** Builds a timer that started `hours` hours before noon in Auckland. */
const buildTimerStartedHoursAgo = (hours: number, duration: string | null = '2') =>
  buildActiveTimer(buildHourlyJob({ timer_status: 'started', running: [buildRunningEntry(hours * HOUR_SECONDS)] }, { duration }));

const TIME_ENTRY: TimeEntry = {
  id: 'entry-1',
  job_id: 'job-1',
  job_number: 'J26030042',
  job_title: 'Roof repair',
  staff_id: 'staff-1',
  staff_name: 'Mia',
  started_at: secondsAgo(13 * HOUR_SECONDS),
  ended_at: secondsAgo(11 * HOUR_SECONDS),
  original_ended_at: secondsAgo(0),
  corrected_at: secondsAgo(0),
  corrected_by: 'Mia',
  added_by: null,
  arrived_at: null,
  version: 2,
};

function openTodoPage(timer: ActiveTimer, responses: MockApi = {}) {
  const server = { timer };
  const page = openPage('/todo', {
    'GET /me': () => ADMIN_USER,
    'GET /timer': () => ({ timer: server.timer, server_time: getServerTime() }),
    ...responses,
  });
  return { ...page, server };
}

const findPrompt = () => screen.findByText('Still working?');
const findTimerCard = () => screen.findByRole('region', { name: 'Timer' });
const isPromptVisible = () => screen.queryByText('Still working?') !== null;

it('does not ask about a timer started today until it exceeds twice its planned hours', async () => {
  openTodoPage(buildTimerStartedHoursAgo(4));
  await findTimerCard();
  expect(isPromptVisible()).toBe(false);
  advanceClock(1);
  await findPrompt();
});

it('does not ask about a paused timer', async () => {
  openTodoPage(buildActiveTimer(buildHourlyJob({ timer_status: 'paused', finished_seconds: 50 * HOUR_SECONDS })));
  await findTimerCard();
  expect(isPromptVisible()).toBe(false);
});

it('asks about a timer that ran past midnight until its owner confirms it', async () => {
  openTodoPage(buildTimerStartedHoursAgo(13, null));
  await findPrompt();
  screen.getByText(/Your timer on #J26030042 Roof repair has been running since May 4, 2031 11:00 PM/);
  await pressButton('Yes, keep going');
  expect(isPromptVisible()).toBe(false);
  cleanup();
  openTodoPage(buildTimerStartedHoursAgo(13, null));
  await findTimerCard();
  expect(isPromptVisible()).toBe(false);
});

async function openCorrectionDialog(responses: MockApi = {}) {
  const page = openTodoPage(buildTimerStartedHoursAgo(13), responses);
  await findPrompt();
  await pressButton('No, correct the end time');
  return { ...page, dialog: within(await screen.findByRole('dialog', { name: 'When did you stop?' })) };
}

it("prefills the planned end and saves the corrected end time in the company's time zone", async () => {
  const sent: unknown[] = [];
  const { server, dialog } = await openCorrectionDialog({
    'PUT /time-entries/entry-1/end': (input) => {
      sent.push(input);
      server.timer = buildActiveTimer(buildHourlyJob({ timer_status: 'paused', finished_seconds: HOUR_SECONDS }));
      return TIME_ENTRY;
    },
  });
  dialog.getByText('#J26030042 Roof repair, started May 4, 2031 11:00 PM');
  dialog.getByText('Auckland time');
  expect([getValue('Date'), getValue('Time')]).toEqual(['2031-05-05', '01:00']);
  typeInto('Time', '00:30');
  await pressButton('Correct End');
  await waitForToasts('Time corrected');
  expect(sent).toEqual([{ version: 1, ended_at: '2031-05-04T12:30:00.000Z' }]);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(isPromptVisible()).toBe(false));
});

it.each([
  ['2031-05-04', '23:00', 'The end must be after the start'],
  ['2031-05-05', '12:01', 'The end must not be in the future'],
  ['', '12:00', 'Please enter a date and a time'],
  ['2031-05-05', '', 'Please enter a date and a time'],
])('rejects an end time of %s %s: %s', async (date, time, text) => {
  const { dialog } = await openCorrectionDialog();
  typeInto('Date', date);
  typeInto('Time', time);
  await pressButton('Correct End');
  await dialog.findByText(text);
  expect(getValue('Time')).toBe(time);
});

it('shows why the server rejected a correction and keeps the entered time', async () => {
  const { dialog } = await openCorrectionDialog({
    'PUT /time-entries/entry-1/end': () =>
      failWith('INVALID_INPUT', 'No', { fields: { ended_at: 'This time has been allocated. Remove its line from the job first.' } }),
  });
  typeInto('Time', '00:30');
  await pressButton('Correct End');
  await dialog.findByText('This time has been allocated. Remove its line from the job first.');
  expect(getValue('Time')).toBe('00:30');
});

it('reports a timer that was stopped elsewhere and saves the correction on the second click', async () => {
  const sentVersions: unknown[] = [];
  const { server, dialog } = await openCorrectionDialog({
    'PUT /time-entries/entry-1/end': (input) => {
      sentVersions.push((input as { version: number }).version);
      server.timer = buildActiveTimer(buildHourlyJob({ timer_status: 'paused', finished_seconds: HOUR_SECONDS }));
      return sentVersions.length === 1 ? failWith('STALE_VERSION', 'Changed', { current: { ...TIME_ENTRY, version: 7 } }) : TIME_ENTRY;
    },
  });
  typeInto('Time', '00:30');
  await pressButton('Correct End');
  await dialog.findByText(/This timer was stopped elsewhere; it ended May 5, 2031 1:00 AM./);
  expect(getValue('Time')).toBe('00:30');
  await pressButton('Correct End');
  await waitForToasts('Time corrected');
  expect(sentVersions).toEqual([1, 7]);
});

it('reports a refused correction and keeps the entered time', async () => {
  await openCorrectionDialog({ 'PUT /time-entries/entry-1/end': () => failWith('FORBIDDEN', 'Not yours') });
  typeInto('Time', '00:30');
  await pressButton('Correct End');
  await waitForToasts('Failed to update timer: Not yours');
  expect(getValue('Time')).toBe('00:30');
});

it('discards a canceled correction', async () => {
  const { dialog } = await openCorrectionDialog();
  typeInto('Time', '12:01');
  await pressButton('Correct End');
  await dialog.findByText('The end must not be in the future');
  await pressButton('Cancel');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await pressButton('No, correct the end time');
  await screen.findByRole('dialog', { name: 'When did you stop?' });
  expect(getValue('Time')).toBe('01:00');
  expect(screen.queryByText('The end must not be in the future')).toBeNull();
});

it('explains which of the two identical times is used when clocks go back', async () => {
  const { dialog } = await openCorrectionDialog();
  const text = 'Clocks go back that night, so 2:30 AM occurs twice. The first one is used.';
  typeInto('Time', '02:30');
  expect(dialog.queryByText(text)).toBeNull();
  typeInto('Date', '2031-04-06');
  expect(await dialog.findByText(text)).toBeDefined();
});
