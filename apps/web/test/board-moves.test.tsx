import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { BARE, boardOf, column, columns, moveByMenu, openBoard, playBoard, ROW, SET_STATUS, titlesIn } from './open-board.ts';
import { press, refuse, toastTexts, waitForToasts } from './open-page.tsx';
import { JOB } from './people.ts';

it('a card is moved with its menu and back with Undo', async () => {
  const { answers, asked } = playBoard();
  openBoard('/board', answers);
  await screen.findByRole('link', { name: /^Blocked drain/ });
  await moveByMenu('Blocked drain', 'Complete');
  await waitForToasts('Job moved to CompleteUndo');
  expect(asked).toEqual([{ status: 'complete', from: 'pending' }]);
  await waitFor(() => expect([titlesIn('Pending'), titlesIn('Complete')]).toEqual([[], ['Blocked drain']]));
  await press('Undo');
  await waitFor(() => expect(titlesIn('Pending')).toEqual(['Blocked drain']));
  expect(asked).toEqual([
    { status: 'complete', from: 'pending' },
    { status: 'pending', from: 'complete' },
  ]);
});

it('a move that stops a running timer says so, and Undo says that it stays stopped', async () => {
  const job = { ...ROW };
  openBoard('/board', {
    'GET /board': () => boardOf(job),
    [SET_STATUS]: (input) => {
      Object.assign(job, input, { timer_status: 'paused' });
      return { ...JOB, ...job, clashes: [], timer: { ...JOB.timer, timer_status: 'paused' } };
    },
  });
  await screen.findByRole('link', { name: /^Roof repair/ });
  await moveByMenu('Roof repair', 'Complete');
  await waitForToasts('Job moved to Complete. Timer stopped.Undo');
  await press('Undo');
  await waitForToasts('Job moved to Booked. Its timer is still stopped.Undo');
  await press('Undo');
  await screen.findByText('Job moved to Complete');
  expect(toastTexts()).toEqual(['Job moved to CompleteUndo']);
});

it('a move that books somebody twice names the clash, with Undo', async () => {
  const clash = {
    kind: 'task',
    id: 'other',
    job_number: null,
    title: 'Stock take',
    staff_name: 'Sam Leota',
    starts_at: '2026-04-05T21:00:00.000Z',
    ends_at: '2026-04-05T23:00:00.000Z',
    overlap_minutes: 60,
  };
  openBoard('/board', {
    'GET /board': () => boardOf({ ...ROW, status: 'canceled', timer_status: null }),
    [SET_STATUS]: () => ({ ...JOB, booking_date: '2026-04-05T20:00:00.000Z', status: 'booked', clashes: [clash] }),
  });
  await screen.findByRole('link', { name: /^Roof repair/ });
  await moveByMenu('Roof repair', 'Booked');
  await screen.findByText('Job moved to Booked. Sam Leota is already booked for Stock take, 9:00 – 11:00 AM (1 h overlap).');
  expect(screen.getByRole('button', { name: 'Undo' })).toBeDefined();
});

it('by keyboard: Space picks up, arrows choose the column, Space drops, and the focus goes along', async () => {
  const { answers, asked } = playBoard();
  openBoard('/board', answers);
  const card = await screen.findByRole('link', { name: /^Blocked drain/ });
  act(() => card.focus());
  const key = (name: string) => act(async () => void fireEvent.keyDown(document.activeElement ?? document.body, { key: name }));
  await key(' ');
  screen.getByText(/^Blocked drain picked up from Pending/);
  await key('ArrowRight');
  await key('Escape');
  screen.getByText('Blocked drain stays in Pending.');
  expect(asked).toEqual([]);
  await key(' ');
  await key('ArrowRight');
  await key('ArrowRight');
  await key('ArrowLeft');
  await key('Enter');
  await waitForToasts('Job moved to ContactedUndo');
  expect(asked).toEqual([{ status: 'contacted', from: 'pending' }]);
  await waitFor(() => expect(document.activeElement).toBe(column('Contacted').getByRole('link')));
  await key('ArrowRight');
  await waitFor(() => expect(document.activeElement).toBe(column('Booked').getByRole('link')));
});

it('by keyboard: it is told at the first and the last column, and when a card is left where it was', async () => {
  openBoard('/board');
  const card = await screen.findByRole('link', { name: /^Blocked drain/ });
  act(() => card.focus());
  const key = (name: string) => act(async () => void fireEvent.keyDown(card, { key: name }));
  await key(' ');
  await key('ArrowLeft');
  screen.getByText('Pending is the first column.');
  for (let step = 0; step < 5; step += 1) await key('ArrowRight');
  await key('ArrowRight');
  screen.getByText('Canceled is the last column.');
  act(() => card.blur());
  expect(screen.getByText('Blocked drain stays in Pending.')).toBeDefined();
});

it('shows a move at once, and takes it back when the server fails', async () => {
  const answer = Promise.withResolvers<never>();
  openBoard('/board', { ...playBoard().answers, [SET_STATUS]: () => answer.promise });
  await screen.findByRole('link', { name: /^Blocked drain/ });
  await moveByMenu('Blocked drain', 'Invoiced');
  await waitFor(() => expect([titlesIn('Pending'), titlesIn('Invoiced')]).toEqual([[], ['Blocked drain']]));
  expect(columns()[4]).toBe('Invoiced1 job');
  answer.reject(new TypeError('Failed to fetch'));
  await waitForToasts('Failed to update job status: Unable to connect to the server. Please check your internet connection and try again.');
  expect([titlesIn('Pending'), titlesIn('Invoiced')]).toEqual([['Blocked drain'], []]);
});

it.each([
  ['JOB_PAID', 'This job is paid. Reverse a payment on its payment page first.'],
  ['JOB_BILLED', 'This job has an open invoice. Cancel it with a credit note on the payment page first.'],
] as const)('a refused move says why: %s', async (code, message) => {
  openBoard('/board', playBoard(() => refuse(code, message)).answers);
  await screen.findByRole('link', { name: /^Blocked drain/ });
  await moveByMenu('Blocked drain', 'Canceled');
  await waitForToasts(`Failed to update job status: ${message}`);
  await waitFor(() => expect(titlesIn('Pending')).toEqual(['Blocked drain']));
});

it('a job that a colleague has moved meanwhile shows where it is now', async () => {
  const server = playBoard(() => {
    server.set('complete');
    return refuse('STALE_VERSION', 'Changed', { current: { ...JOB, id: BARE.id, status: 'complete' } });
  });
  openBoard('/board', server.answers);
  await screen.findByRole('link', { name: /^Blocked drain/ });
  await moveByMenu('Blocked drain', 'Contacted');
  await waitForToasts('Failed to update job status: Someone else has changed this job. It is complete now.');
  await waitFor(() => expect([titlesIn('Contacted'), titlesIn('Complete')]).toEqual([[], ['Blocked drain']]));
});

it('a job that a colleague has deleted is removed, with the reason', async () => {
  let isDeleted = false;
  openBoard('/board', {
    'GET /board': () => (isDeleted ? boardOf(ROW) : boardOf(ROW, BARE)),
    [SET_STATUS]: () => {
      isDeleted = true;
      return refuse('NOT_FOUND', 'Job not found');
    },
  });
  await screen.findByRole('link', { name: /^Blocked drain/ });
  await moveByMenu('Blocked drain', 'Contacted');
  await waitForToasts('Failed to update job status: Someone else has deleted this job.');
  await waitFor(() => expect(screen.queryByRole('link', { name: /^Blocked drain/ })).toBeNull());
});

it('a job that its payments make paid leaves the board, without an Undo', async () => {
  openBoard('/board', {
    ...playBoard().answers,
    [SET_STATUS]: () => ({ ...JOB, id: BARE.id, clashes: [], status: 'paid' }),
    'GET /board': () => boardOf(ROW, BARE),
  });
  await screen.findByRole('link', { name: /^Blocked drain/ });
  await moveByMenu('Blocked drain', 'Complete');
  await waitForToasts('Job moved to Paid');
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});

it('of two quick moves of a card only the second can be undone, to where it was in between', async () => {
  const { answers, asked } = playBoard();
  openBoard('/board', answers);
  await screen.findByRole('link', { name: /^Blocked drain/ });
  await moveByMenu('Blocked drain', 'Contacted');
  await moveByMenu('Blocked drain', 'Booked');
  await screen.findByText('Job moved to Booked');
  expect(toastTexts()).toEqual(['Job moved to BookedUndo']);
  await press('Undo');
  await screen.findByText('Job moved to Contacted');
  expect(toastTexts()).toEqual(['Job moved to ContactedUndo']);
  expect(asked).toEqual([
    { status: 'contacted', from: 'pending' },
    { status: 'booked', from: 'contacted' },
    { status: 'contacted', from: 'booked' },
  ]);
});

it('while a card is on its way again, its move before cannot be undone', async () => {
  const second = Promise.withResolvers<unknown>();
  const { answers, asked } = playBoard();
  openBoard('/board', {
    ...answers,
    [SET_STATUS]: (input) => (asked.length === 0 ? answers[SET_STATUS]?.(input) : second.promise),
  });
  await screen.findByRole('link', { name: /^Blocked drain/ });
  await moveByMenu('Blocked drain', 'Contacted');
  await waitForToasts('Job moved to ContactedUndo');
  await moveByMenu('Blocked drain', 'Booked');
  await waitFor(() => expect(titlesIn('Booked')).toContain('Blocked drain'));
  expect(toastTexts()).toEqual([]);
  second.resolve({ ...JOB, ...BARE, clashes: [], status: 'booked' });
  await waitForToasts('Job moved to BookedUndo');
});

it('a second move is not sent when the one before it failed, and nobody else is blamed', async () => {
  const first = Promise.withResolvers<never>();
  const { answers, asked } = playBoard();
  openBoard('/board', {
    ...answers,
    [SET_STATUS]: (input) => {
      asked.push(input);
      return first.promise;
    },
  });
  await screen.findByRole('link', { name: /^Blocked drain/ });
  await moveByMenu('Blocked drain', 'Contacted');
  await waitFor(() => expect(titlesIn('Contacted')).toEqual(['Blocked drain']));
  await moveByMenu('Blocked drain', 'Booked');
  await waitFor(() => expect(titlesIn('Booked')).toContain('Blocked drain'));
  first.reject(new TypeError('Failed to fetch'));
  await waitForToasts('Failed to update job status: Unable to connect to the server. Please check your internet connection and try again.');
  await waitFor(() => expect(titlesIn('Pending')).toEqual(['Blocked drain']));
  expect(asked).toEqual([{ status: 'contacted', from: 'pending' }]);
});

it('a second move is not sent when the first one ended elsewhere', async () => {
  const first = Promise.withResolvers<unknown>();
  const { answers, asked } = playBoard();
  openBoard('/board', {
    ...answers,
    [SET_STATUS]: (input) => {
      asked.push(input);
      return first.promise;
    },
  });
  await screen.findByRole('link', { name: /^Blocked drain/ });
  await moveByMenu('Blocked drain', 'Complete');
  await waitFor(() => expect(titlesIn('Complete')).toEqual(['Blocked drain']));
  await moveByMenu('Blocked drain', 'Canceled');
  first.resolve({ ...JOB, ...BARE, clashes: [], status: 'paid' });
  await waitForToasts('Job moved to Paid');
  expect(asked).toEqual([{ status: 'complete', from: 'pending' }]);
});
