import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { calendarJob, fakeTuesday, openCalendar, setWidth, unscheduledJob, WEEK } from './open-calendar.ts';
import { press, refuse, toastTexts, typeInto, valueOf, waitForToasts } from './open-page.tsx';
import { MIA, SAM } from './people.ts';

fakeTuesday();
beforeEach(() => setWidth(1440));
afterEach(() => setWidth(1024));

const title = (name: string) => screen.findByRole('heading', { level: 1, name });
async function choose(label: string, value: string): Promise<void> {
  const field = await screen.findByLabelText(label);
  await act(async () => fireEvent.change(field, { target: { value } }));
}

describe('the toolbar of the calendar', () => {
  it('leads to the days, weeks and months around today and back', async () => {
    const { router } = openCalendar('/calendar');
    await title('Nov 16 – 22, 2026');
    await press('Next');
    expect((await title('Nov 23 – 29, 2026')).getAttribute('aria-live')).toBe('polite');
    await press('Month');
    await title('November 2026');
    await press('Previous');
    await title('October 2026');
    await press('Day');
    await title('Sat, Oct 24, 2026');
    await press('Today');
    await title('Tue, Nov 17, 2026');
    expect(router.state.location.search).toEqual({ view: 'day' });
    expect(screen.getByRole('link', { name: 'New Job' }).getAttribute('href')).toBe('/jobs/new');
    expect(screen.getByRole('button', { name: 'Day' }).getAttribute('aria-pressed')).toBe('true');
  });

  it('limits jobs to a status and to a person, which a link keeps', async () => {
    const asked: string[] = [];
    const answer = (what: string) => () => {
      asked.push(what);
      return { jobs: [], tasks: [], is_cut: false };
    };
    const { router } = openCalendar(
      '/calendar',
      {},
      {
        [WEEK]: answer('all'),
        [`${WEEK}&status=booked`]: answer('booked'),
        [`${WEEK}&status=booked&staff_id=${SAM.id}`]: answer('booked of Sam'),
      },
    );
    const statuses = within(await screen.findByLabelText('Status')).getAllByRole('option');
    expect(statuses.map(({ textContent }) => textContent)).toEqual(['All Jobs', 'Pending', 'Booked', 'Complete']);
    await choose('Status', 'booked');
    await screen.findByRole('option', { name: 'Sam Leota' });
    await choose('Staff', SAM.id);
    await waitFor(() => expect(asked).toEqual(['all', 'booked', 'booked of Sam']));
    expect(router.state.location.search).toEqual({ status: 'booked', staff: SAM.id });
  });

  it('says that it loads before the first events are there', async () => {
    let answer: (events: object) => void = () => undefined;
    openCalendar(
      '/calendar',
      {},
      {
        'GET /calendar?*': () =>
          new Promise((resolve) => {
            answer = resolve;
          }),
      },
    );
    expect((await screen.findByText('Loading timezone data...')).getAttribute('role')).toBe('status');
    await act(async () => answer({ jobs: [], tasks: [], is_cut: false }));
    await screen.findByRole('region', { name: 'Time grid' });
  });

  it('stands in one line on a phone, with the filters behind a button', async () => {
    setWidth(390);
    const { router } = openCalendar('/calendar');
    await title('Tue, Nov 17');
    await choose('View', 'week');
    await title('Nov 16 – 22');
    await press('Filters');
    await choose('Status', 'complete');
    await waitFor(() => expect(router.state.location.search).toEqual({ view: 'week', status: 'complete' }));
    fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' });
    await screen.findByRole('button', { name: 'Filters, 1 set' });
  });
});

describe('the time zone of the calendar', () => {
  const nine = calendarJob(1, '16T20:00');
  const shownAt = (times: string) => waitFor(() => expect(screen.getByRole('link', { name: /Job 1/ }).textContent).toContain(times));

  it('is that of the company until a person chooses another one, and a label names it', async () => {
    openCalendar('/calendar', { jobs: [nine] });
    await shownAt('9:00 – 10:00 AM');
    screen.getByText('Auckland time');
    const zones = within(screen.getByLabelText('Time zone')).getAllByRole('option');
    expect(zones.slice(0, 2).map(({ textContent }) => textContent)).toEqual(['Company time zone (Auckland)', 'UTC']);
    expect(zones.length).toBeGreaterThanOrEqual(15);
    await choose('Time zone', 'Asia/Tokyo');
    await shownAt('5:00 – 6:00 AM');
    screen.getByText('Tokyo time');
    expect(JSON.parse(localStorage.getItem('callout-timezone') ?? '')).toEqual({
      state: { companyZone: 'Pacific/Auckland', ownZone: 'Asia/Tokyo' },
      version: 1,
    });
    await choose('Time zone', '');
    await shownAt('9:00 – 10:00 AM');
  });
});

describe('the tray', () => {
  it('has the jobs without a date, with their number, and says how to place them', async () => {
    openCalendar('/calendar', { unscheduled: [unscheduledJob(1, { status: 'contacted' }), unscheduledJob(2)] });
    const tray = await screen.findByRole('region', { name: 'Unscheduled' });
    await within(tray).findByText('Tap 1');
    within(tray).getByText('2');
    within(tray).getByText('Contacted');
    expect(within(tray).getAllByText('1.5 hours')).toHaveLength(2);
    within(tray).getByText('Drag onto the calendar, or press Enter to pick a time.');
    expect(within(tray).getByRole('link', { name: '#J2611001' }).getAttribute('href')).toMatch(/^\/jobs\//);
  });

  it('can be folded, which this browser remembers', async () => {
    openCalendar('/calendar', { unscheduled: [unscheduledJob(1)] });
    await screen.findByText('Tap 1');
    await press(/^Unscheduled\s*1/);
    expect(screen.queryByText('Tap 1')).toBeNull();
    expect(localStorage.getItem('callout-calendar')).toContain('"isTrayFolded":true');
    await press(/^Unscheduled\s*1/);
    expect(await screen.findByText('Tap 1')).toBeTruthy();
  });

  it('says when every job has a date', async () => {
    openCalendar('/calendar');
    expect(await screen.findByText('No jobs are waiting for a date.')).toBeTruthy();
  });

  it('reads more when asked, and says so when that fails', async () => {
    let isBroken = true;
    openCalendar(
      '/calendar',
      {},
      {
        'GET /calendar/unscheduled': () => ({ rows: [unscheduledJob(1)], next_cursor: 'next', total: 2 }),
        'GET /calendar/unscheduled?cursor=next': () =>
          isBroken ? refuse('FORBIDDEN') : { rows: [unscheduledJob(2)], next_cursor: null, total: 2 },
      },
    );
    await press('Show more');
    isBroken = false;
    await press('Failed to load more. Try again');
    expect(await screen.findByText('Tap 2')).toBeTruthy();
  });

  it('is a sheet on a phone, behind a button with their number', async () => {
    setWidth(390);
    openCalendar('/calendar', { unscheduled: [unscheduledJob(1), unscheduledJob(2)] });
    await press(/^Unscheduled\s*2/);
    const card = await screen.findByRole('button', { name: 'Book Tap 1…' });
    const at = { clientX: 100, button: 0, isPrimary: true, pointerId: 1, pointerType: 'mouse' };
    fireEvent.pointerDown(card, { ...at, clientY: 200 });
    fireEvent.pointerMove(window, { ...at, clientY: 260 });
    // Dragged, it would be dashed.
    expect(card.closest('li')?.className).not.toContain('outline-dashed');
    fireEvent.pointerUp(window, { ...at, clientY: 260 });
    await press('Book Tap 1…');
    await screen.findByRole('dialog', { name: 'Book Tap 1' });
    expect([valueOf('Date'), valueOf('Time'), valueOf('Duration (hours)')]).toEqual(['2026-11-17', '08:00', '1.5']);
  });
});

describe('the dialog that moves an event', () => {
  const job = calendarJob(1, '16T20:00');
  const put = `PUT /calendar/jobs/${job.id}`;

  async function openDialog(more: Parameters<typeof openCalendar>[2] = {}) {
    openCalendar('/calendar', { jobs: [job] }, more);
    const opener = await screen.findByRole('button', { name: 'Move Job 1 to…', hidden: true });
    opener.focus();
    await act(async () => fireEvent.click(opener));
    await screen.findByRole('dialog', { name: 'Move Job 1' });
    return opener;
  }

  it('asks for a date, a time and a duration of half an hour or more', async () => {
    await openDialog();
    typeInto('Date', '');
    typeInto('Time', '');
    typeInto('Duration (hours)', '0.25');
    await press('Move');
    screen.getByText('Date is required');
    screen.getByText('Time is required');
    expect(valueOf('Duration (hours)')).toBe('0.25');
    screen.getByText('Duration must be at least 0.5 hours, in steps of 0.25');
  });

  it('names what else takes the time of the person before it is saved', async () => {
    const clash = {
      kind: 'job',
      id: 'other',
      job_number: 'J26110009',
      title: 'Roof repair',
      staff_name: 'Mia Tane',
      starts_at: '2026-11-17T00:00:00.000Z',
      ends_at: '2026-11-17T02:00:00.000Z',
      overlap_minutes: 30,
    };
    const asked = `GET /calendar/clashes?staff_id=${MIA.id}&starts_at=2026-11-17T00%3A30%3A00.000Z&duration=1&except_id=${job.id}`;
    await openDialog({ [asked]: () => ({ clashes: [clash] }) });
    typeInto('Person', MIA.id);
    typeInto('Time', '13:30');
    const named = /^Mia Tane is already booked for Roof repair \(#J26110009\), 1:00 – 3:00 PM \(30 min overlap\)\./;
    expect((await screen.findByText(named)).closest('[role=status]')).not.toBeNull();
  });

  it('sends what was changed, says so, and gives the focus back', async () => {
    const sent: unknown[] = [];
    const opener = await openDialog({
      [put]: (input) => {
        sent.push(input);
        return { job: { ...job, booking_date: '2026-11-17T21:00:00.000Z', staff: MIA }, clashes: [] };
      },
    });
    typeInto('Date', '2026-11-18');
    typeInto('Time', '10:00');
    typeInto('Person', MIA.id);
    await press('Move');
    await waitForToasts('Job rescheduled successfullyUndo');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent).toEqual([
      {
        starts_at: '2026-11-17T21:00:00.000Z',
        staff_id: MIA.id,
        seen: { starts_at: '2026-11-16T20:00:00.000Z', duration: '1', staff_id: SAM.id },
      },
    ]);
    expect(document.activeElement?.getAttribute('aria-label')).toBe(opener.getAttribute('aria-label'));
  });

  it('calls a change of the duration alone one', async () => {
    await openDialog({ [put]: () => ({ job: { ...job, duration: '2.25' }, clashes: [] }) });
    typeInto('Duration (hours)', '2.25');
    await press('Move');
    await waitForToasts('Job duration updatedUndo');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('keeps what was typed when it fails, and can be sent again', async () => {
    let isBroken = true;
    await openDialog({
      [put]: () =>
        isBroken
          ? refuse('UNAVAILABLE', 'The database is asleep')
          : { job: { ...job, booking_date: '2026-11-17T00:00:00.000Z' }, clashes: [] },
    });
    typeInto('Time', '13:00');
    await press('Move');
    expect((await screen.findByRole('alert')).textContent).toMatch(/^Failed to reschedule: /);
    expect(valueOf('Time')).toBe('13:00');
    isBroken = false;
    await press('Move');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(toastTexts()).toContain('Job rescheduled successfullyUndo');
  });

  it('says where someone else has moved it, and moves it from there when asked again', async () => {
    const sent: { seen: unknown }[] = [];
    const current = { ...job, booking_date: '2026-11-16T23:00:00.000Z', staff: MIA };
    await openDialog({
      [put]: (input) => {
        sent.push(input as { seen: unknown });
        return sent.length === 1 ? refuse('STALE_VERSION', 'Changed', { current }) : { job: current, clashes: [] };
      },
    });
    typeInto('Time', '13:00');
    await press('Move');
    const text =
      'Failed to reschedule: someone else has moved this job. It is now at Nov 17, 2026 12:00 PM, Mia Tane. Press Move again to move it anyway.';
    expect((await screen.findByRole('alert')).textContent).toBe(text);
    // Whom the colleague gave it to stays.
    expect(valueOf('Person')).toBe(MIA.id);
    await press('Move');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const seen = { starts_at: '2026-11-16T23:00:00.000Z', duration: '1', staff_id: MIA.id };
    expect(sent[1]).toEqual({ starts_at: '2026-11-17T00:00:00.000Z', seen });
  });

  it('says which hour is meant on the nights when clocks change', async () => {
    await openDialog();
    typeInto('Date', '2027-04-04');
    typeInto('Time', '02:30');
    await screen.findByText('Clocks go back that night and show 2:30 AM twice. It will be booked for the first one.');
    typeInto('Date', '2027-09-26');
    expect(await screen.findByText('Clocks go forward that night and skip this time. It will be booked for 3:30 AM.')).toBeTruthy();
  });
});

describe('the month', () => {
  const jobs = [1, 2, 3, 4, 5, 6].map((number) =>
    calendarJob(number, `16T${20 + Math.floor(number / 2)}:00`, { staff: number % 2 ? SAM : MIA }),
  );

  it('shows the first events of a day with their times, and opens the day for the others', async () => {
    const { router } = openCalendar('/calendar?view=month', { jobs });
    const month = await screen.findByRole('list', { name: 'November 2026' });
    expect(month.children).toHaveLength(42);
    expect(
      within(month)
        .getAllByRole('link')
        .map(({ textContent }) => textContent),
    ).toEqual(['9amJob 1, Booked, Sam Leota', '10amJob 2, Booked, Mia Tane', '10amJob 3, Booked, Sam Leota']);
    await press('3 more on Tue, Nov 17, 2026');
    await title('Tue, Nov 17, 2026');
    expect(router.state.location.search).toEqual({ view: 'day' });
    // The days that are leafed through are no steps: Back leads to the month.
    await press('Next');
    await title('Wed, Nov 18, 2026');
    act(() => router.history.back());
    await title('November 2026');
  });

  it('marks the later of two that overlap', async () => {
    openCalendar('/calendar?view=month', { jobs: [calendarJob(1, '16T20:00'), calendarJob(2, '16T20:30')] });
    const later = await screen.findByRole('link', { name: /Job 2/ });
    expect(later.textContent).toBe('Overlaps by 30 min, 9:30amJob 2, Booked, Sam Leota');
  });

  it('lists the chosen day below on a phone', async () => {
    setWidth(390);
    const { router } = openCalendar('/calendar?view=month', { jobs: [calendarJob(7, '16T10:00', { duration: '2' }), ...jobs] });
    await press('Wed, Nov 18, 2026, 0 events');
    await screen.findByText('Nothing on this day.');
    await press('Tue, Nov 17, 2026, 7 events');
    const day = await screen.findByRole('region', { name: 'Tue, Nov 17, 2026' });
    expect(within(day).getAllByRole('link')).toHaveLength(7);
    within(day).getByText('9:00 – 10:00 AM');
    within(day).getByText('Nov 16, 11:00 PM – Nov 17, 1:00 AM');
    await press('Open day');
    await title('Tue, Nov 17');
    expect(router.state.location.search).toEqual({});
  });
});

describe('the calendar link', () => {
  const url = 'https://callout.example/api/public/calendar/AbCdEfGhIjKlMnOpQrStUv.ics';

  afterEach(() => vi.restoreAllMocks());

  it('is turned on, copied, opened in a calendar, and turned off after a question', async () => {
    const copied: string[] = [];
    vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => void copied.push(text));
    openCalendar(
      '/calendar',
      {},
      {
        'GET /calendar/feed': () => ({ url: null, last_opened_at: null }),
        'POST /calendar/feed': () => ({ url, last_opened_at: '2026-11-16T20:05:00.000Z' }),
        'DELETE /calendar/feed': () => ({ url: null, last_opened_at: null }),
      },
    );
    await press('Subscribe');
    await screen.findByText('Your calendar link is off.');
    await press('Turn on');
    await waitFor(() => expect(valueOf('Your private link')).toBe(url));
    screen.getByText('Last fetched Nov 17, 2026 9:05 AM');
    expect(screen.getByRole('link', { name: 'Open in calendar app' }).getAttribute('href')).toBe(url.replace('https', 'webcal'));
    await press('Copy link');
    expect(copied).toEqual([url]);
    await press('Turn off…');
    screen.getByText('Calendars that use it stop updating. Turning it on again makes a new link.');
    await press('Keep it');
    await press('Turn off…');
    await press('Turn off');
    await screen.findByText('Your calendar link is off.');
    expect(toastTexts()).toContain('Calendar link turned off');
  });

  it('says when it cannot be turned on', async () => {
    openCalendar(
      '/calendar',
      {},
      {
        'GET /calendar/feed': () => ({ url: null, last_opened_at: null }),
        'POST /calendar/feed': () => refuse('UNAVAILABLE'),
      },
    );
    await press('Subscribe');
    await press('Turn on');
    await waitFor(() => expect(toastTexts().join()).toContain('Failed to turn on the calendar link: '));
  });
});
