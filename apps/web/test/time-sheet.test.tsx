import type { SheetEntry } from '@callout/contract/timer';
import type { Role } from '@callout/domain/roles/roles';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { buildTimeSheetCsv } from '../src/features/timer/time-sheet-csv.ts';
import { ADMIN_USER, JOB, MIA, PROFILE, SAM } from './fixtures.ts';
import { failWith, type MockApi, openPage, pressButton } from './open-page.tsx';

const WEEK_START = '2026-11-09';
const TIME_SHEET_PATH = `/time-sheet?week=${WEEK_START}`;
const TIME_ZONE = 'Pacific/Auckland';

let entryCount = 0;
/** Builds an entry from hours since midnight on November 9 in Auckland (UTC+13). */
function buildEntry(from: number, to: number | null, overrides: Partial<SheetEntry> = {}): SheetEntry {
  const toInstant = (hour: number) => new Date(Date.UTC(2026, 10, 8, 11) + hour * 3_600_000).toISOString();
  entryCount += 1;
  return {
    id: `entry-${entryCount}`,
    job_id: JOB.id,
    job_number: JOB.job_number,
    job_title: JOB.title,
    staff_id: SAM.id,
    staff_name: SAM.name,
    started_at: toInstant(from),
    ended_at: to === null ? null : toInstant(to),
    original_ended_at: null,
    corrected_at: null,
    corrected_by: null,
    added_by: null,
    arrived_at: null,
    version: 1,
    is_allocated: false,
    hourly_rate: '85.00',
    ...overrides,
  };
}

const buildTimeSheet = (entries: SheetEntry[], week = WEEK_START) => ({
  week,
  from: '2026-11-08T11:00:00.000Z',
  to: '2026-11-15T11:00:00.000Z',
  timezone: TIME_ZONE,
  entries,
  server_time: '2026-11-15T11:00:00.000Z',
});

function openTimeSheet(entries: SheetEntry[], overrides: MockApi = {}, role: Role = 'admin', path = TIME_SHEET_PATH) {
  return openPage(path, {
    'GET /me': () => ({ ...ADMIN_USER, profile: { ...PROFILE, role } }),
    'GET /staff-names': () => ({ rows: [MIA, SAM] }),
    'GET /timer': () => ({ timer: null, server_time: buildTimeSheet([]).server_time }),
    [`GET /time-sheet?week=${WEEK_START}`]: () => buildTimeSheet(entries),
    ...overrides,
  });
}

const findTableRows = async () => {
  const table = await screen.findByRole('table');
  return within(table)
    .getAllByRole('row')
    .filter((row) => !row.classList.contains('hidden'))
    .map((row) => [...row.children].map((cell) => cell.textContent));
};

const WEEK_ENTRIES = [
  buildEntry(8, 10.5),
  buildEntry(22, 25.5, { is_allocated: true }),
  buildEntry(31, 39, {
    staff_id: MIA.id,
    staff_name: MIA.name,
    hourly_rate: null,
    job_id: 'fixed',
    job_number: 'J26110002',
    job_title: 'Tap',
  }),
];

const setViewportWidth = (width: number) => window.happyDOM.setViewport({ width, height: 800 });

afterEach(() => {
  setViewportWidth(1024);
  vi.useRealTimers();
});

describe('a time sheet', () => {
  it('shows hours per person and day with totals, and splits an entry at midnight', async () => {
    openTimeSheet(WEEK_ENTRIES);
    expect(await findTableRows()).toEqual([
      ['Staff', 'Mon 9', 'Tue 10', 'Wed 11', 'Thu 12', 'Fri 13', 'Sat 14', 'Sun 15', 'Total'],
      ['Mia Tane', '–', '8:00', '–', '–', '–', '–', '–', '8:00'],
      ['Sam Leota', '4:30', '1:30', '–', '–', '–', '–', '–', '6:00'],
      ['All staff', '4:30', '9:30', '–', '–', '–', '–', '–', '14:00'],
    ]);
    screen.getByText('Nov 9 – 15, 2026');
    expect(document.title).toBe('Time sheet · Callout');
  });

  it('shows how much time is worked, allocated and unbilled', async () => {
    openTimeSheet(WEEK_ENTRIES);
    await screen.findByRole('table');
    const getFigureText = (label: string) => screen.getByText(label).parentElement?.textContent;
    expect(getFigureText('Worked')).toBe('Worked14:008:00 at a fixed price');
    expect(getFigureText('Allocated to jobs')).toBe('Allocated to jobs3:30');
    expect(getFigureText('Unbilled')).toBe('Unbilled2:30about $212.50');
  });

  it('expands a person to their jobs and a cell to its entries', async () => {
    openTimeSheet(WEEK_ENTRIES);
    await pressButton('Sam Leota');
    expect((await findTableRows())[3]).toEqual(['Roof repair#J26030042', '4:30', '1:30', '–', '–', '–', '–', '–', '6:00']);
    const cell = screen.getByRole('button', { name: 'Sam Leota, Mon Nov 9: 4:30, includes unbilled time' });
    await act(async () => fireEvent.click(cell));
    const panel = screen.getByRole('region', { name: 'Sam Leota, Mon Nov 9' });
    expect(document.activeElement).toBe(panel);
    expect(
      within(panel)
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual([
      '8:00 AM – 10:30 AM2:30Roof repair #J26030042Unbilledabout $212.50',
      '10:00 PM – Nov 10 1:30 AM2:00Roof repair #J26030042Allocatedabout $170.00',
    ]);
    expect(within(panel).getAllByRole('link')[0]?.getAttribute('href')).toBe(`/jobs/${JOB.id}`);
    fireEvent.keyDown(panel, { key: 'Escape' });
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Sam Leota, Mon Nov 9' })).toBeNull());
    expect(document.activeElement).toBe(cell);
  });

  it('shows the original end of a corrected entry and the names of deleted people and jobs', async () => {
    openTimeSheet([
      buildEntry(8, 10, {
        staff_id: null,
        staff_name: 'Old Tim',
        job_id: null,
        hourly_rate: null,
        original_ended_at: '2026-11-09T06:30:00.000Z',
        corrected_by: 'Old Tim',
      }),
    ]);
    expect((await findTableRows())[2]?.[0]).toBe('Roof repair#J26030042, deleted');
    await pressButton('Old Tim, Mon Nov 9: 2:00');
    screen.getByText('End corrected by Old Tim, was 7:30 PM');
    screen.getByText('Deleted job');
  });

  it('counts a running timer up to now and marks it', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    openTimeSheet([buildEntry(160, null)]);
    await screen.findByText('Timer is running');
    const cell = screen.getByRole('button', { name: 'Sam Leota, Sun Nov 15: 8:00, includes unbilled time, timer is running' });
    expect(cell.title).toBe('8h');
  });

  it('moves between weeks with buttons and keys, and back to the current week', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-19T00:00:00.000Z') });
    const { router } = openTimeSheet([], {
      'GET /time-sheet?week=2026-11-02': () => buildTimeSheet([], '2026-11-02'),
      'GET /time-sheet?week=2026-11-16': () => buildTimeSheet([], '2026-11-16'),
    });
    const url = () => router.state.location.href;
    await pressButton('Previous week');
    await waitFor(() => expect(url()).toBe('/time-sheet?week=2026-11-02'));
    fireEvent.keyDown(document.body, { key: 'ArrowRight' });
    await waitFor(() => expect(url()).toBe(TIME_SHEET_PATH));
    await pressButton('This week');
    await waitFor(() => expect(url()).toBe('/time-sheet'));
    await screen.findByText('No time recorded this week');
    fireEvent.keyDown(document.body, { key: 'ArrowLeft' });
    await waitFor(() => expect(url()).toBe(TIME_SHEET_PATH));
    fireEvent.keyDown(document.body, { key: 'w' });
    await waitFor(() => expect(url()).toBe('/time-sheet'));
  });

  it('filters by staff member and keeps the filter in the URL', async () => {
    const { router } = openTimeSheet([], {
      [`GET /time-sheet?week=${WEEK_START}&staff_id=${SAM.id}`]: () => buildTimeSheet(WEEK_ENTRIES.slice(0, 2)),
    });
    await screen.findByText('No time recorded for this week');
    fireEvent.change(await screen.findByLabelText('Staff'), { target: { value: SAM.id } });
    await waitFor(() => expect(router.state.location.search).toEqual({ week: WEEK_START, staff: SAM.id }));
    expect((await findTableRows())[1]?.[0]).toBe('Sam Leota');
  });

  it('shows staff only their own time, without a staff filter', async () => {
    openTimeSheet(WEEK_ENTRIES.slice(0, 2), {}, 'staff', `${TIME_SHEET_PATH}&staff=${MIA.id}`);
    expect(await findTableRows()).toHaveLength(3);
    expect(screen.queryByLabelText('Staff')).toBeNull();
  });

  it.each(['nonsense', '2026-02-30', '9999-12-31'])('shows the current week for the invalid week %s', async (week) => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-11T00:00:00.000Z') });
    openTimeSheet([], {}, 'admin', `/time-sheet?week=${week}`);
    await screen.findByText('No time recorded this week');
    expect(screen.getByText('Nov 9 – 15, 2026')).toBeTruthy();
  });

  it('shows why it failed to load and reloads on Retry', async () => {
    const server = { fails: true };
    openTimeSheet([], {
      [`GET /time-sheet?week=${WEEK_START}`]: () => (server.fails ? failWith('FORBIDDEN', 'Not today') : buildTimeSheet(WEEK_ENTRIES)),
    });
    await screen.findByText('Not today');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Export CSV' }).disabled).toBe(true);
    server.fails = false;
    await pressButton(/Retry|Try again/);
    await screen.findByRole('table');
  });

  it('shows one day at a time on a phone', async () => {
    setViewportWidth(390);
    openTimeSheet(WEEK_ENTRIES);
    const monday = await screen.findByRole('button', { name: 'Mon 9 4:30 includes unbilled time' });
    expect(monday.getAttribute('aria-pressed')).toBe('true');
    expect(screen.queryByRole('table')).toBeNull();
    await pressButton('Tue 10 9:30');
    within(screen.getByRole('region', { name: 'Mia Tane' })).getByText('7:00 AM – 3:00 PM');
    within(screen.getByRole('region', { name: 'Sam Leota' })).getByText('Nov 9 10:00 PM – 1:30 AM');
    await pressButton('Wed 11 –');
    screen.getByText('No time recorded on Nov 11');
  });
});

describe('the time sheet CSV', () => {
  it('has one row per entry and day, exact to the second', () => {
    const corrected = { original_ended_at: '2026-11-09T06:30:00.000Z' };
    const lines = buildTimeSheetCsv(buildTimeSheet([buildEntry(8, 8.51, corrected), ...WEEK_ENTRIES.slice(1)]), '2026-11-15T11:00:00.000Z');
    expect(lines).toEqual([
      ['Date', 'Staff', 'Job number', 'Job', 'Start', 'End', 'Original end', 'Time', 'Hours', 'Billing'],
      ['2026-11-09', 'Sam Leota', 'J26030042', 'Roof repair', '8:00 AM', '8:30 AM', '7:30 PM', '0:30:36', '0.5100', 'Unbilled'],
      ['2026-11-09', 'Sam Leota', 'J26030042', 'Roof repair', '10:00 PM', '2026-11-10 1:30 AM', '', '2:00:00', '2.0000', 'Allocated'],
      ['2026-11-10', 'Sam Leota', 'J26030042', 'Roof repair', '2026-11-09 10:00 PM', '1:30 AM', '', '1:30:00', '1.5000', 'Allocated'],
      ['2026-11-10', 'Mia Tane', 'J26110002', 'Tap', '7:00 AM', '3:00 PM', '', '8:00:00', '8.0000', 'Fixed price'],
    ]);
  });

  it('is downloaded with the week in its file name', async () => {
    const downloadedNames: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function save(this: HTMLAnchorElement) {
      downloadedNames.push(this.download);
    });
    openTimeSheet(WEEK_ENTRIES);
    await screen.findByRole('table');
    await pressButton('Export CSV');
    expect(downloadedNames).toEqual([`time-sheet-${WEEK_START}.csv`]);
    vi.restoreAllMocks();
  });
});

it('the Jobs page links to the time sheet', async () => {
  openPage('/jobs', {
    'GET /me': () => ADMIN_USER,
    'GET /jobs?sort=created_at&order=desc': () => ({ rows: [], next_cursor: null }),
    'GET /jobs/count': () => ({ total: 0 }),
  });
  const link = await screen.findByRole('link', { name: 'Time sheet' });
  expect(link.getAttribute('href')).toBe('/time-sheet');
});

it('says that the chosen person was deleted', async () => {
  const gone = '018f0000-0000-7000-8000-00000000dead';
  const call = `GET /time-sheet?week=${WEEK_START}&staff_id=${gone}`;
  openTimeSheet([], { [call]: () => buildTimeSheet([]) }, 'admin', `${TIME_SHEET_PATH}&staff=${gone}`);
  expect((await screen.findByRole<HTMLOptionElement>('option', { name: 'Former staff member' })).selected).toBe(true);
});
