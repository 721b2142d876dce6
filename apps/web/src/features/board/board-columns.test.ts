import type { JobRow } from '@callout/contract/jobs';
import { BOARD_STATUSES, type JobStatus } from '@callout/domain/jobs/job';
import { expect, it } from 'vitest';
import { type Board, findCard, withRest, withRow, withStatus } from './board-columns.ts';

const card = (id: string, minute: number, status: JobStatus = 'pending'): JobRow => ({
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

const boardOf = (rows: Partial<Record<JobStatus, JobRow[]>>, more: readonly JobStatus[] = []): Board => ({
  columns: BOARD_STATUSES.map((status) => ({
    status,
    rows: rows[status] ?? [],
    total: rows[status]?.length ?? 0,
    next_cursor: more.includes(status) ? 'more' : null,
  })),
});
const columnOf = ({ columns }: Board, status: JobStatus) => {
  const column = columns.find((other) => other.status === status);
  return { total: column?.total, ids: column?.rows.map(({ id }) => id) };
};

it('a moved card goes to its place by age, and both counts follow', () => {
  const board = boardOf({ pending: [card('b', 2)], booked: [card('c', 3, 'booked'), card('a', 1, 'booked')] });
  const moved = withStatus(board, 'b', 'booked');
  expect(columnOf(moved, 'pending')).toEqual({ total: 0, ids: [] });
  expect(columnOf(moved, 'booked')).toEqual({ total: 3, ids: ['c', 'b', 'a'] });
  expect(findCard(moved, 'b')?.row.status).toBe('booked');
  expect(withStatus(moved, 'b', 'pending')).toEqual(board);
});

it('of cards as old as each other the larger id comes first, as on the server', () => {
  expect(withRow([card('c', 1), card('a', 1)], card('b', 1)).map(({ id }) => id)).toEqual(['c', 'b', 'a']);
});

it('a card whose place is on a page that was not read is only counted', () => {
  const board = boardOf({ pending: [card('a', 1)], booked: [card('c', 3, 'booked')] }, ['booked']);
  expect(columnOf(withStatus(board, 'a', 'booked'), 'booked')).toEqual({ total: 2, ids: ['c'] });
});

it('a job that is paid or deleted leaves the board', () => {
  const board = boardOf({ pending: [card('a', 1)] });
  for (const status of ['paid', undefined] as const)
    expect(columnOf(withStatus(board, 'a', status), 'pending')).toEqual({ total: 0, ids: [] });
});

it('nothing changes when the job is there already, or unknown', () => {
  const board = boardOf({ pending: [card('a', 1)] });
  expect(withStatus(board, 'a', 'pending')).toBe(board);
  expect(withStatus(board, 'x', 'booked')).toBe(board);
  const rows = [card('a', 1)];
  expect(withRow(rows, card('a', 1))).toBe(rows);
});

it('cards below the pages that were read anew stay, unless they have moved', () => {
  const column = (rows: JobRow[], next_cursor: string | null) => ({ status: 'pending' as const, total: 9, rows, next_cursor });
  const before = column([card('e', 5), card('d', 4), card('c', 3), card('b', 2)], 'after b');
  const read = column([card('f', 6), card('d', 4)], 'after d');
  const { rows, next_cursor } = withRest(read, before, new Set(['f', 'd', 'c']));
  expect([rows.map(({ id }) => id), next_cursor]).toEqual([['f', 'd', 'b'], 'after b']);
  for (const other of [column([card('f', 6)], null), column([card('a', 1)], 'after a')])
    expect(withRest(other, before, new Set())).toBe(other);
});
