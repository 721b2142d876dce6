import type { ScheduleInput } from '@callout/contract/calendar';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { at, DRAIN, dragTo, fakeLayout, findEvent, openDay, ROOF, SCHEDULE, scheduled } from './drag-calendar.ts';
import { unscheduledJob } from './open-calendar.ts';
import { press, refuse, toastTexts, typeInto, waitForToasts } from './open-page.tsx';
import { SAM } from './people.ts';

fakeLayout();

const CLASH = {
  kind: 'job' as const,
  id: DRAIN.id,
  job_number: null,
  title: 'Blocked drain',
  staff_name: 'Sam Leota',
  starts_at: at('13:30'),
  ends_at: at('14:30'),
  overlap_minutes: 30,
};

/** Answers each move when the test says so. */
function heldMoves() {
  const sent: ScheduleInput[] = [];
  const answers: PromiseWithResolvers<unknown>[] = [];
  const held = (input: unknown) => {
    sent.push(input as ScheduleInput);
    const answer = Promise.withResolvers<unknown>();
    answers.push(answer);
    return answer.promise;
  };
  const answer = (index: number, how: (input: ScheduleInput) => unknown) =>
    act(async () => {
      const [input, given] = [sent[index], answers[index]];
      if (!input || !given) throw new Error(`There was no move ${index}`);
      try {
        given.resolve(how(input));
      } catch (error) {
        given.reject(error);
      }
    });
  return { sent, held, answer };
}

const moved = ({ starts_at }: ScheduleInput) => scheduled({ booking_date: starts_at });
const startsAt = (times: string) => waitFor(() => expect(screen.getByRole('link', { name: /Roof repair/ }).textContent).toContain(times));

describe('two quick moves of the same job', () => {
  async function moveTwice() {
    const moves = heldMoves();
    openDay({ more: { [SCHEDULE]: moves.held } });
    dragTo(await findEvent(/Roof repair/), '09:30', '12:30');
    await startsAt('12:00 – 2:00 PM');
    dragTo(await findEvent(/Roof repair/), '12:30', '15:30');
    await startsAt('3:00 – 5:00 PM');
    expect(moves.sent).toHaveLength(1);
    return moves;
  }

  it('are sent one after the other, the second from where the first one put it; one Undo takes back the second', async () => {
    const { sent, answer } = await moveTwice();
    await answer(0, moved);
    await waitFor(() => expect(sent).toHaveLength(2));
    await answer(1, moved);
    await waitForToasts('Job rescheduled successfullyUndo');
    await press('Undo');
    await waitFor(() => expect(sent).toHaveLength(3));
    expect(sent.map(({ starts_at, seen }) => [seen.starts_at, starts_at])).toEqual([
      [at('09:00'), at('12:00')],
      [at('12:00'), at('15:00')],
      [at('15:00'), at('12:00')],
    ]);
    await answer(2, moved);
  });

  it('end together when the first one fails, and only its reason is said', async () => {
    const { sent, answer } = await moveTwice();
    await answer(0, () => refuse('UNAVAILABLE', 'the server is down.'));
    await startsAt('9:00 – 11:00 AM');
    await waitForToasts('Failed to reschedule: the server is down.');
    expect(sent).toHaveLength(1);
  });
});

it('the next move of a job takes away the Undo of the one before, also of one that made a clash', async () => {
  const { sent, held, answer } = heldMoves();
  openDay({ more: { [SCHEDULE]: held } });
  dragTo(await findEvent(/Roof repair/), '09:30', '12:30');
  await waitFor(() => expect(sent).toHaveLength(1));
  await answer(0, ({ starts_at }) => scheduled({ booking_date: starts_at }, [CLASH]));
  await waitFor(() => expect(toastTexts()).toHaveLength(2));
  await act(async () => dragTo(await findEvent(/Roof repair/), '12:30', '15:30'));
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  await answer(1, moved);
  await waitForToasts('Job rescheduled successfullyUndo');
});

describe('the dialog', () => {
  const open = async (title: string) => {
    await press(`Move ${title} to…`);
    return screen.findByRole('dialog', { name: `Move ${title}` });
  };

  it('of another job stays open when a move ends whose dialog was closed, which says by itself that it failed', async () => {
    const { held, answer } = heldMoves();
    openDay({ jobs: [ROOF, { ...DRAIN, booking_date: at('16:00') }], more: { [SCHEDULE]: held } });
    await findEvent(/Roof repair/);
    const ends = [
      { how: moved, text: 'Job rescheduled successfullyUndo' },
      { how: () => refuse('NOT_FOUND'), text: 'Failed to reschedule: this job has been deleted.' },
    ];
    for (const [index, { how, text }] of ends.entries()) {
      const first = await open('Roof repair');
      typeInto('Time', '13:00');
      await press('Move');
      fireEvent.keyDown(first, { key: 'Escape' });
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
      const second = await open('Blocked drain');
      await answer(index, how);
      await waitForToasts(text);
      expect(second.isConnected).toBe(true);
      expect(within(second).queryByRole('alert')).toBeNull();
      fireEvent.keyDown(second, { key: 'Escape' });
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    }
  });

  it('says a failure once, in itself', async () => {
    openDay({ more: { [SCHEDULE]: () => refuse('UNAVAILABLE', 'the server is down.') } });
    await findEvent(/Roof repair/);
    const dialog = await open('Roof repair');
    typeInto('Time', '13:00');
    await press('Move');
    expect((await within(dialog).findByRole('alert')).textContent).toBe('Failed to reschedule: the server is down.');
    await act(async () => undefined);
    expect(screen.getAllByRole('alert')).toHaveLength(1);
  });
});

describe('a job of the tray', () => {
  const tap = unscheduledJob(1);
  const placed = { ...tap, status: 'booked', booking_date: at('08:00'), timer_status: null };
  async function book() {
    const moves = heldMoves();
    const { queryClient } = openDay({
      more: { 'GET /calendar/unscheduled': () => ({ rows: [tap], next_cursor: null, total: 1 }), [SCHEDULE]: moves.held },
    });
    await press('Unscheduled 1');
    await press('Book Tap 1…');
    await screen.findByRole('dialog', { name: 'Book Tap 1' });
    await press('Book');
    await waitFor(() => expect(moves.sent).toHaveLength(1));
    return { ...moves, queryClient };
  }

  it('does not come back while its move is under way', async () => {
    const { queryClient, answer } = await book();
    await screen.findByRole('button', { name: 'Unscheduled 0', hidden: true });
    // As after a change of a colleague.
    await act(() => queryClient.invalidateQueries({ queryKey: ['calendar', 'unscheduled'] }));
    expect(screen.getByRole('button', { name: 'Unscheduled 0', hidden: true })).toBeTruthy();
    await answer(0, () => ({ job: placed, clashes: [] }));
  });

  it.each([
    ['', [], []],
    [' with the clash that it makes', [CLASH], ['Sam Leota is already booked for Blocked drain, 1:30 – 2:30 PM (30 min overlap).Undo']],
  ])('says for when and for whom it is booked%s, and Undo takes it back with its status', async (_, clashes, clashTexts) => {
    const { sent, answer } = await book();
    await answer(0, () => ({ job: { ...placed, staff: SAM }, clashes }));
    await waitForToasts(...clashTexts, `Booked for Mon, Nov 16, 8:00 AM · Sam Leota${clashes.length === 0 ? 'Undo' : ''}`);
    await press('Undo');
    await waitFor(() => expect(sent).toHaveLength(2));
    const seen = { starts_at: at('08:00'), duration: tap.duration, staff_id: SAM.id };
    expect(sent[1]).toEqual({ starts_at: null, status: 'pending', seen });
    await answer(1, () => ({ job: { ...placed, booking_date: null, status: 'pending' }, clashes: [] }));
    await waitForToasts('Job is back in UnscheduledUndo');
  });
});
