import type { CalendarJob, JobScheduleInput, ScheduleInput } from '@callout/contract/calendar';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import {
  at,
  DAY_PATH,
  DRAIN,
  dragTo,
  edgeOf,
  fakeLayout,
  findEvent,
  mouse,
  ONE_DAY,
  openDay,
  pixels,
  ROOF,
  SAM_BRIEF,
  SCHEDULE,
  scheduled,
  TASK,
} from './drag-calendar.ts';
import { type Answers, press, refuse, toastTexts, waitForToasts } from './open-page.tsx';
import { JOB, SAM } from './people.ts';

fakeLayout();

describe('the grid', () => {
  it('has a lane for each person with what is booked, and says the status of every event', async () => {
    openDay({
      jobs: [ROOF, { ...DRAIN, staff: null, status: 'pending' }],
      tasks: [TASK, { ...TASK, id: 'done', status: 'completed' }],
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
  ])('shows at %d px %d days by default', async (width, days) => {
    window.happyDOM.setViewport({ width, height: 800 });
    openDay({ path: '/calendar?date=2026-11-16' });
    await findEvent(/Roof repair/);
    expect(screen.getAllByRole('list', { name: /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d+$/ })).toHaveLength(days);
  });

  it('has every hour from 1am to 11pm and no row for whole days', async () => {
    openDay();
    await findEvent(/Roof repair/);
    const hours = screen.getAllByText(/^\d+(am|pm)$/).map(({ textContent }) => textContent);
    expect([hours.length, hours[0], hours[7], hours[12], hours.at(-1)]).toEqual([23, '1am', '8am', '1pm', '11pm']);
  });

  it('says in the head of a day that clocks change, where no event can lie over it', async () => {
    const { router } = openDay({
      path: '/calendar?view=week&date=2026-04-05',
      more: { 'GET /calendar?*': () => ({ jobs: [], tasks: [], is_cut: false }) },
    });
    expect((await screen.findByText('Clocks go back')).previousElementSibling?.textContent).toBe('Sun5');
    await act(() => router.navigate({ to: '/calendar', search: { view: 'week', date: '2026-09-27' } }));
    expect((await screen.findByTitle('Clocks go forward')).previousElementSibling?.textContent).toBe('Sun27');
  });

  it('shows the clash on the later event, and in the head of the lane', async () => {
    openDay({ jobs: [ROOF, DRAIN] });
    expect((await findEvent(/Blocked drain/)).textContent).toContain('Overlaps by 30 min');
    expect((await findEvent(/Roof repair/)).textContent).not.toContain('Overlaps');
    expect(screen.getByTitle('30 min clash')).toBeTruthy();
  });

  it('opens a job, and the tasks', async () => {
    openDay({ tasks: [TASK] });
    expect((await findEvent(/Roof repair/)).getAttribute('href')).toBe(`/jobs/${JOB.id}`);
    expect((await findEvent(/Order pipes/)).getAttribute('href')).toBe(`/todo?task=${TASK.id}`);
  });

  it('limits jobs on the server by the status and person of the address', async () => {
    const path = `${DAY_PATH}&status=booked&staff=${SAM.id}`;
    openDay({ path, more: { [`${ONE_DAY}&status=booked&staff_id={id}`]: () => ({ jobs: [ROOF], tasks: [], is_cut: false }) } });
    await findEvent(/Roof repair/);
    expect(screen.queryByRole('list', { name: 'Mia Tane' })).toBeNull();
  });

  it('says for as long as it is so that there is more than it shows', async () => {
    let is_cut = true;
    const { queryClient } = openDay({ more: { [ONE_DAY]: () => ({ jobs: [ROOF], tasks: [], is_cut }) } });
    const text = 'There are more events than can be shown. Choose a status or a person to see the rest.';
    expect((await screen.findByText(text)).closest('[role=status]')).not.toBeNull();
    expect(toastTexts()).toEqual([]);
    is_cut = false;
    await act(() => queryClient.invalidateQueries({ queryKey: ['calendar', 'events'] }));
    await waitFor(() => expect(screen.queryByText(text)).toBeNull());
  });

  it('counts in the head of a lane only what it shows of one status', async () => {
    const pending: CalendarJob = { ...ROOF, status: 'pending' };
    openDay({
      path: `${DAY_PATH}&status=pending`,
      more: { [`${ONE_DAY}&status=pending`]: () => ({ jobs: [pending], tasks: [], is_cut: false }) },
    });
    expect(await screen.findByText('2 h pending')).toBeTruthy();
    expect(screen.getByText('Nothing pending')).toBeTruthy();
  });
});

describe('a move', () => {
  it('shows at once, names where the job was, says so, and Undo takes it back', async () => {
    const sent: ScheduleInput[] = [];
    const answers: Answers = {
      [SCHEDULE]: (input) => {
        sent.push(input as ScheduleInput);
        return scheduled({ booking_date: (input as ScheduleInput).starts_at });
      },
    };
    openDay({ more: answers });
    const event = await findEvent(/Roof repair/);
    dragTo(event, '09:30', '12:37', 'hold');
    expect(document.querySelector('[data-ghost]')?.textContent).toBe('12:00 – 2:00 PMRoof repair');
    await act(async () => fireEvent.pointerUp(window, mouse(pixels('12:37'))));
    await waitForToasts('Job rescheduled successfullyUndo');
    const seen = { starts_at: ROOF.booking_date, duration: '2.00', staff_id: SAM.id };
    expect(sent).toEqual([{ starts_at: at('12:00'), seen }]);
    await press('Undo');
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]).toEqual({ starts_at: at('09:00'), seen: { ...seen, starts_at: at('12:00') } });
  });

  it('of a pending job is undone with its status, in one command', async () => {
    const sent: JobScheduleInput[] = [];
    openDay({
      jobs: [{ ...ROOF, status: 'pending' }],
      more: {
        [SCHEDULE]: (input) => {
          const { starts_at, status = 'booked' } = input as JobScheduleInput;
          sent.push(input as JobScheduleInput);
          return scheduled({ booking_date: starts_at ?? '', status });
        },
      },
    });
    dragTo(await findEvent(/Roof repair/), '09:30', '12:30');
    await press('Undo');
    await waitFor(() =>
      expect(sent.map(({ starts_at, status }) => [starts_at, status])).toEqual([
        [at('12:00'), undefined],
        [at('09:00'), 'pending'],
      ]),
    );
  });

  it('swallows its own click, not the next one', async () => {
    openDay({ more: { [SCHEDULE]: (input) => scheduled({ booking_date: (input as ScheduleInput).starts_at }) } });
    dragTo(await findEvent(/Roof repair/), '09:30', '12:30');
    // A finger makes no click where it lets go.
    const next = screen.getByRole('button', { name: 'Next' });
    fireEvent.pointerDown(next, mouse(0));
    expect(fireEvent.click(next, { detail: 1 })).toBe(true);
  });

  it.each([
    ['someone else has moved this job.', () => refuse('STALE_VERSION', 'Changed', { current: ROOF })],
    ['this job has been deleted.', () => refuse('NOT_FOUND', 'Job not found')],
    ['the server is down.', () => refuse('UNAVAILABLE', 'the server is down.')],
    [
      'Unable to connect to the server. Please check your internet connection and try again.',
      () => {
        throw new TypeError('Failed to fetch');
      },
    ],
  ])('is taken back when %s', async (reason, fail) => {
    openDay({ more: { [SCHEDULE]: fail } });
    const event = await findEvent(/Roof repair/);
    dragTo(event, '09:30', '12:30');
    await waitForToasts(`Failed to reschedule: ${reason}`);
    expect((await findEvent(/Roof repair/)).textContent).toContain('9:00 – 11:00 AM');
  });

  it('ends with Escape, and one of less than 4 px is a click', async () => {
    openDay();
    const event = await findEvent(/Roof repair/);
    dragTo(event, '09:30', '12:30', 'hold');
    expect(document.querySelector('[data-ghost]')).not.toBeNull();
    act(() => void fireEvent.keyDown(window, { key: 'Escape' }));
    expect(document.querySelector('[data-ghost]')).toBeNull();
    fireEvent.pointerUp(window, mouse(pixels('12:30')));
    fireEvent.pointerDown(event, mouse(pixels('09:30')));
    fireEvent.pointerMove(window, mouse(pixels('09:30') + 3));
    expect(document.querySelector('[data-ghost]')).toBeNull();
    fireEvent.pointerUp(window, mouse(pixels('09:30')));
  });

  it('back to where it was sends nothing, also from a time between two quarters', async () => {
    openDay({ jobs: [{ ...ROOF, booking_date: at('09:05') }] });
    const event = await findEvent(/Roof repair/);
    dragTo(event, '09:30', '09:31');
    expect((await findEvent(/Roof repair/)).textContent).toContain('9:05');
  });
});

describe('a resize', () => {
  const answer = (input: unknown) => scheduled({ duration: (input as ScheduleInput).duration ?? null });

  it.each([
    ['11:00', '12:08', '3.25', '9:00 AM – 12:15 PM'],
    ['11:00', '08:00', '0.5', '9:00 – 9:30 AM'],
  ])('from %s to %s makes it %s hours, half an hour at least', async (from, to, hours, times) => {
    const sent: unknown[] = [];
    const more: Answers = {
      [SCHEDULE]: (input) => {
        sent.push(input);
        return answer(input);
      },
    };
    openDay({ more });
    const event = await findEvent(/Roof repair/);
    dragTo(edgeOf(event), from, to, 'hold');
    expect(document.querySelector('[data-ghost]')?.textContent).toContain(times);
    fireEvent.pointerUp(window, mouse(pixels(to)));
    await waitForToasts('Job duration updatedUndo');
    expect(sent).toMatchObject([{ starts_at: ROOF.booking_date, duration: hours }]);
  });

  it('that fails is taken back', async () => {
    openDay({ more: { [SCHEDULE]: () => refuse('NOT_FOUND') } });
    dragTo(edgeOf(await findEvent(/Roof repair/)), '11:00', '12:00');
    await waitForToasts('Failed to update duration: this job has been deleted.');
    expect((await findEvent(/Roof repair/)).textContent).toContain('9:00 – 11:00 AM');
  });
});

describe('tasks', () => {
  it.each([
    ['moved', 'Task rescheduled successfully', (event: HTMLElement) => event],
    ['resized', 'Task duration updated', edgeOf],
  ])('are %s with their own words', async (_, text, handle) => {
    const task = { ...TASK, staff: SAM_BRIEF };
    const more: Answers = {
      'PUT /calendar/tasks/{id}': (input) => ({ task: { ...task, calendar_date: (input as ScheduleInput).starts_at }, clashes: [] }),
    };
    openDay({ jobs: [], tasks: [task], more });
    dragTo(handle(await findEvent(/Order pipes/)), '14:30', '16:30');
    await waitForToasts(`${text}Undo`);
    expect(await findEvent(/Order pipes/)).toBeTruthy();
  });
});
