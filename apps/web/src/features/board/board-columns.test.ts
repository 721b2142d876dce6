import type { JobRow } from '@callout/contract/jobs';
import { BOARD_STATUSES, type JobStatus } from '@callout/domain/jobs/job';
import { expect, it } from 'vitest';
import { type Board, findCard, insertSortedRow, withJobStatus, withPreviousTail } from './board-columns.ts';

const createCard = (id: string, minute: number, status: JobStatus = 'pending'): JobRow => ({
  id,
  job_number: id,
  title: id,
  status,
  booking_date: null,
  created_at: `2026-03-01T08:0${minute}:00.000Z`,
  customer: null,
  staff: null,
  categories: [],
  timer_status: null,
  matched: null,
});

const createBoard = (rows: Partial<Record<JobStatus, JobRow[]>>, more: readonly JobStatus[] = []): Board => ({
  columns: BOARD_STATUSES.map((status) => ({
    status,
    rows: rows[status] ?? [],
    total: rows[status]?.length ?? 0,
    next_cursor: more.includes(status) ? 'more' : null,
  })),
});
const summarizeColumn = ({ columns }: Board, status: JobStatus) => {
  const column = columns.find((other) => other.status === status);
  return { total: column?.total, ids: column?.rows.map(({ id }) => id) };
};

it('moves a card to its sorted position and updates both totals', () => {
  const board = createBoard({ pending: [createCard('b', 2)], booked: [createCard('c', 3, 'booked'), createCard('a', 1, 'booked')] });
  const moved = withJobStatus(board, 'b', 'booked');
  expect(summarizeColumn(moved, 'pending')).toEqual({ total: 0, ids: [] });
  expect(summarizeColumn(moved, 'booked')).toEqual({ total: 3, ids: ['c', 'b', 'a'] });
  expect(findCard(moved, 'b')?.row.status).toBe('booked');
  expect(withJobStatus(moved, 'b', 'pending')).toEqual(board);
});

it('leaves a total unchanged if counting stopped at it', () => {
  const board = createBoard({ pending: [createCard('b', 2)] });
  const capped = { columns: board.columns.map((column) => ({ ...column, total: 1_001 })) };
  const moved = withJobStatus(capped, 'b', 'booked');
  expect(moved.columns.map(({ total }) => total)).toEqual(capped.columns.map(({ total }) => total));
});

it('sorts cards created at the same time by descending id, like the server', () => {
  expect(insertSortedRow([createCard('c', 1), createCard('a', 1)], createCard('b', 1)).map(({ id }) => id)).toEqual(['c', 'b', 'a']);
});

it('only updates the total if a moved card belongs on a page that is not loaded yet', () => {
  const board = createBoard({ pending: [createCard('a', 1)], booked: [createCard('c', 3, 'booked')] }, ['booked']);
  expect(summarizeColumn(withJobStatus(board, 'a', 'booked'), 'booked')).toEqual({ total: 2, ids: ['c'] });
});

it('removes a paid or deleted job from the board', () => {
  const board = createBoard({ pending: [createCard('a', 1)] });
  for (const status of ['paid', undefined] as const)
    expect(summarizeColumn(withJobStatus(board, 'a', status), 'pending')).toEqual({ total: 0, ids: [] });
});

it('returns the same board if the job already has the status or is not on the board', () => {
  const board = createBoard({ pending: [createCard('a', 1)] });
  expect(withJobStatus(board, 'a', 'pending')).toBe(board);
  expect(withJobStatus(board, 'x', 'booked')).toBe(board);
  const rows = [createCard('a', 1)];
  expect(insertSortedRow(rows, createCard('a', 1))).toBe(rows);
});

it('keeps cards below the refetched pages unless they have moved', () => {
  const column = (rows: JobRow[], next_cursor: string | null) => ({ status: 'pending' as const, total: 9, rows, next_cursor });
  const before = column([createCard('e', 5), createCard('d', 4), createCard('c', 3), createCard('b', 2)], 'after b');
  const refetched = column([createCard('f', 6), createCard('d', 4)], 'after d');
  const { rows, next_cursor } = withPreviousTail(refetched, before, new Set(['f', 'd', 'c']));
  expect([rows.map(({ id }) => id), next_cursor]).toEqual([['f', 'd', 'b'], 'after b']);
  for (const other of [column([createCard('f', 6)], null), column([createCard('a', 1)], 'after a')])
    expect(withPreviousTail(other, before, new Set())).toBe(other);
});
