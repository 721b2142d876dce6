import type { CalendarJob, JobScheduleInput, ScheduleInput } from '@callout/contract/calendar';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import {
  atTime,
  buildMouseEvent,
  buildScheduleOutput,
  DAY_PATH,
  DRAIN_JOB,
  dragToTime,
  fakeLayout,
  findCalendarEvent,
  getResizeHandle,
  ONE_DAY_CALL,
  openDayCalendar,
  PIPES_TASK,
  ROOF_JOB,
  SAM_SUMMARY,
  SCHEDULE_JOB_CALL,
  toPixels,
} from './drag-calendar.ts';
import { JOB, SAM } from './fixtures.ts';
import { failWith, getToasts, type MockApi, pressButton, waitForToasts } from './open-page.tsx';

fakeLayout();

describe('the calendar grid', () => {
  it('has a lane for each person with their booked hours, and shows the status of every event', async () => {
    openDayCalendar({
      jobs: [ROOF_JOB, { ...DRAIN_JOB, staff: null, status: 'pending' }],
      tasks: [PIPES_TASK, { ...PIPES_TASK, id: 'done', status: 'completed' }],
    });
    const lanes = await screen.findAllByRole('list', { name: /^(Sam Leota|Mia Tane|Unassigned)$/ });
    expect(lanes.map((lane) => lane.textContent)).toEqual([
      '10:30 – 11:30 AMBlocked drainBirkenhead · PendingUnassigned',
      '9:00 – 11:00 AMRoof repairBirkenhead · BookedSam Leota',
      expect.stringContaining('Order pipesTask'),
    ]);
    expect(screen.getByText('2 h booked')).toBeTruthy();
    expect(screen.getByText('1 h of tasks')).toBeTruthy();
    expect(within(lanes[2] ?? document.body).getByText('Completed')).toBeTruthy();
  });

  it.each([
    [767, 1],
    [768, 7],
  ])('at %d px shows %d days by default', async (width, days) => {
    window.happyDOM.setViewport({ width, height: 800 });
    openDayCalendar({ path: '/calendar?date=2026-11-16' });
    await findCalendarEvent(/Roof repair/);
    expect(screen.getAllByRole('list', { name: /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d+$/ })).toHaveLength(days);
  });

  it('labels every hour from 1am to 11pm and has no all-day row', async () => {
    openDayCalendar();
    await findCalendarEvent(/Roof repair/);
    const hours = screen.getAllByText(/^\d+(am|pm)$/).map(({ textContent }) => textContent);
    expect([hours.length, hours[0], hours[7], hours[12], hours.at(-1)]).toEqual([23, '1am', '8am', '1pm', '11pm']);
  });

  it("marks a clock change in the day's header, where no event can cover it", async () => {
    const { router } = openDayCalendar({
      path: '/calendar?view=week&date=2026-04-05',
      responses: { 'GET /calendar?*': () => ({ jobs: [], tasks: [], is_cut: false }) },
    });
    expect((await screen.findByText('Clocks go back')).previousElementSibling?.textContent).toBe('Sun5');
    await act(() => router.navigate({ to: '/calendar', search: { view: 'week', date: '2026-09-27' } }));
    expect((await screen.findByTitle('Clocks go forward')).previousElementSibling?.textContent).toBe('Sun27');
  });

  it('marks a clash on the later event and in the lane header', async () => {
    openDayCalendar({ jobs: [ROOF_JOB, DRAIN_JOB] });
    expect((await findCalendarEvent(/Blocked drain/)).textContent).toContain('Overlaps by 30 min');
    expect((await findCalendarEvent(/Roof repair/)).textContent).not.toContain('Overlaps');
    expect(screen.getByTitle('30 min clash')).toBeTruthy();
  });

  it('links events to their job or task', async () => {
    openDayCalendar({ tasks: [PIPES_TASK] });
    expect((await findCalendarEvent(/Roof repair/)).getAttribute('href')).toBe(`/jobs/${JOB.id}`);
    expect((await findCalendarEvent(/Order pipes/)).getAttribute('href')).toBe(`/todo?task=${PIPES_TASK.id}`);
  });

  it('filters on the server by the status and person in the URL', async () => {
    const path = `${DAY_PATH}&status=booked&staff=${SAM.id}`;
    openDayCalendar({
      path,
      responses: { [`${ONE_DAY_CALL}&status=booked&staff_id={id}`]: () => ({ jobs: [ROOF_JOB], tasks: [], is_cut: false }) },
    });
    await findCalendarEvent(/Roof repair/);
    expect(screen.queryByRole('list', { name: 'Mia Tane' })).toBeNull();
  });

  it('shows a notice while there are too many events to display', async () => {
    let is_cut = true;
    const { queryClient } = openDayCalendar({ responses: { [ONE_DAY_CALL]: () => ({ jobs: [ROOF_JOB], tasks: [], is_cut }) } });
    const text = 'Too many events to show. Filter by status or person to see the rest.';
    expect((await screen.findByText(text)).closest('[role=status]')).not.toBeNull();
    expect(getToasts()).toEqual([]);
    is_cut = false;
    await act(() => queryClient.invalidateQueries({ queryKey: ['calendar', 'events'] }));
    await waitFor(() => expect(screen.queryByText(text)).toBeNull());
  });

  it('counts only the filtered status in the lane header', async () => {
    const pending: CalendarJob = { ...ROOF_JOB, status: 'pending' };
    openDayCalendar({
      path: `${DAY_PATH}&status=pending`,
      responses: { [`${ONE_DAY_CALL}&status=pending`]: () => ({ jobs: [pending], tasks: [], is_cut: false }) },
    });
    expect(await screen.findByText('2 h pending')).toBeTruthy();
    expect(screen.getByText('Nothing pending')).toBeTruthy();
  });
});

describe('dragging an event', () => {
  it('sends the old and new time, confirms the move, and can be undone', async () => {
    const sent: ScheduleInput[] = [];
    const responses: MockApi = {
      [SCHEDULE_JOB_CALL]: (input) => {
        sent.push(input as ScheduleInput);
        return buildScheduleOutput({ booking_date: (input as ScheduleInput).starts_at });
      },
    };
    openDayCalendar({ responses: responses });
    const event = await findCalendarEvent(/Roof repair/);
    dragToTime(event, '09:30', '12:37', 'hold');
    expect(document.querySelector('[data-ghost]')?.textContent).toBe('12:00 – 2:00 PMRoof repair');
    await act(async () => fireEvent.pointerUp(window, buildMouseEvent(toPixels('12:37'))));
    await waitForToasts('Job rescheduled successfullyUndo');
    const seen = { starts_at: ROOF_JOB.booking_date, duration: '2.00', staff_id: SAM.id };
    expect(sent).toEqual([{ starts_at: atTime('12:00'), seen }]);
    await pressButton('Undo');
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]).toEqual({ starts_at: atTime('09:00'), seen: { ...seen, starts_at: atTime('12:00') } });
  });

  it('can be undone together with the status of a pending job, in one request', async () => {
    const sent: JobScheduleInput[] = [];
    openDayCalendar({
      jobs: [{ ...ROOF_JOB, status: 'pending' }],
      responses: {
        [SCHEDULE_JOB_CALL]: (input) => {
          const { starts_at, status = 'booked' } = input as JobScheduleInput;
          sent.push(input as JobScheduleInput);
          return buildScheduleOutput({ booking_date: starts_at ?? '', status });
        },
      },
    });
    dragToTime(await findCalendarEvent(/Roof repair/), '09:30', '12:30');
    await pressButton('Undo');
    await waitFor(() =>
      expect(sent.map(({ starts_at, status }) => [starts_at, status])).toEqual([
        [atTime('12:00'), undefined],
        [atTime('09:00'), 'pending'],
      ]),
    );
  });

  it('suppresses its own click, but not the next one', async () => {
    openDayCalendar({
      responses: { [SCHEDULE_JOB_CALL]: (input) => buildScheduleOutput({ booking_date: (input as ScheduleInput).starts_at }) },
    });
    dragToTime(await findCalendarEvent(/Roof repair/), '09:30', '12:30');
    // A touch drag ends without a click, so the next click must not be suppressed.
    const next = screen.getByRole('button', { name: 'Next' });
    fireEvent.pointerDown(next, buildMouseEvent(0));
    expect(fireEvent.click(next, { detail: 1 })).toBe(true);
  });

  it.each([
    ['this job has already been moved.', () => failWith('STALE_VERSION', 'Changed', { current: ROOF_JOB })],
    ['this job has been deleted.', () => failWith('NOT_FOUND', 'Job not found')],
    ['you may not move jobs.', () => failWith('FORBIDDEN', 'you may not move jobs.')],
  ])('is taken back when it is refused: %s', async (reason, fail) => {
    openDayCalendar({ responses: { [SCHEDULE_JOB_CALL]: fail } });
    const event = await findCalendarEvent(/Roof repair/);
    dragToTime(event, '09:30', '12:30');
    await waitForToasts(`Failed to reschedule: ${reason}`);
    expect((await findCalendarEvent(/Roof repair/)).textContent).toContain('9:00 – 11:00 AM');
  });

  it('is canceled by Escape, and counts as a click below 4 px', async () => {
    openDayCalendar();
    const event = await findCalendarEvent(/Roof repair/);
    dragToTime(event, '09:30', '12:30', 'hold');
    expect(document.querySelector('[data-ghost]')).not.toBeNull();
    act(() => void fireEvent.keyDown(window, { key: 'Escape' }));
    expect(document.querySelector('[data-ghost]')).toBeNull();
    fireEvent.pointerUp(window, buildMouseEvent(toPixels('12:30')));
    fireEvent.pointerDown(event, buildMouseEvent(toPixels('09:30')));
    fireEvent.pointerMove(window, buildMouseEvent(toPixels('09:30') + 3));
    expect(document.querySelector('[data-ghost]')).toBeNull();
    fireEvent.pointerUp(window, buildMouseEvent(toPixels('09:30')));
  });

  it('ends without a move if the mouse button was released unnoticed', async () => {
    openDayCalendar();
    const event = await findCalendarEvent(/Roof repair/);
    dragToTime(event, '09:30', '12:30', 'hold');
    fireEvent.pointerMove(window, { ...buildMouseEvent(toPixels('13:30')), buttons: 0 });
    expect(document.querySelector('[data-ghost]')).toBeNull();
    fireEvent.pointerUp(window, buildMouseEvent(toPixels('13:30')));
    expect((await findCalendarEvent(/Roof repair/)).textContent).toContain('9:00 – 11:00 AM');
  });

  it('sends nothing if the event is dropped where it started, even between quarter hours', async () => {
    openDayCalendar({ jobs: [{ ...ROOF_JOB, booking_date: atTime('09:05') }] });
    const event = await findCalendarEvent(/Roof repair/);
    dragToTime(event, '09:30', '09:31');
    expect((await findCalendarEvent(/Roof repair/)).textContent).toContain('9:05');
  });
});

describe('resizing an event', () => {
  const respondToResize = (input: unknown) => buildScheduleOutput({ duration: (input as ScheduleInput).duration ?? null });

  it.each([
    ['11:00', '12:08', '3.25', '9:00 AM – 12:15 PM'],
    ['11:00', '08:00', '0.5', '9:00 – 9:30 AM'],
  ])('from %s to %s sets a duration of %s hours (minimum half an hour)', async (from, to, hours, times) => {
    const sent: unknown[] = [];
    const responses: MockApi = {
      [SCHEDULE_JOB_CALL]: (input) => {
        sent.push(input);
        return respondToResize(input);
      },
    };
    openDayCalendar({ responses });
    const event = await findCalendarEvent(/Roof repair/);
    dragToTime(getResizeHandle(event), from, to, 'hold');
    expect(document.querySelector('[data-ghost]')?.textContent).toContain(times);
    fireEvent.pointerUp(window, buildMouseEvent(toPixels(to)));
    await waitForToasts('Job duration updatedUndo');
    expect(sent).toMatchObject([{ starts_at: ROOF_JOB.booking_date, duration: hours }]);
  });

  it('is rolled back when the request fails', async () => {
    openDayCalendar({ responses: { [SCHEDULE_JOB_CALL]: () => failWith('NOT_FOUND') } });
    dragToTime(getResizeHandle(await findCalendarEvent(/Roof repair/)), '11:00', '12:00');
    await waitForToasts('Failed to update duration: this job has been deleted.');
    expect((await findCalendarEvent(/Roof repair/)).textContent).toContain('9:00 – 11:00 AM');
  });
});

describe('tasks in the calendar', () => {
  it.each([
    ['moved', 'Task rescheduled successfully', (event: HTMLElement) => event],
    ['resized', 'Task duration updated', getResizeHandle],
  ])('are %s with task-specific messages', async (_, text, handle) => {
    const task = { ...PIPES_TASK, staff: SAM_SUMMARY };
    const responses: MockApi = {
      'PUT /calendar/tasks/{id}': (input) => ({ task: { ...task, calendar_date: (input as ScheduleInput).starts_at }, clashes: [] }),
    };
    openDayCalendar({ jobs: [], tasks: [task], responses });
    dragToTime(handle(await findCalendarEvent(/Order pipes/)), '14:30', '16:30');
    await waitForToasts(`${text}Undo`);
    expect(await findCalendarEvent(/Order pipes/)).toBeTruthy();
  });
});
