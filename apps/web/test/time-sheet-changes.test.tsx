import type { SheetEntry } from '@callout/contract/timer';
import type { Role } from '@callout/domain/roles/roles';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ADMIN_USER, JOB, PROFILE, SAM } from './fixtures.ts';
import { freezeClock, getServerTime, secondsAgo } from './mock-timer.ts';
import { failWith, getValue, type MockApi, openPage, pressButton, typeInto, waitForToasts } from './open-page.tsx';

const setViewportWidth = (width: number) => window.happyDOM.setViewport({ width, height: 844 });

beforeEach(() => {
  freezeClock();
  setViewportWidth(390);
});
afterEach(() => {
  vi.useRealTimers();
  setViewportWidth(1024);
});

const HOUR_SECONDS = 3600;
/** The week that starts today: the frozen server clock shows noon on this Monday in Auckland. */
const WEEK_START = '2031-05-05';

/** Builds Mia's time from 8:00 to 11:00 AM, which she added by hand. */
const buildAddedEntry = (change: Partial<SheetEntry> = {}): SheetEntry => ({
  id: 'entry-1',
  job_id: JOB.id,
  job_number: JOB.job_number,
  job_title: JOB.title,
  staff_id: 'staff-1',
  staff_name: 'Mia',
  started_at: secondsAgo(4 * HOUR_SECONDS),
  ended_at: secondsAgo(HOUR_SECONDS),
  original_ended_at: null,
  corrected_at: null,
  corrected_by: null,
  added_by: 'Mia',
  arrived_at: null,
  version: 3,
  is_allocated: false,
  hourly_rate: '85.00',
  ...change,
});

function openTimeSheet(entries: SheetEntry[], responses: MockApi = {}, role: Role = 'admin') {
  const server = { entries, sent: [] as unknown[] };
  openPage(`/time-sheet?week=${WEEK_START}`, {
    'GET /me': () => ({ ...ADMIN_USER, profile: { ...PROFILE, role } }),
    'GET /staff-names': () => ({ rows: [SAM] }),
    'GET /timer': () => ({ timer: null, server_time: getServerTime() }),
    [`GET /time-sheet?week=${WEEK_START}`]: () => ({
      week: WEEK_START,
      from: '2031-05-04T12:00:00.000Z',
      to: '2031-05-11T12:00:00.000Z',
      timezone: 'Pacific/Auckland',
      entries: server.entries,
      server_time: getServerTime(),
    }),
    'PUT /worked-time/entry-1': (input) => {
      server.sent.push(input);
      server.entries = [buildAddedEntry({ ...(input as { started_at: string; ended_at: string }), version: 4 })];
      return server.entries[0];
    },
    'DELETE /worked-time/entry-1': () => {
      server.entries = [];
      return {};
    },
    ...responses,
  });
  return server;
}

async function openDialog() {
  await pressButton('Change time');
  return within(await screen.findByRole('dialog', { name: 'Change Time' }));
}

it('changes the start and end of time that was added by hand, and keeps the instant of a field that was not edited', async () => {
  const server = openTimeSheet([buildAddedEntry({ ended_at: secondsAgo(HOUR_SECONDS - 15) })]);
  const dialog = await openDialog();
  dialog.getByText('#J26030042 Roof repair, Mia');
  expect(['Date', 'Start', 'End'].map(getValue)).toEqual(['2031-05-05', '08:00', '11:00']);
  typeInto('Start', '07:30');
  await pressButton('Save');
  await waitForToasts('Time changed');
  expect(server.sent).toEqual([{ version: 3, started_at: '2031-05-04T19:30:00.000Z', ended_at: secondsAgo(HOUR_SECONDS - 15) }]);
  await screen.findByText('7:30 AM – 11:00 AM');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('deletes time that was added by hand after a question', async () => {
  openTimeSheet([buildAddedEntry()]);
  await openDialog();
  await pressButton('Delete');
  const question = within(await screen.findByRole('alertdialog', { name: 'Delete this time?' }));
  await act(async () => fireEvent.click(question.getByRole('button', { name: 'Delete' })));
  await waitForToasts('Time deleted');
  await waitFor(() => expect(screen.queryByText('8:00 AM – 11:00 AM')).toBeNull());
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('says why time could not be deleted', async () => {
  const reason = 'This time has been allocated. Remove its line from the job first.';
  openTimeSheet([buildAddedEntry()], {
    'DELETE /worked-time/entry-1': () =>
      failWith('INVALID_INPUT', 'Please check the highlighted fields.', { fields: { started_at: reason } }),
  });
  await openDialog();
  await pressButton('Delete');
  const question = within(await screen.findByRole('alertdialog'));
  await act(async () => fireEvent.click(question.getByRole('button', { name: 'Delete' })));
  await waitForToasts(`Failed to delete time: ${reason}`);
  expect(getValue('Start')).toBe('08:00');
});

it('reports a changed entry, keeps the entered times and saves them when asked again', async () => {
  const versions: unknown[] = [];
  openTimeSheet([buildAddedEntry()], {
    'PUT /worked-time/entry-1': (input) => {
      versions.push((input as { version: number }).version);
      return versions.length > 1 ? buildAddedEntry() : failWith('STALE_VERSION', 'Changed', { current: buildAddedEntry({ version: 9 }) });
    },
  });
  const dialog = await openDialog();
  typeInto('End', '10:00');
  await pressButton('Save');
  await dialog.findByText(/^This time was changed elsewhere: May 5, 2031 8:00 AM to May 5, 2031 11:00 AM\. Press Save again/);
  expect(getValue('End')).toBe('10:00');
  await pressButton('Save');
  await waitForToasts('Time changed');
  expect(versions).toEqual([3, 9]);
});

it.each<[Role, number]>([
  ['manager', 1],
  ['accountant', 0],
])("lets a %s change other people's time %d times", async (role, count) => {
  openTimeSheet([buildAddedEntry({ staff_id: SAM.id, staff_name: SAM.name })], {}, role);
  await screen.findByText('8:00 AM – 11:00 AM');
  expect(screen.queryAllByRole('button', { name: 'Change time' })).toHaveLength(count);
});

it('offers no change of time that is allocated or that a timer recorded', async () => {
  openTimeSheet([buildAddedEntry({ is_allocated: true }), buildAddedEntry({ id: 'entry-2', added_by: null })]);
  await screen.findByRole('button', { name: 'Correct end' });
  expect(screen.queryByRole('button', { name: 'Change time' })).toBeNull();
});
