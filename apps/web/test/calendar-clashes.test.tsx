import type { CalendarJob, Clash } from '@callout/contract/calendar';
import { act, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import {
  atTime,
  buildScheduleOutput,
  DRAIN_JOB,
  dragToTime,
  fakeLayout,
  findCalendarEvent,
  ONE_DAY_CALL,
  openDayCalendar,
  ROOF_JOB,
  SCHEDULE_JOB_CALL,
} from './drag-calendar.ts';
import { fakeTodayAsTuesday } from './open-calendar.ts';
import { failWith, getToasts, waitForToasts } from './open-page.tsx';

fakeTodayAsTuesday();
fakeLayout();

const CLASH: Clash = {
  kind: 'job',
  id: DRAIN_JOB.id,
  job_number: 'J26110007',
  title: 'Blocked drain',
  staff_name: 'Sam Leota',
  starts_at: atTime('13:30'),
  ends_at: atTime('14:30'),
  overlap_minutes: 30,
};
const NIGHT_CLASH: Clash = { ...CLASH, starts_at: atTime('23:30', '2026-11-17'), ends_at: atTime('00:30', '2026-11-18') };
const TASK_CLASH: Clash = { ...CLASH, kind: 'task', job_number: null, title: 'Stock take' };

it.each([
  ['one clash', [CLASH], 'Blocked drain (#J26110007), 1:30 – 2:30 PM (30 min overlap).'],
  ['several clashes', [TASK_CLASH, CLASH, NIGHT_CLASH], 'Stock take, 1:30 – 2:30 PM (30 min overlap), plus 2 more.'],
  ['a clash on another day', [NIGHT_CLASH], 'Blocked drain (#J26110007), Nov 17, 11:30 PM – Nov 18, 12:30 AM (30 min overlap).'],
])('a move reports the clashes it causes: %s', async (_, clashes, text) => {
  openDayCalendar({ responses: { [SCHEDULE_JOB_CALL]: () => buildScheduleOutput({ booking_date: atTime('12:00') }, clashes) } });
  const event = await findCalendarEvent(/Roof repair/);
  dragToTime(event, '09:30', '12:30');
  await waitForToasts(`Sam Leota is already booked for ${text}Undo`, 'Job rescheduled successfully');
  expect(event.isConnected).toBe(true);
});

const createJobAt = (number: number, time: string, overrides: Partial<CalendarJob> = {}): CalendarJob => ({
  ...ROOF_JOB,
  id: `018f0000-0000-7000-8000-00000000001${number}`,
  booking_date: atTime(time),
  duration: '1',
  ...overrides,
});

it('announces only new clashes caused by colleagues, once, grouped and with their date', async () => {
  let jobs = [ROOF_JOB, DRAIN_JOB];
  const { queryClient } = openDayCalendar({ responses: { [ONE_DAY_CALL]: () => ({ jobs, tasks: [], is_cut: false }) } });
  await findCalendarEvent(/Roof repair/);
  const refetch = () => act(() => queryClient.invalidateQueries({ queryKey: ['calendar', 'events'] }));
  await refetch();
  expect(getToasts()).toEqual([]);
  jobs = [...jobs, createJobAt(4, '11:15', { title: 'Tap washers' })];
  await refetch();
  await refetch();
  const first = 'Sam Leota is double-booked Nov 16, 11:15 – 11:30 AM: Blocked drain and Tap washers.';
  await waitForToasts(first);
  jobs = [
    ...jobs,
    createJobAt(5, '14:00', { title: 'Gutter' }),
    createJobAt(6, '14:30', { title: 'Fence' }),
    createJobAt(7, '14:45', { title: 'Gate' }),
  ];
  await refetch();
  await waitForToasts('Sam Leota is double-booked Nov 16, 2:30 – 3:00 PM: Gutter and Fence, plus 1 more.', first);
});

it('announces a resolved clash again when a colleague recreates it', async () => {
  const createTapJob = (time: string) => createJobAt(4, time, { title: 'Tap washers' });
  let jobs = [ROOF_JOB, createTapJob('15:00')];
  const { queryClient } = openDayCalendar({ responses: { [ONE_DAY_CALL]: () => ({ jobs, tasks: [], is_cut: false }) } });
  await findCalendarEvent(/Roof repair/);
  const moveTo = async (time: string) => {
    jobs = [ROOF_JOB, createTapJob(time)];
    await act(() => queryClient.invalidateQueries({ queryKey: ['calendar', 'events'] }));
  };
  await moveTo('10:30');
  await waitForToasts('Sam Leota is double-booked Nov 16, 10:30 – 11:00 AM: Roof repair and Tap washers.');
  await moveTo('15:00');
  await waitFor(() => expect(screen.queryByText(/Overlaps by/)).toBeNull());
  await moveTo('10:00');
  await waitFor(() => expect(getToasts()[0]).toBe('Sam Leota is double-booked Nov 16, 10:00 – 11:00 AM: Roof repair and Tap washers.'));
});

it('does not announce a clash that returns because a move was refused', async () => {
  openDayCalendar({ jobs: [ROOF_JOB, DRAIN_JOB], responses: { [SCHEDULE_JOB_CALL]: () => failWith('FORBIDDEN') } });
  dragToTime(await findCalendarEvent(/Blocked drain/), '10:45', '15:00');
  await waitFor(() => expect(getToasts()).toHaveLength(1));
  await screen.findByRole('link', { name: /Overlaps by/ });
  await waitFor(() => expect(getToasts()).toEqual([expect.stringContaining('Failed to reschedule')]));
});

it('does not announce an older clash once the clash hiding it is resolved', async () => {
  const [earliest, middle, latest] = [
    createJobAt(4, '09:00', { duration: '3' }),
    createJobAt(5, '10:00', { duration: '3' }),
    createJobAt(6, '11:00', { duration: '3' }),
  ];
  let jobs = [earliest, middle, latest];
  const { queryClient } = openDayCalendar({ responses: { [ONE_DAY_CALL]: () => ({ jobs, tasks: [], is_cut: false }) } });
  await screen.findAllByRole('link', { name: /Overlaps by 2 h/ });
  jobs = [earliest, latest, { ...middle, status: 'canceled' }];
  await act(() => queryClient.invalidateQueries({ queryKey: ['calendar', 'events'] }));
  await screen.findAllByText('Canceled', { exact: false });
  expect(getToasts()).toEqual([]);
});
