import type { SheetEntry } from '@callout/contract/timer';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Answers, openPage, press, refuse, typeInto, valueOf, waitForToasts } from './open-page.tsx';
import { JOB, OWNER, SAM } from './people.ts';
import { ago, passSeconds, serverTime, stopClock } from './timers.ts';

const setWidth = (width: number) => window.happyDOM.setViewport({ width, height: 844 });

beforeEach(() => {
  stopClock();
  setWidth(390);
});
afterEach(() => {
  vi.useRealTimers();
  setWidth(1024);
});

const HOUR = 3600;
/** It is noon in Auckland, a Monday. */
const WEEK = '2031-05-05';

const entry = (change: Partial<SheetEntry> = {}): SheetEntry => ({
  id: 'entry-1',
  job_id: JOB.id,
  job_number: JOB.job_number,
  job_title: JOB.title,
  staff_id: 'staff-1',
  staff_name: 'Mia',
  started_at: ago(4 * HOUR),
  ended_at: ago(HOUR - 15),
  original_ended_at: null,
  corrected_at: null,
  corrected_by: null,
  version: 3,
  is_allocated: false,
  hourly_rate: '85.00',
  ...change,
});

function openSheet(entries: SheetEntry[], more: Answers = {}) {
  const server = { entries, sent: [] as unknown[] };
  openPage(`/time-sheet?week=${WEEK}`, {
    'GET /me': () => OWNER,
    'GET /staff-names': () => ({ rows: [SAM] }),
    'GET /timer': () => ({ timer: null, server_time: serverTime() }),
    [`GET /time-sheet?week=${WEEK}`]: () => ({
      week: WEEK,
      from: '2031-05-04T12:00:00.000Z',
      to: '2031-05-11T12:00:00.000Z',
      timezone: 'Pacific/Auckland',
      entries: server.entries,
      server_time: serverTime(),
    }),
    'PUT /time-entries/entry-1/end': (input) => {
      server.sent.push(input);
      const { ended_at } = input as { ended_at: string };
      server.entries = [entry({ ended_at, original_ended_at: ago(HOUR - 15), corrected_by: 'Mia', version: 4 })];
      return server.entries[0];
    },
    ...more,
  });
  return server;
}

const openCorrection = async () => {
  await press('Correct end');
  return within(await screen.findByRole('dialog', { name: 'When did you stop?' }));
};

it('the end of own time is corrected from the end it has', async () => {
  const server = openSheet([entry()]);
  const dialog = await openCorrection();
  dialog.getByText('#J26030042 Roof repair, started May 5, 2031 8:00 AM');
  expect([valueOf('Date'), valueOf('Time')]).toEqual(['2031-05-05', '11:00']);
  typeInto('Time', '10:30');
  await press('Correct End');
  await waitForToasts('Time corrected');
  expect(server.sent).toEqual([{ version: 3, ended_at: '2031-05-04T22:30:00.000Z' }]);
  await screen.findByText('End corrected by Mia, was 11:00 AM');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('an end that was not touched keeps its seconds', async () => {
  const server = openSheet([entry()]);
  await openCorrection();
  await press('Correct End');
  await waitForToasts('Time corrected');
  expect(server.sent).toEqual([{ version: 3, ended_at: ago(HOUR - 15) }]);
});

it('a running timer is ended by it', async () => {
  openSheet([entry({ ended_at: null })]);
  await openCorrection();
  await waitFor(() => expect([valueOf('Date'), valueOf('Time')]).toEqual(['2031-05-05', '12:00']));
});

it('a wrong end is refused, a changed entry is told, and what was typed stays', async () => {
  const dialog = await (async () => {
    openSheet([entry()], {
      'PUT /time-entries/entry-1/end': () => refuse('STALE_VERSION', 'Changed', { current: entry({ version: 9 }) }),
    });
    return openCorrection();
  })();
  typeInto('Time', '07:59');
  await press('Correct End');
  await dialog.findByText('The end must be after the start');
  typeInto('Time', '09:00');
  await press('Correct End');
  await dialog.findByText(/This timer was stopped elsewhere; it ended May 5, 2031 11:00 AM./);
  expect(valueOf('Time')).toBe('09:00');
});

it("is not offered on somebody else's time or on time that is billed", async () => {
  openSheet([entry({ staff_id: SAM.id, staff_name: SAM.name }), entry({ id: 'entry-2', is_allocated: true })]);
  await screen.findByRole('region', { name: 'Mia' });
  screen.getByRole('region', { name: SAM.name });
  expect(screen.queryByRole('button', { name: 'Correct end' })).toBeNull();
});

it('a running timer counts on by the clock of the server, to the same second on the page and in the file', async () => {
  setWidth(1440);
  const files: unknown[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => `blob:${files.push(file)}`);
  openSheet([entry({ ended_at: null })]);
  const cell = await screen.findByRole('button', { name: /^Mia, Mon May 5: 4:00/ });
  expect(cell.title).toBe('4h');
  passSeconds(7);
  await waitFor(() => expect(cell.title).toBe('4h 7s'));
  passSeconds(2);
  await press('Export CSV');
  const [file] = files;
  expect(file instanceof Blob && (await file.text())).toContain('"4:00:09"');
  vi.restoreAllMocks();
});
