import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { listCommands } from '../src/lib/commands/outbox.ts';
import { JOB } from './fixtures.ts';
import {
  BOOKED_JOB,
  buildBoard,
  getCardTitles,
  getColumn,
  getColumnHeadings,
  mockBoard,
  moveJobByMenu,
  openBoard,
  SET_JOB_STATUS_CALL,
  UNASSIGNED_JOB,
} from './open-board.ts';
import { failWith, getToasts, pressButton, waitForToasts } from './open-page.tsx';

it('moves a card from its menu and moves it back on Undo', async () => {
  const { responses, requests } = mockBoard();
  openBoard('/board', responses);
  await screen.findByRole('link', { name: /^Blocked drain/ });
  await moveJobByMenu('Blocked drain', 'Complete');
  await waitFor(() => expect(getToasts()).toEqual(['Job moved to CompleteUndo']));
  expect(requests).toEqual([{ status: 'complete', from: 'pending' }]);
  await waitFor(() => expect([getCardTitles('Pending'), getCardTitles('Complete')]).toEqual([[], ['Blocked drain']]));
  await pressButton('Undo');
  await waitFor(() => expect(getCardTitles('Pending')).toEqual(['Blocked drain']));
  expect(requests).toEqual([
    { status: 'complete', from: 'pending' },
    { status: 'pending', from: 'complete', is_undo: true },
  ]);
});

it('reports that a move stopped a running timer, and that Undo does not restart it', async () => {
  const job = { ...BOOKED_JOB };
  openBoard('/board', {
    'GET /board': () => buildBoard(job),
    [SET_JOB_STATUS_CALL]: (input) => {
      Object.assign(job, input, { timer_status: 'paused' });
      return { ...JOB, ...job, clashes: [], timer: { ...JOB.timer, timer_status: 'paused' } };
    },
  });
  await screen.findByRole('link', { name: /^Roof repair/ });
  await moveJobByMenu('Roof repair', 'Complete');
  await waitForToasts('Job moved to Complete. Timer stopped.Undo');
  await pressButton('Undo');
  await waitForToasts('Job moved to Booked. Its timer is still stopped.Undo');
  await pressButton('Undo');
  await screen.findByText('Job moved to Complete');
  await waitFor(() => expect(getToasts()).toEqual(['Job moved to CompleteUndo']));
});

it('names the clash and offers Undo when a move double-books someone', async () => {
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
    'GET /board': () => buildBoard({ ...BOOKED_JOB, status: 'canceled', timer_status: null }),
    [SET_JOB_STATUS_CALL]: () => ({ ...JOB, booking_date: '2026-04-05T20:00:00.000Z', status: 'booked', clashes: [clash] }),
  });
  await screen.findByRole('link', { name: /^Roof repair/ });
  await moveJobByMenu('Roof repair', 'Booked');
  await screen.findByText('Job moved to Booked. Sam Leota is already booked for Stock take, 9:00 – 11:00 AM (1 h overlap).');
  expect(screen.getByRole('button', { name: 'Undo' })).toBeDefined();
});

it('keyboard: Space picks up a card, arrow keys choose the column, Enter drops it, and focus follows', async () => {
  const { responses, requests } = mockBoard();
  openBoard('/board', responses);
  const card = await screen.findByRole('link', { name: /^Blocked drain/ });
  act(() => card.focus());
  const pressKey = (key: string) => act(async () => void fireEvent.keyDown(document.activeElement ?? document.body, { key }));
  await pressKey(' ');
  screen.getByText(/^Blocked drain picked up from Pending/);
  await pressKey('ArrowRight');
  await pressKey('Escape');
  screen.getByText('Blocked drain stays in Pending.');
  expect(requests).toEqual([]);
  await pressKey(' ');
  await pressKey('ArrowRight');
  await pressKey('ArrowRight');
  await pressKey('ArrowLeft');
  await pressKey('Enter');
  await waitForToasts('Job moved to ContactedUndo');
  expect(requests).toEqual([{ status: 'contacted', from: 'pending' }]);
  await waitFor(() => expect(document.activeElement).toBe(getColumn('Contacted').getByRole('link')));
  await pressKey('ArrowRight');
  await waitFor(() => expect(document.activeElement).toBe(getColumn('Booked').getByRole('link')));
});

it('keyboard: announces the first and last column, and a card dropped in its original column', async () => {
  openBoard('/board');
  const card = await screen.findByRole('link', { name: /^Blocked drain/ });
  act(() => card.focus());
  const pressKey = (key: string) => act(async () => void fireEvent.keyDown(card, { key }));
  await pressKey(' ');
  await pressKey('ArrowLeft');
  screen.getByText('Pending is the first column.');
  for (let step = 0; step < 5; step += 1) await pressKey('ArrowRight');
  await pressKey('ArrowRight');
  screen.getByText('Canceled is the last column.');
  act(() => card.blur());
  expect(screen.getByText('Blocked drain stays in Pending.')).toBeDefined();
});

it('shows a move before the answer, and takes it back when it is refused', async () => {
  const response = Promise.withResolvers<void>();
  openBoard('/board', {
    ...mockBoard().responses,
    [SET_JOB_STATUS_CALL]: () => response.promise.then(() => failWith('FORBIDDEN', 'Not for you')),
  });
  await screen.findByRole('link', { name: /^Blocked drain/ });
  await moveJobByMenu('Blocked drain', 'Invoiced');
  await waitFor(() => expect([getCardTitles('Pending'), getCardTitles('Invoiced')]).toEqual([[], ['Blocked drain']]));
  expect(getColumnHeadings()[4]).toBe('Invoiced1 job');
  response.resolve();
  await waitForToasts('Failed to update job status: Not for you');
  expect([getCardTitles('Pending'), getCardTitles('Invoiced')]).toEqual([['Blocked drain'], []]);
});

it('shows why a move was rejected', async () => {
  const message = 'This job is paid. Reverse a payment on its payment page first.';
  openBoard('/board', mockBoard(() => failWith('JOB_PAID', message)).responses);
  await screen.findByRole('link', { name: /^Blocked drain/ });
  await moveJobByMenu('Blocked drain', 'Canceled');
  await waitForToasts(`Failed to update job status: ${message}`);
  await waitFor(() => expect(getCardTitles('Pending')).toEqual(['Blocked drain']));
  expect(listCommands()).toEqual([]);
});

it('shows the current column of a job that a colleague has already moved', async () => {
  const server = mockBoard(() => {
    server.set('complete');
    return failWith('STALE_VERSION', 'Changed', { current: { ...JOB, id: UNASSIGNED_JOB.id, status: 'complete' } });
  });
  openBoard('/board', server.responses);
  await screen.findByRole('link', { name: /^Blocked drain/ });
  await moveJobByMenu('Blocked drain', 'Contacted');
  await waitForToasts('Failed to update job status: Someone else has changed this job. It is complete now.');
  await waitFor(() => expect([getCardTitles('Contacted'), getCardTitles('Complete')]).toEqual([[], ['Blocked drain']]));
});

it('removes a job that a colleague has deleted and explains why', async () => {
  let isDeleted = false;
  openBoard('/board', {
    'GET /board': () => (isDeleted ? buildBoard(BOOKED_JOB) : buildBoard(BOOKED_JOB, UNASSIGNED_JOB)),
    [SET_JOB_STATUS_CALL]: () => {
      isDeleted = true;
      return failWith('NOT_FOUND', 'Job not found');
    },
  });
  await screen.findByRole('link', { name: /^Blocked drain/ });
  await moveJobByMenu('Blocked drain', 'Contacted');
  await waitForToasts('Failed to update job status: Someone else has deleted this job.');
  await waitFor(() => expect(screen.queryByRole('link', { name: /^Blocked drain/ })).toBeNull());
});

it('a job that becomes Paid leaves the board and offers no Undo', async () => {
  openBoard('/board', {
    ...mockBoard().responses,
    [SET_JOB_STATUS_CALL]: () => ({ ...JOB, id: UNASSIGNED_JOB.id, clashes: [], status: 'paid' }),
    'GET /board': () => buildBoard(BOOKED_JOB, UNASSIGNED_JOB),
  });
  await screen.findByRole('link', { name: /^Blocked drain/ });
  await moveJobByMenu('Blocked drain', 'Complete');
  await waitForToasts('Job moved to Paid');
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});

it('after two quick moves of a card, Undo reverts only the second', async () => {
  const { responses, requests } = mockBoard();
  openBoard('/board', responses);
  await screen.findByRole('link', { name: /^Blocked drain/ });
  await moveJobByMenu('Blocked drain', 'Contacted');
  await moveJobByMenu('Blocked drain', 'Booked');
  await screen.findByText('Job moved to Booked');
  await waitForToasts('Job moved to BookedUndo');
  await pressButton('Undo');
  await screen.findByText('Job moved to Contacted');
  await waitForToasts('Job moved to ContactedUndo');
  expect(requests).toEqual([
    { status: 'contacted', from: 'pending' },
    { status: 'booked', from: 'contacted' },
    { status: 'contacted', from: 'booked', is_undo: true },
  ]);
});

it('a move cannot be undone while the next move of the same card is pending', async () => {
  const second = Promise.withResolvers<unknown>();
  const { responses, requests } = mockBoard();
  openBoard('/board', {
    ...responses,
    [SET_JOB_STATUS_CALL]: (input) => (requests.length === 0 ? responses[SET_JOB_STATUS_CALL]?.(input) : second.promise),
  });
  await screen.findByRole('link', { name: /^Blocked drain/ });
  await moveJobByMenu('Blocked drain', 'Contacted');
  await waitForToasts('Job moved to ContactedUndo');
  await moveJobByMenu('Blocked drain', 'Booked');
  await waitFor(() => expect(getCardTitles('Booked')).toContain('Blocked drain'));
  expect(getToasts()).toEqual([]);
  second.resolve({ ...JOB, ...UNASSIGNED_JOB, clashes: [], status: 'booked' });
  await waitForToasts('Job moved to BookedUndo');
});

it('a waiting move is taken back when the previous one is refused, without a message about a colleague', async () => {
  const first = Promise.withResolvers<void>();
  const { responses, requests } = mockBoard();
  openBoard('/board', {
    ...responses,
    [SET_JOB_STATUS_CALL]: (input) => {
      requests.push(input);
      return first.promise.then(() => failWith('FORBIDDEN', 'Not for you'));
    },
  });
  await screen.findByRole('link', { name: /^Blocked drain/ });
  await moveJobByMenu('Blocked drain', 'Contacted');
  await waitFor(() => expect(getCardTitles('Contacted')).toEqual(['Blocked drain']));
  await moveJobByMenu('Blocked drain', 'Booked');
  await waitFor(() => expect(getCardTitles('Booked')).toContain('Blocked drain'));
  first.resolve();
  await waitForToasts('Failed to update job status: Not for you');
  await waitFor(() => expect(getCardTitles('Pending')).toEqual(['Blocked drain']));
  expect(requests).toEqual([{ status: 'contacted', from: 'pending' }]);
});

it('a waiting move is taken back when the previous one ended in another column', async () => {
  const first = Promise.withResolvers<unknown>();
  const { responses, requests } = mockBoard();
  openBoard('/board', {
    ...responses,
    [SET_JOB_STATUS_CALL]: (input) => {
      requests.push(input);
      return first.promise;
    },
  });
  await screen.findByRole('link', { name: /^Blocked drain/ });
  await moveJobByMenu('Blocked drain', 'Complete');
  await waitFor(() => expect(getCardTitles('Complete')).toEqual(['Blocked drain']));
  await moveJobByMenu('Blocked drain', 'Canceled');
  first.resolve({ ...JOB, ...UNASSIGNED_JOB, clashes: [], status: 'paid' });
  await waitForToasts('Job moved to Paid');
  expect(requests).toEqual([{ status: 'complete', from: 'pending' }]);
});
