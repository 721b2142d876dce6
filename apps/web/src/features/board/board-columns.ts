import type { BoardColumn } from '@callout/contract/board';
import type { JobRow } from '@callout/contract/jobs';
import type { JobStatus } from '@callout/domain/jobs/job';
import { addToCount } from '@callout/domain/text/count-format';

export interface Board {
  readonly columns: readonly BoardColumn[];
}

/** Returns true if `a` comes before `b` in the server's order: newest first, then by descending id. */
function isNewer(a: JobRow, b: JobRow): boolean {
  return a.created_at === b.created_at ? a.id > b.id : a.created_at > b.created_at;
}

/** Inserts `row` at its sorted position. Returns `rows` unchanged if it already contains the row. */
export function insertSortedRow(rows: readonly JobRow[], row: JobRow): readonly JobRow[] {
  if (rows.some(({ id }) => id === row.id)) return rows;
  const position = rows.findIndex((other) => isNewer(row, other));
  return rows.toSpliced(position === -1 ? rows.length : position, 0, row);
}

export function findCard(board: Board, id: string): { row: JobRow; column: BoardColumn } | undefined {
  for (const column of board.columns) {
    const row = column.rows.find((other) => other.id === id);
    if (row) return { row, column };
  }
  return undefined;
}

/** Moves a job's card to the column for `status`. Removes the card if `status` is undefined or has no column. */
export function withJobStatus(board: Board, id: string, status: JobStatus | undefined): Board {
  const found = findCard(board, id);
  if (!found || found.column.status === status) return board;
  const columns = board.columns.map((column) => {
    if (column === found.column)
      return { ...column, total: addToCount(column.total, -1), rows: column.rows.filter((row) => row.id !== id) };
    return column.status === status ? withAddedCard(column, { ...found.row, status }) : column;
  });
  return { ...board, columns };
}

function withAddedCard(column: BoardColumn, row: JobRow): BoardColumn {
  const last = column.rows.at(-1);
  // Beyond the last loaded row: the card belongs on a page that isn't loaded yet, so only the total changes.
  const isBelow = column.next_cursor !== null && last !== undefined && isNewer(last, row);
  return { ...column, total: addToCount(column.total, 1), rows: isBelow ? column.rows : [...insertSortedRow(column.rows, row)] };
}

/** Extends a partly refetched column with its previously loaded rows. Skips `refetchedIds`, which may now be in other columns. */
export function withPreviousTail(column: BoardColumn, before: BoardColumn | undefined, refetchedIds: ReadonlySet<string>): BoardColumn {
  const last = column.rows.at(-1);
  if (column.next_cursor === null || !before || !last) return column;
  const tail = before.rows.filter((row) => isNewer(last, row) && !refetchedIds.has(row.id));
  return tail.length === 0 ? column : { ...column, rows: [...column.rows, ...tail], next_cursor: before.next_cursor };
}
