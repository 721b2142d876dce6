import type { SheetEntry } from '@callout/contract/timer';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ADMIN_USER, JOB, SAM } from './fixtures.ts';
import { advanceClock, freezeClock, getServerTime, secondsAgo } from './mock-timer.ts';
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

const buildEntry = (change: Partial<SheetEntry> = {}): SheetEntry => ({
  id: 'entry-1',
  job_id: JOB.id,
  job_number: JOB.job_number,
  job_title: JOB.title,
  staff_id: 'staff-1',
  staff_name: 'Mia',
  started_at: secondsAgo(4 * HOUR_SECONDS),
  ended_at: secondsAgo(HOUR_SECONDS - 15),
  original_ended_at: null,
  corrected_at: null,
  corrected_by: null,
  added_by: null,
  arrived_at: null,
  version: 3,
  is_allocated: false,
  hourly_rate: '85.00',
  ...change,
});

function openTimeSheet(entries: SheetEntry[], responses: MockApi = {}) {
  const server = { entries, sent: [] as unknown[] };
  openPage(`/time-sheet?week=${WEEK_START}`, {
    'GET /me': () => ADMIN_USER,
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
    'PUT /time-entries/entry-1/end': (input) => {
      server.sent.push(input);
      const { ended_at } = input as { ended_at: string };
      server.entries = [buildEntry({ ended_at, original_ended_at: secondsAgo(HOUR_SECONDS - 15), corrected_by: 'Mia', version: 4 })];
      return server.entries[0];
    },
    ...responses,
  });
  return server;
}

const openCorrectionDialog = async () => {
  await pressButton('Correct end');
  return within(await screen.findByRole('dialog', { name: 'When did you stop?' }));
};

it('prefills the current end time of my time entry and saves the corrected one', async () => {
  const server = openTimeSheet([buildEntry()]);
  const dialog = await openCorrectionDialog();
  dialog.getByText('#J26030042 Roof repair, started May 5, 2031 8:00 AM');
  expect([getValue('Date'), getValue('Time')]).toEqual(['2031-05-05', '11:00']);
  typeInto('Time', '10:30');
  await pressButton('Correct End');
  await waitForToasts('Time corrected');
  expect(server.sent).toEqual([{ version: 3, ended_at: '2031-05-04T22:30:00.000Z' }]);
  await screen.findByText('End corrected by Mia, was 11:00 AM');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('keeps the seconds of an end time that was not edited', async () => {
  const server = openTimeSheet([buildEntry()]);
  await openCorrectionDialog();
  await pressButton('Correct End');
  await waitForToasts('Time corrected');
  expect(server.sent).toEqual([{ version: 3, ended_at: secondsAgo(HOUR_SECONDS - 15) }]);
});

it('suggests the current time as the end time of a running timer', async () => {
  openTimeSheet([buildEntry({ ended_at: null })]);
  await openCorrectionDialog();
  await waitFor(() => expect([getValue('Date'), getValue('Time')]).toEqual(['2031-05-05', '12:00']));
});

it('rejects an end time before the start, reports a changed entry and keeps the entered time', async () => {
  const dialog = await (async () => {
    openTimeSheet([buildEntry()], {
      'PUT /time-entries/entry-1/end': () => failWith('STALE_VERSION', 'Changed', { current: buildEntry({ version: 9 }) }),
    });
    return openCorrectionDialog();
  })();
  typeInto('Time', '07:59');
  await pressButton('Correct End');
  await dialog.findByText('The end must be after the start');
  typeInto('Time', '09:00');
  await pressButton('Correct End');
  await dialog.findByText(/This timer was stopped elsewhere; it ended May 5, 2031 11:00 AM./);
  expect(getValue('Time')).toBe('09:00');
});

it("offers no correction for other people's time or for allocated time", async () => {
  openTimeSheet([buildEntry({ staff_id: SAM.id, staff_name: SAM.name }), buildEntry({ id: 'entry-2', is_allocated: true })]);
  await screen.findByRole('region', { name: 'Mia' });
  screen.getByRole('region', { name: SAM.name });
  expect(screen.queryByRole('button', { name: 'Correct end' })).toBeNull();
});

it('counts a running timer by the server clock, with the same seconds on the page and in the CSV', async () => {
  setViewportWidth(1440);
  const exportedFiles: unknown[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((exportedFile) => `blob:${exportedFiles.push(exportedFile)}`);
  openTimeSheet([buildEntry({ ended_at: null })]);
  const cell = await screen.findByRole('button', { name: /^Mia, Mon May 5: 4:00/ });
  expect(cell.title).toBe('4h');
  advanceClock(7);
  await waitFor(() => expect(cell.title).toBe('4h 7s'));
  advanceClock(2);
  await pressButton('Export CSV');
  const [exportedFile] = exportedFiles;
  expect(exportedFile instanceof Blob && (await exportedFile.text())).toContain('"4:00:09"');
  vi.restoreAllMocks();
});
