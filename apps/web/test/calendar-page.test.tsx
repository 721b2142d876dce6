import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MIA, SAM } from './fixtures.ts';
import { buildCalendarJob, buildUnscheduledJob, fakeTodayAsTuesday, openCalendar, setViewportWidth, WEEK_CALL } from './open-calendar.ts';
import { failWith, getToasts, getValue, pressButton, typeInto, waitForToasts } from './open-page.tsx';

fakeTodayAsTuesday();
beforeEach(() => setViewportWidth(1440));
afterEach(() => setViewportWidth(1024));

const findTitle = (name: string) => screen.findByRole('heading', { level: 1, name });
async function selectOption(label: string, value: string): Promise<void> {
  const field = await screen.findByLabelText(label);
  await act(async () => fireEvent.change(field, { target: { value } }));
}

describe('the calendar toolbar', () => {
  it.each([1440, 390])('says that the chosen person was deleted, at %s px', async (width) => {
    setViewportWidth(width);
    openCalendar('/calendar?staff=018f0000-0000-7000-8000-00000000dead');
    await screen.findByRole('heading', { level: 1 });
    if (width === 390) await pressButton(/^Filters/);
    expect((await screen.findByRole<HTMLOptionElement>('option', { name: 'Former staff member' })).selected).toBe(true);
  });

  it('navigates between days, weeks and months, and back to today', async () => {
    const { router } = openCalendar('/calendar');
    await findTitle('Nov 16 – 22, 2026');
    await pressButton('Next');
    expect((await findTitle('Nov 23 – 29, 2026')).getAttribute('aria-live')).toBe('polite');
    await pressButton('Month');
    await findTitle('November 2026');
    await pressButton('Previous');
    await findTitle('October 2026');
    await pressButton('Day');
    await findTitle('Sat, Oct 24, 2026');
    await pressButton('Today');
    await findTitle('Tue, Nov 17, 2026');
    expect(router.state.location.search).toEqual({ view: 'day' });
    expect(screen.getByRole('link', { name: 'New Job' }).getAttribute('href')).toBe('/jobs/new');
    expect(screen.getByRole('button', { name: 'Day' }).getAttribute('aria-pressed')).toBe('true');
  });

  it('filters by status and person, and keeps both in the URL', async () => {
    const requests: string[] = [];
    const respondAs = (what: string) => () => {
      requests.push(what);
      return { jobs: [], tasks: [], is_cut: false };
    };
    const { router } = openCalendar(
      '/calendar',
      {},
      {
        [WEEK_CALL]: respondAs('all'),
        [`${WEEK_CALL}&status=booked`]: respondAs('booked'),
        [`${WEEK_CALL}&status=booked&staff_id=${SAM.id}`]: respondAs('booked of Sam'),
      },
    );
    const statuses = within(await screen.findByLabelText('Status')).getAllByRole('option');
    expect(statuses.map(({ textContent }) => textContent)).toEqual(['All Jobs', 'Pending', 'Booked', 'Complete']);
    await selectOption('Status', 'booked');
    await screen.findByRole('option', { name: 'Sam Leota' });
    await selectOption('Staff', SAM.id);
    await waitFor(() => expect(requests).toEqual(['all', 'booked', 'booked of Sam']));
    expect(router.state.location.search).toEqual({ status: 'booked', staff: SAM.id });
  });

  it('shows a loading message until the first events arrive', async () => {
    let respond: (events: object) => void = () => undefined;
    openCalendar(
      '/calendar',
      {},
      {
        'GET /calendar?*': () =>
          new Promise((resolve) => {
            respond = resolve;
          }),
      },
    );
    expect((await screen.findByText('Loading timezone data...')).getAttribute('role')).toBe('status');
    await act(async () => respond({ jobs: [], tasks: [], is_cut: false }));
    await screen.findByRole('region', { name: 'Time grid' });
  });

  it('fits on one row on a phone, with the filters behind a button', async () => {
    setViewportWidth(390);
    const { router } = openCalendar('/calendar');
    await findTitle('Tue, Nov 17');
    await selectOption('View', 'week');
    await findTitle('Nov 16 – 22');
    await pressButton('Filters');
    await selectOption('Status', 'complete');
    await waitFor(() => expect(router.state.location.search).toEqual({ view: 'week', status: 'complete' }));
    fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' });
    await screen.findByRole('button', { name: 'Filters, 1 active' });
  });
});

describe('the calendar time zone', () => {
  const jobAtNine = buildCalendarJob(1, '16T20:00');
  const waitForEventTimes = (times: string) =>
    waitFor(() => expect(screen.getByRole('link', { name: /Job 1/ }).textContent).toContain(times));

  it("is the company's until the user selects another, and is named in a label", async () => {
    openCalendar('/calendar', { jobs: [jobAtNine] });
    await waitForEventTimes('9:00 – 10:00 AM');
    screen.getByText('Auckland time');
    const zones = within(screen.getByLabelText('Time zone')).getAllByRole('option');
    expect(zones.slice(0, 2).map(({ textContent }) => textContent)).toEqual(['Company time zone (Auckland)', 'UTC']);
    expect(zones.length).toBeGreaterThanOrEqual(15);
    await selectOption('Time zone', 'Asia/Tokyo');
    await waitForEventTimes('5:00 – 6:00 AM');
    screen.getByText('Tokyo time');
    expect(JSON.parse(localStorage.getItem('callout-timezone') ?? '')).toEqual({
      state: { companyZone: 'Pacific/Auckland', ownZone: 'Asia/Tokyo' },
      version: 1,
    });
    await selectOption('Time zone', '');
    await waitForEventTimes('9:00 – 10:00 AM');
  });
});

describe('the tray of unscheduled jobs', () => {
  it('lists jobs without a date with their count, and explains how to book them', async () => {
    openCalendar('/calendar', { unscheduled: [buildUnscheduledJob(1, { status: 'contacted' }), buildUnscheduledJob(2)] });
    const tray = await screen.findByRole('region', { name: 'Unscheduled' });
    await within(tray).findByText('Tap 1');
    within(tray).getByText('2');
    within(tray).getByText('Contacted');
    expect(within(tray).getAllByText('1.5 hours')).toHaveLength(2);
    within(tray).getByText('Drag onto the calendar, or press Enter to pick a time.');
    expect(within(tray).getByRole('link', { name: '#J2611001' }).getAttribute('href')).toMatch(/^\/jobs\//);
  });

  it('can be collapsed, and the browser remembers the collapsed state', async () => {
    openCalendar('/calendar', { unscheduled: [buildUnscheduledJob(1)] });
    await screen.findByText('Tap 1');
    await pressButton(/^Unscheduled\s*1/);
    expect(screen.queryByText('Tap 1')).toBeNull();
    expect(localStorage.getItem('callout-calendar')).toContain('"isTrayFolded":true');
    await pressButton(/^Unscheduled\s*1/);
    expect(await screen.findByText('Tap 1')).toBeTruthy();
  });

  it('shows an empty state when every job has a date', async () => {
    openCalendar('/calendar');
    expect(await screen.findByText('No unscheduled jobs.')).toBeTruthy();
  });

  it('loads more jobs on request and reports a failure', async () => {
    let isBroken = true;
    openCalendar(
      '/calendar',
      {},
      {
        'GET /calendar/unscheduled': () => ({ rows: [buildUnscheduledJob(1)], next_cursor: 'next', total: 2 }),
        'GET /calendar/unscheduled?cursor=next': () =>
          isBroken ? failWith('FORBIDDEN') : { rows: [buildUnscheduledJob(2)], next_cursor: null, total: 2 },
      },
    );
    await pressButton('Show more');
    isBroken = false;
    await pressButton('Failed to load more. Try again');
    expect(await screen.findByText('Tap 2')).toBeTruthy();
  });

  it('shows 1,000+ when counting stopped', async () => {
    const tray = { rows: [buildUnscheduledJob(1)], next_cursor: null, total: 1_001 };
    openCalendar('/calendar', {}, { 'GET /calendar/unscheduled': () => tray });
    expect(within(await screen.findByRole('region', { name: 'Unscheduled' })).getByText('1,000+')).toBeDefined();
  });

  it('is a sheet on a phone, behind a button with the job count', async () => {
    setViewportWidth(390);
    openCalendar('/calendar', { unscheduled: [buildUnscheduledJob(1), buildUnscheduledJob(2)] });
    await pressButton(/^Unscheduled\s*2/);
    const card = await screen.findByRole('button', { name: 'Book Tap 1…' });
    const pointer = { clientX: 100, button: 0, isPrimary: true, pointerId: 1, pointerType: 'mouse' };
    fireEvent.pointerDown(card, { ...pointer, clientY: 200 });
    fireEvent.pointerMove(window, { ...pointer, clientY: 260 });
    // No drag has started: a dragged card would have a dashed outline.
    expect(card.closest('li')?.className).not.toContain('outline-dashed');
    fireEvent.pointerUp(window, { ...pointer, clientY: 260 });
    await pressButton('Book Tap 1…');
    await screen.findByRole('dialog', { name: 'Book Tap 1' });
    expect([getValue('Date'), getValue('Time'), getValue('Duration (hours)')]).toEqual(['2026-11-17', '11:15', '1.5']);
  });
});

describe('the move dialog', () => {
  const job = buildCalendarJob(1, '16T20:00');
  const MOVE_CALL = `PUT /calendar/jobs/${job.id}`;

  async function openMoveDialog(responses: Parameters<typeof openCalendar>[2] = {}) {
    openCalendar('/calendar', { jobs: [job] }, responses);
    const opener = await screen.findByRole('button', { name: 'Move Job 1 to…', hidden: true });
    opener.focus();
    await act(async () => fireEvent.click(opener));
    await screen.findByRole('dialog', { name: 'Move Job 1' });
    return opener;
  }

  it('requires a date, a time and a duration of at least half an hour', async () => {
    await openMoveDialog();
    typeInto('Date', '');
    typeInto('Time', '');
    typeInto('Duration (hours)', '0.25');
    await pressButton('Move');
    screen.getByText('Date is required');
    screen.getByText('Time is required');
    expect(getValue('Duration (hours)')).toBe('0.25');
    screen.getByText('Duration must be at least 0.5 hours, in steps of 0.25');
  });

  it('warns about a clash before the move is saved', async () => {
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
    const clashesCall = `GET /calendar/clashes?staff_id=${MIA.id}&starts_at=2026-11-17T00%3A30%3A00.000Z&duration=1&except_id=${job.id}`;
    await openMoveDialog({ [clashesCall]: () => ({ clashes: [clash] }) });
    typeInto('Person', MIA.id);
    typeInto('Time', '13:30');
    const clashText = /^Mia Tane is already booked for Roof repair \(#J26110009\), 1:00 – 3:00 PM \(30 min overlap\)\./;
    expect((await screen.findByText(clashText)).closest('[role=status]')).not.toBeNull();
  });

  it('sends only the changed fields, confirms the move and returns the focus', async () => {
    const sent: unknown[] = [];
    const opener = await openMoveDialog({
      [MOVE_CALL]: (input) => {
        sent.push(input);
        return { job: { ...job, booking_date: '2026-11-17T21:00:00.000Z', staff: MIA }, clashes: [] };
      },
    });
    typeInto('Date', '2026-11-18');
    typeInto('Time', '10:00');
    typeInto('Person', MIA.id);
    await pressButton('Move');
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

  it('shows the duration message if only the duration changed', async () => {
    await openMoveDialog({ [MOVE_CALL]: () => ({ job: { ...job, duration: '2.25' }, clashes: [] }) });
    typeInto('Duration (hours)', '2.25');
    await pressButton('Move');
    await waitForToasts('Job duration updatedUndo');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('keeps the input when the move is refused, and can be retried', async () => {
    let isBroken = true;
    await openMoveDialog({
      [MOVE_CALL]: () =>
        isBroken ? failWith('FORBIDDEN', 'Only for managers') : { job: { ...job, booking_date: '2026-11-17T00:00:00.000Z' }, clashes: [] },
    });
    typeInto('Time', '13:00');
    await pressButton('Move');
    expect((await screen.findByRole('alert')).textContent).toMatch(/^Failed to reschedule: /);
    expect(getValue('Time')).toBe('13:00');
    isBroken = false;
    await pressButton('Move');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(getToasts()).toContain('Job rescheduled successfullyUndo'));
  });

  it('reports where a colleague has moved the job, and moves the job from that position on the second try', async () => {
    const sent: { seen: unknown }[] = [];
    const current = { ...job, booking_date: '2026-11-16T23:00:00.000Z', staff: MIA };
    await openMoveDialog({
      [MOVE_CALL]: (input) => {
        sent.push(input as { seen: unknown });
        return sent.length === 1 ? failWith('STALE_VERSION', 'Changed', { current }) : { job: current, clashes: [] };
      },
    });
    typeInto('Time', '13:00');
    await pressButton('Move');
    const text =
      'Failed to reschedule: this job has already been moved. It is now booked for Nov 17, 2026 12:00 PM, Mia Tane. Press Move again to move it anyway.';
    expect((await screen.findByRole('alert')).textContent).toBe(text);
    // The user hasn't edited the person, so the field takes the colleague's choice.
    expect(getValue('Person')).toBe(MIA.id);
    await pressButton('Move');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const seen = { starts_at: '2026-11-16T23:00:00.000Z', duration: '1', staff_id: MIA.id };
    expect(sent[1]).toEqual({ starts_at: '2026-11-17T00:00:00.000Z', seen });
  });

  it('explains ambiguous and skipped times on nights when clocks change', async () => {
    await openMoveDialog();
    typeInto('Date', '2027-04-04');
    typeInto('Time', '02:30');
    await screen.findByText('Clocks go back that night, so 2:30 AM occurs twice. It will be booked for the first one.');
    typeInto('Date', '2027-09-26');
    expect(await screen.findByText('Clocks go forward that night and skip this time. It will be booked for 3:30 AM.')).toBeTruthy();
  });
});

describe('the month view', () => {
  const jobs = [1, 2, 3, 4, 5, 6].map((number) =>
    buildCalendarJob(number, `16T${20 + Math.floor(number / 2)}:00`, { staff: number % 2 ? SAM : MIA }),
  );

  it('shows the first events of a day with their times, and opens the day for the rest', async () => {
    const { router } = openCalendar('/calendar?view=month', { jobs });
    const month = await screen.findByRole('list', { name: 'November 2026' });
    expect(month.children).toHaveLength(42);
    expect(
      within(month)
        .getAllByRole('link')
        .map(({ textContent }) => textContent),
    ).toEqual(['9amJob 1, Booked, Sam Leota', '10amJob 2, Booked, Mia Tane', '10amJob 3, Booked, Sam Leota']);
    await pressButton('3 more on Tue, Nov 17, 2026');
    await findTitle('Tue, Nov 17, 2026');
    expect(router.state.location.search).toEqual({ view: 'day' });
    // Paging through days adds no history entries, so Back returns to the month.
    await pressButton('Next');
    await findTitle('Wed, Nov 18, 2026');
    act(() => router.history.back());
    await findTitle('November 2026');
  });

  it('marks the later of two overlapping events', async () => {
    openCalendar('/calendar?view=month', { jobs: [buildCalendarJob(1, '16T20:00'), buildCalendarJob(2, '16T20:30')] });
    const later = await screen.findByRole('link', { name: /Job 2/ });
    expect(later.textContent).toBe('Overlaps by 30 min, 9:30amJob 2, Booked, Sam Leota');
  });

  it('lists the selected day below the month on a phone', async () => {
    setViewportWidth(390);
    const { router } = openCalendar('/calendar?view=month', { jobs: [buildCalendarJob(7, '16T10:00', { duration: '2' }), ...jobs] });
    await pressButton('Wed, Nov 18, 2026, 0 events');
    await screen.findByText('No events on this day.');
    await pressButton('Tue, Nov 17, 2026, 7 events');
    const day = await screen.findByRole('region', { name: 'Tue, Nov 17, 2026' });
    expect(within(day).getAllByRole('link')).toHaveLength(7);
    within(day).getByText('9:00 – 10:00 AM');
    within(day).getByText('Nov 16, 11:00 PM – Nov 17, 1:00 AM');
    await pressButton('Open day');
    await findTitle('Tue, Nov 17');
    expect(router.state.location.search).toEqual({});
  });
});

describe('the calendar link', () => {
  const FEED_URL = 'https://callout.example/api/public/calendar/AbCdEfGhIjKlMnOpQrStUv.ics';

  afterEach(() => vi.restoreAllMocks());

  it('can be turned on, copied, opened in a calendar app, and turned off after confirmation', async () => {
    const copied: string[] = [];
    vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => void copied.push(text));
    openCalendar(
      '/calendar',
      {},
      {
        'GET /calendar/feed': () => ({ url: null, last_opened_at: null }),
        'POST /calendar/feed': () => ({ url: FEED_URL, last_opened_at: '2026-11-16T20:05:00.000Z' }),
        'DELETE /calendar/feed': () => ({ url: null, last_opened_at: null }),
      },
    );
    await pressButton('Subscribe');
    await screen.findByText('Your calendar link is off.');
    await pressButton('Turn on');
    await waitFor(() => expect(getValue('Your private link')).toBe(FEED_URL));
    screen.getByText('Last fetched Nov 17, 2026 9:05 AM');
    expect(screen.getByRole('link', { name: 'Open in calendar app' }).getAttribute('href')).toBe(FEED_URL.replace('https', 'webcal'));
    await pressButton('Copy link');
    expect(copied).toEqual([FEED_URL]);
    await pressButton('Turn off…');
    screen.getByText('Calendars that use this link will stop updating. Turning it back on creates a new link.');
    await pressButton('Keep it');
    await pressButton('Turn off…');
    await pressButton('Turn off');
    await screen.findByText('Your calendar link is off.');
    await waitFor(() => expect(getToasts()).toContain('Calendar link turned off'));
  });

  it('reports that the link could not be turned on', async () => {
    openCalendar(
      '/calendar',
      {},
      {
        'GET /calendar/feed': () => ({ url: null, last_opened_at: null }),
        'POST /calendar/feed': () => failWith('UNAVAILABLE'),
      },
    );
    await pressButton('Subscribe');
    await pressButton('Turn on');
    await waitFor(() => expect(getToasts().join()).toContain('Failed to turn on the calendar link: '));
  });
});
