import type { SheetEntry } from '@callout/contract/timer';
import type { Role } from '@callout/domain/roles/roles';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { timeSheetCsv } from '../src/features/timer/time-sheet-csv.ts';
import { type Answers, openPage, press, refuse } from './open-page.tsx';
import { JOB, MIA, OWNER, PROFILE, SAM } from './people.ts';

const WEEK = '2026-11-09';
const PATH = `/time-sheet?week=${WEEK}`;
const ZONE = 'Pacific/Auckland';

let made = 0;
/** In hours of November 9 in Auckland, whose clocks are 13 hours ahead. */
function entry(from: number, to: number | null, more: Partial<SheetEntry> = {}): SheetEntry {
  const at = (hour: number) => new Date(Date.UTC(2026, 10, 8, 11) + hour * 3_600_000).toISOString();
  made += 1;
  return {
    id: `entry-${made}`,
    job_id: JOB.id,
    job_number: JOB.job_number,
    job_title: JOB.title,
    staff_id: SAM.id,
    staff_name: SAM.name,
    started_at: at(from),
    ended_at: to === null ? null : at(to),
    original_ended_at: null,
    corrected_at: null,
    corrected_by: null,
    version: 1,
    is_allocated: false,
    hourly_rate: '85.00',
    ...more,
  };
}

const answer = (entries: SheetEntry[], week = WEEK) => ({
  week,
  from: '2026-11-08T11:00:00.000Z',
  to: '2026-11-15T11:00:00.000Z',
  timezone: ZONE,
  entries,
  server_time: '2026-11-15T11:00:00.000Z',
});

function openSheet(entries: SheetEntry[], more: Answers = {}, role: Role = 'admin', path = PATH) {
  return openPage(path, {
    'GET /me': () => ({ ...OWNER, profile: { ...PROFILE, role } }),
    'GET /staff-names': () => ({ rows: [MIA, SAM] }),
    'GET /timer': () => ({ timer: null, server_time: answer([]).server_time }),
    [`GET /time-sheet?week=${WEEK}`]: () => answer(entries),
    ...more,
  });
}

const rows = async () => {
  const table = await screen.findByRole('table');
  return within(table)
    .getAllByRole('row')
    .filter((row) => !row.classList.contains('hidden'))
    .map((row) => [...row.children].map((cell) => cell.textContent));
};

const WORK = [
  entry(8, 10.5),
  entry(22, 25.5, { is_allocated: true }),
  entry(31, 39, { staff_id: MIA.id, staff_name: MIA.name, hourly_rate: null, job_id: 'fixed', job_number: 'J26110002', job_title: 'Tap' }),
];

const setWidth = (width: number) => window.happyDOM.setViewport({ width, height: 800 });

afterEach(() => {
  setWidth(1024);
  vi.useRealTimers();
});

describe('a time sheet', () => {
  it('shows people by days with totals, and an entry across midnight on both', async () => {
    openSheet(WORK);
    expect(await rows()).toEqual([
      ['Staff', 'Mon 9', 'Tue 10', 'Wed 11', 'Thu 12', 'Fri 13', 'Sat 14', 'Sun 15', 'Total'],
      ['Mia Tane', '–', '8:00', '–', '–', '–', '–', '–', '8:00'],
      ['Sam Leota', '4:30', '1:30', '–', '–', '–', '–', '–', '6:00'],
      ['All staff', '4:30', '9:30', '–', '–', '–', '–', '–', '14:00'],
    ]);
    screen.getByText('Nov 9 – 15, 2026');
    expect(document.title).toBe('Time sheet · Callout');
  });

  it('says how much is worked, allocated and not yet billed', async () => {
    openSheet(WORK);
    await screen.findByRole('table');
    const figure = (label: string) => screen.getByText(label).parentElement?.textContent;
    expect(figure('Worked')).toBe('Worked14:008:00 at a fixed price');
    expect(figure('Allocated to jobs')).toBe('Allocated to jobs3:30');
    expect(figure('Not yet allocated')).toBe('Not yet allocated2:30$212.50');
  });

  it('opens a person into jobs and a cell into its entries', async () => {
    openSheet(WORK);
    await press('Sam Leota');
    expect((await rows())[3]).toEqual(['Roof repair#J26030042', '4:30', '1:30', '–', '–', '–', '–', '–', '6:00']);
    const cell = screen.getByRole('button', { name: 'Sam Leota, Mon Nov 9: 4:30, not all allocated' });
    await act(async () => fireEvent.click(cell));
    const panel = screen.getByRole('region', { name: 'Sam Leota, Mon Nov 9' });
    expect(document.activeElement).toBe(panel);
    expect(
      within(panel)
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual([
      '8:00 AM – 10:30 AM2:30Roof repair #J26030042Not allocated$212.50',
      '10:00 PM – Nov 10 1:30 AM2:00Roof repair #J26030042Allocated$170.00',
    ]);
    expect(within(panel).getAllByRole('link')[0]?.getAttribute('href')).toBe(`/jobs/${JOB.id}`);
    fireEvent.keyDown(panel, { key: 'Escape' });
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Sam Leota, Mon Nov 9' })).toBeNull());
    expect(document.activeElement).toBe(cell);
  });

  it('keeps the end that was corrected beside the new one, and the names of what was deleted', async () => {
    openSheet([
      entry(8, 10, {
        staff_id: null,
        staff_name: 'Old Tim',
        job_id: null,
        hourly_rate: null,
        original_ended_at: '2026-11-09T06:30:00.000Z',
        corrected_by: 'Old Tim',
      }),
    ]);
    expect((await rows())[2]?.[0]).toBe('Roof repair#J26030042, deleted');
    await press('Old Tim, Mon Nov 9: 2:00');
    screen.getByText('End corrected by Old Tim, was 7:30 PM');
    screen.getByText('Deleted job');
  });

  it('counts a running timer until now and marks it', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    openSheet([entry(160, null)]);
    await screen.findByText('Timer is running');
    const cell = screen.getByRole('button', { name: 'Sam Leota, Sun Nov 15: 8:00, not all allocated, timer is running' });
    expect(cell.title).toBe('8h');
  });

  it('goes to other weeks by button and key, and back to this one', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-19T00:00:00.000Z') });
    const { router } = openSheet([], {
      'GET /time-sheet?week=2026-11-02': () => answer([], '2026-11-02'),
      'GET /time-sheet?week=2026-11-16': () => answer([], '2026-11-16'),
    });
    const url = () => router.state.location.href;
    await press('Previous week');
    await waitFor(() => expect(url()).toBe('/time-sheet?week=2026-11-02'));
    fireEvent.keyDown(document.body, { key: 'ArrowRight' });
    await waitFor(() => expect(url()).toBe(PATH));
    await press('This week');
    await waitFor(() => expect(url()).toBe('/time-sheet'));
    await screen.findByText('No time recorded this week');
    fireEvent.keyDown(document.body, { key: 'ArrowLeft' });
    await waitFor(() => expect(url()).toBe(PATH));
    fireEvent.keyDown(document.body, { key: 'w' });
    await waitFor(() => expect(url()).toBe('/time-sheet'));
  });

  it('of one person is asked for by the address, and anything else there is ignored', async () => {
    const { router } = openSheet([], {
      [`GET /time-sheet?week=${WEEK}&staff_id=${SAM.id}`]: () => answer(WORK.slice(0, 2)),
    });
    await screen.findByText('No time was recorded in this week');
    fireEvent.change(await screen.findByLabelText('Staff'), { target: { value: SAM.id } });
    await waitFor(() => expect(router.state.location.search).toEqual({ week: WEEK, staff: SAM.id }));
    expect((await rows())[1]?.[0]).toBe('Sam Leota');
  });

  it('of staff is their own, without a choice of people', async () => {
    openSheet(WORK.slice(0, 2), {}, 'staff', `${PATH}&staff=${MIA.id}`);
    expect(await rows()).toHaveLength(3);
    expect(screen.queryByLabelText('Staff')).toBeNull();
  });

  it.each(['nonsense', '2026-02-30', '9999-12-31'])('of the week %s is the one of today', async (week) => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-11T00:00:00.000Z') });
    openSheet([], {}, 'admin', `/time-sheet?week=${week}`);
    await screen.findByText('No time recorded this week');
    expect(screen.getByText('Nov 9 – 15, 2026')).toBeTruthy();
  });

  it('that cannot be read says why and can be tried again', async () => {
    const server = { fails: true };
    openSheet([], { [`GET /time-sheet?week=${WEEK}`]: () => (server.fails ? refuse('FORBIDDEN', 'Not today') : answer(WORK)) });
    await screen.findByText('Not today');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Export CSV' }).disabled).toBe(true);
    server.fails = false;
    await press(/Retry|Try again/);
    await screen.findByRole('table');
  });

  it('on a phone shows one day at a time', async () => {
    setWidth(390);
    openSheet(WORK);
    const monday = await screen.findByRole('button', { name: 'Mon 9 4:30 not all allocated' });
    expect(monday.getAttribute('aria-pressed')).toBe('true');
    expect(screen.queryByRole('table')).toBeNull();
    await press('Tue 10 9:30');
    within(screen.getByRole('region', { name: 'Mia Tane' })).getByText('7:00 AM – 3:00 PM');
    within(screen.getByRole('region', { name: 'Sam Leota' })).getByText('Nov 9 10:00 PM – 1:30 AM');
    await press('Wed 11 –');
    screen.getByText('No time on Nov 11');
  });
});

describe('the CSV file of a time sheet', () => {
  it('has a line per entry and day, exact to the second', () => {
    const corrected = { original_ended_at: '2026-11-09T06:30:00.000Z' };
    const lines = timeSheetCsv(answer([entry(8, 8.51, corrected), ...WORK.slice(1)]), '2026-11-15T11:00:00.000Z');
    expect(lines).toEqual([
      ['Date', 'Staff', 'Job number', 'Job', 'Start', 'End', 'Original end', 'Time', 'Hours', 'Billing'],
      ['2026-11-09', 'Sam Leota', 'J26030042', 'Roof repair', '8:00 AM', '8:30 AM', '7:30 PM', '0:30:36', '0.5100', 'Not allocated'],
      ['2026-11-09', 'Sam Leota', 'J26030042', 'Roof repair', '10:00 PM', '2026-11-10 1:30 AM', '', '2:00:00', '2.0000', 'Allocated'],
      ['2026-11-10', 'Sam Leota', 'J26030042', 'Roof repair', '2026-11-09 10:00 PM', '1:30 AM', '', '1:30:00', '1.5000', 'Allocated'],
      ['2026-11-10', 'Mia Tane', 'J26110002', 'Tap', '7:00 AM', '3:00 PM', '', '8:00:00', '8.0000', 'Fixed price'],
    ]);
  });

  it('is downloaded under the name of its week', async () => {
    const saved: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function save(this: HTMLAnchorElement) {
      saved.push(this.download);
    });
    openSheet(WORK);
    await screen.findByRole('table');
    await press('Export CSV');
    expect(saved).toEqual([`time-sheet-${WEEK}.csv`]);
    vi.restoreAllMocks();
  });
});

it('the time sheet is reached from the Jobs page', async () => {
  openPage('/jobs', {
    'GET /me': () => OWNER,
    'GET /jobs?sort=created_at&order=desc': () => ({ rows: [], next_cursor: null }),
    'GET /jobs/count': () => ({ total: 0 }),
  });
  const link = await screen.findByRole('link', { name: 'Time sheet' });
  expect(link.getAttribute('href')).toBe('/time-sheet');
});
