import type { ScheduleInput } from '@callout/contract/calendar';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import {
  atTime,
  buildScheduleOutput,
  DRAIN_JOB,
  dragToTime,
  fakeLayout,
  findCalendarEvent,
  openDayCalendar,
  ROOF_JOB,
  SCHEDULE_JOB_CALL,
} from './drag-calendar.ts';
import { SAM } from './fixtures.ts';
import { buildUnscheduledJob } from './open-calendar.ts';
import { failWith, getToasts, pressButton, typeInto, waitForToasts } from './open-page.tsx';

fakeLayout();

const CLASH = {
  kind: 'job' as const,
  id: DRAIN_JOB.id,
  job_number: null,
  title: 'Blocked drain',
  staff_name: 'Sam Leota',
  starts_at: atTime('13:30'),
  ends_at: atTime('14:30'),
  overlap_minutes: 30,
};

/** Records each move and holds its response back until the test calls `respond`. */
function deferMoves() {
  const sent: ScheduleInput[] = [];
  const responses: PromiseWithResolvers<unknown>[] = [];
  const handleMove = (input: unknown) => {
    sent.push(input as ScheduleInput);
    const response = Promise.withResolvers<unknown>();
    responses.push(response);
    return response.promise;
  };
  const respond = (index: number, toResponse: (input: ScheduleInput) => unknown) =>
    act(async () => {
      const [input, response] = [sent[index], responses[index]];
      if (!input || !response) throw new Error(`Move ${index} was not sent`);
      try {
        response.resolve(toResponse(input));
      } catch (error) {
        response.reject(error);
      }
    });
  return { sent, handleMove, respond };
}

const toMovedResponse = ({ starts_at }: ScheduleInput) => buildScheduleOutput({ booking_date: starts_at });
const waitForEventTimes = (times: string) =>
  waitFor(() => expect(screen.getByRole('link', { name: /Roof repair/ }).textContent).toContain(times));

describe('two quick moves of the same job', () => {
  async function moveTwice() {
    const moves = deferMoves();
    openDayCalendar({ responses: { [SCHEDULE_JOB_CALL]: moves.handleMove } });
    dragToTime(await findCalendarEvent(/Roof repair/), '09:30', '12:30');
    await waitForEventTimes('12:00 – 2:00 PM');
    dragToTime(await findCalendarEvent(/Roof repair/), '12:30', '15:30');
    await waitForEventTimes('3:00 – 5:00 PM');
    expect(moves.sent).toHaveLength(1);
    return moves;
  }

  it('are sent one after the other, and Undo reverts only the second', async () => {
    const { sent, respond } = await moveTwice();
    await respond(0, toMovedResponse);
    await waitFor(() => expect(sent).toHaveLength(2));
    await respond(1, toMovedResponse);
    await waitForToasts('Job rescheduled successfullyUndo');
    await pressButton('Undo');
    await waitFor(() => expect(sent).toHaveLength(3));
    expect(sent.map(({ starts_at, seen }) => [seen.starts_at, starts_at])).toEqual([
      [atTime('09:00'), atTime('12:00')],
      [atTime('12:00'), atTime('15:00')],
      [atTime('15:00'), atTime('12:00')],
    ]);
    await respond(2, toMovedResponse);
  });

  it('are both taken back when the first one is refused, with a single message', async () => {
    const { sent, respond } = await moveTwice();
    await respond(0, () => failWith('FORBIDDEN', 'not for you.'));
    await waitForEventTimes('9:00 – 11:00 AM');
    await waitForToasts('Failed to reschedule: not for you.');
    expect(sent).toHaveLength(1);
  });
});

it("a job's next move removes the previous move's Undo, even if the previous move caused a clash", async () => {
  const { sent, handleMove, respond } = deferMoves();
  openDayCalendar({ responses: { [SCHEDULE_JOB_CALL]: handleMove } });
  dragToTime(await findCalendarEvent(/Roof repair/), '09:30', '12:30');
  await waitFor(() => expect(sent).toHaveLength(1));
  await respond(0, ({ starts_at }) => buildScheduleOutput({ booking_date: starts_at }, [CLASH]));
  await waitFor(() => expect(getToasts()).toHaveLength(2));
  await act(async () => dragToTime(await findCalendarEvent(/Roof repair/), '12:30', '15:30'));
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  await respond(1, toMovedResponse);
  await waitForToasts('Job rescheduled successfullyUndo');
});

describe('the move dialog', () => {
  const openMoveDialog = async (title: string) => {
    await pressButton(`Move ${title} to…`);
    return screen.findByRole('dialog', { name: `Move ${title}` });
  };

  it("stays open when another job's move ends, and a toast reports that move", async () => {
    const { handleMove, respond } = deferMoves();
    openDayCalendar({ jobs: [ROOF_JOB, { ...DRAIN_JOB, booking_date: atTime('16:00') }], responses: { [SCHEDULE_JOB_CALL]: handleMove } });
    await findCalendarEvent(/Roof repair/);
    const outcomes = [
      { toResponse: toMovedResponse, text: 'Job rescheduled successfullyUndo' },
      { toResponse: () => failWith('NOT_FOUND'), text: 'Failed to reschedule: this job has been deleted.' },
    ];
    for (const [index, { toResponse, text }] of outcomes.entries()) {
      const first = await openMoveDialog('Roof repair');
      typeInto('Time', '13:00');
      await pressButton('Move');
      fireEvent.keyDown(first, { key: 'Escape' });
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
      const second = await openMoveDialog('Blocked drain');
      await respond(index, toResponse);
      await waitForToasts(text);
      expect(second.isConnected).toBe(true);
      expect(within(second).queryByRole('alert')).toBeNull();
      fireEvent.keyDown(second, { key: 'Escape' });
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    }
  });

  it('reports a refusal once, inside the dialog', async () => {
    openDayCalendar({ responses: { [SCHEDULE_JOB_CALL]: () => failWith('FORBIDDEN', 'not for you.') } });
    await findCalendarEvent(/Roof repair/);
    const dialog = await openMoveDialog('Roof repair');
    typeInto('Time', '13:00');
    await pressButton('Move');
    expect((await within(dialog).findByRole('alert')).textContent).toBe('Failed to reschedule: not for you.');
    await act(async () => undefined);
    expect(screen.getAllByRole('alert')).toHaveLength(1);
  });
});

describe('a job booked from the tray', () => {
  const trayJob = buildUnscheduledJob(1);
  const bookedJob = { ...trayJob, status: 'booked', booking_date: atTime('08:00'), timer_status: null };
  async function bookTrayJob() {
    const moves = deferMoves();
    const { queryClient } = openDayCalendar({
      responses: {
        'GET /calendar/unscheduled': () => ({ rows: [trayJob], next_cursor: null, total: 1 }),
        [SCHEDULE_JOB_CALL]: moves.handleMove,
      },
    });
    await pressButton('Unscheduled 1');
    await pressButton('Book Tap 1…');
    await screen.findByRole('dialog', { name: 'Book Tap 1' });
    await pressButton('Book');
    await waitFor(() => expect(moves.sent).toHaveLength(1));
    return { ...moves, queryClient };
  }

  it('does not reappear in the tray while its move is pending', async () => {
    const { queryClient, respond } = await bookTrayJob();
    await screen.findByRole('button', { name: 'Unscheduled 0', hidden: true });
    // Simulates the refetch that a colleague's change triggers.
    await act(() => queryClient.invalidateQueries({ queryKey: ['calendar', 'unscheduled'] }));
    expect(screen.getByRole('button', { name: 'Unscheduled 0', hidden: true })).toBeTruthy();
    await respond(0, () => ({ job: bookedJob, clashes: [] }));
  });

  it.each([
    ['without a clash', [], []],
    ['with a clash', [CLASH], ['Sam Leota is already booked for Blocked drain, 1:30 – 2:30 PM (30 min overlap).Undo']],
  ])('reports its time and person (%s), and Undo restores its status', async (_, clashes, clashTexts) => {
    const { sent, respond } = await bookTrayJob();
    await respond(0, () => ({ job: { ...bookedJob, staff: SAM }, clashes }));
    await waitForToasts(...clashTexts, `Booked for Mon, Nov 16, 8:00 AM · Sam Leota${clashes.length === 0 ? 'Undo' : ''}`);
    await pressButton('Undo');
    await waitFor(() => expect(sent).toHaveLength(2));
    const seen = { starts_at: atTime('08:00'), duration: trayJob.duration, staff_id: SAM.id };
    expect(sent[1]).toEqual({ starts_at: null, status: 'pending', seen });
    await respond(1, () => ({ job: { ...bookedJob, booking_date: null, status: 'pending' }, clashes: [] }));
    await waitForToasts('Job moved back to Unscheduled. It is now Pending.Undo');
  });
});
