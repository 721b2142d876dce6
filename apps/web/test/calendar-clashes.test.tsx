import type { CalendarJob, Clash } from '@callout/contract/calendar';
import { act, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { at, DRAIN, dragTo, fakeLayout, findEvent, ONE_DAY, openDay, ROOF, SCHEDULE, scheduled } from './drag-calendar.ts';
import { fakeTuesday } from './open-calendar.ts';
import { refuse, toastTexts, waitForToasts } from './open-page.tsx';

fakeTuesday();
fakeLayout();

const clash: Clash = {
  kind: 'job',
  id: DRAIN.id,
  job_number: 'J26110007',
  title: 'Blocked drain',
  staff_name: 'Sam Leota',
  starts_at: at('13:30'),
  ends_at: at('14:30'),
  overlap_minutes: 30,
};
const NIGHT: Clash = { ...clash, starts_at: at('23:30', '2026-11-17'), ends_at: at('00:30', '2026-11-18') };
const TASK: Clash = { ...clash, kind: 'task', job_number: null, title: 'Stock take' };

it.each([
  ['', [clash], 'Blocked drain (#J26110007), 1:30 – 2:30 PM (30 min overlap).'],
  [', several of them', [TASK, clash, NIGHT], 'Stock take, 1:30 – 2:30 PM (30 min overlap), plus 2 more.'],
  [' with its day when it is on another one', [NIGHT], 'Blocked drain (#J26110007), Nov 17, 11:30 PM – Nov 18, 12:30 AM (30 min overlap).'],
])('a move names the clash that it made%s', async (_, clashes, text) => {
  openDay({ more: { [SCHEDULE]: () => scheduled({ booking_date: at('12:00') }, clashes) } });
  const event = await findEvent(/Roof repair/);
  dragTo(event, '09:30', '12:30');
  await waitForToasts(`Sam Leota is already booked for ${text}Undo`, 'Job rescheduled successfully');
  expect(event.isConnected).toBe(true);
});

const jobAt = (number: number, time: string, more: Partial<CalendarJob> = {}): CalendarJob => ({
  ...ROOF,
  id: `018f0000-0000-7000-8000-00000000001${number}`,
  booking_date: at(time),
  duration: '1',
  ...more,
});

it('clashes that colleagues make are announced once, together and with their day; those that were there before are not', async () => {
  let jobs = [ROOF, DRAIN];
  const { queryClient } = openDay({ more: { [ONE_DAY]: () => ({ jobs, tasks: [], is_cut: false }) } });
  await findEvent(/Roof repair/);
  const refetch = () => act(() => queryClient.invalidateQueries({ queryKey: ['calendar', 'events'] }));
  await refetch();
  expect(toastTexts()).toEqual([]);
  jobs = [...jobs, jobAt(4, '11:15', { title: 'Tap washers' })];
  await refetch();
  await refetch();
  const first = 'Sam Leota is double-booked Nov 16, 11:15 – 11:30 AM: Blocked drain and Tap washers.';
  await waitForToasts(first);
  jobs = [...jobs, jobAt(5, '14:00', { title: 'Gutter' }), jobAt(6, '14:30', { title: 'Fence' }), jobAt(7, '14:45', { title: 'Gate' })];
  await refetch();
  await waitForToasts('Sam Leota is double-booked Nov 16, 2:30 – 3:00 PM: Gutter and Fence, plus 1 more.', first);
});

it('a clash that was resolved is announced when a colleague makes it again', async () => {
  const tap = (time: string) => jobAt(4, time, { title: 'Tap washers' });
  let jobs = [ROOF, tap('15:00')];
  const { queryClient } = openDay({ more: { [ONE_DAY]: () => ({ jobs, tasks: [], is_cut: false }) } });
  await findEvent(/Roof repair/);
  const moveTo = async (time: string) => {
    jobs = [ROOF, tap(time)];
    await act(() => queryClient.invalidateQueries({ queryKey: ['calendar', 'events'] }));
  };
  await moveTo('10:30');
  await waitForToasts('Sam Leota is double-booked Nov 16, 10:30 – 11:00 AM: Roof repair and Tap washers.');
  await moveTo('15:00');
  await waitFor(() => expect(screen.queryByText(/Overlaps by/)).toBeNull());
  await moveTo('10:00');
  await waitFor(() => expect(toastTexts()[0]).toBe('Sam Leota is double-booked Nov 16, 10:00 – 11:00 AM: Roof repair and Tap washers.'));
});

it('a clash that comes back because its own move has failed is not new', async () => {
  openDay({ jobs: [ROOF, DRAIN], more: { [SCHEDULE]: () => refuse('INTERNAL') } });
  dragTo(await findEvent(/Blocked drain/), '10:45', '15:00');
  await waitFor(() => expect(toastTexts()).toHaveLength(1));
  await screen.findByRole('link', { name: /Overlaps by/ });
  expect(toastTexts()).toEqual([expect.stringContaining('Failed to reschedule')]);
});

it('a clash that another one hid is not new when that one goes', async () => {
  const [long, longer, last] = [
    jobAt(4, '09:00', { duration: '3' }),
    jobAt(5, '10:00', { duration: '3' }),
    jobAt(6, '11:00', { duration: '3' }),
  ];
  let jobs = [long, longer, last];
  const { queryClient } = openDay({ more: { [ONE_DAY]: () => ({ jobs, tasks: [], is_cut: false }) } });
  await screen.findAllByRole('link', { name: /Overlaps by 2 h/ });
  jobs = [long, last, { ...longer, status: 'canceled' }];
  await act(() => queryClient.invalidateQueries({ queryKey: ['calendar', 'events'] }));
  await screen.findAllByText('Canceled', { exact: false });
  expect(toastTexts()).toEqual([]);
});
