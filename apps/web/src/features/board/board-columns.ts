import type { BoardColumn } from '@callout/contract/board';
import type { JobRow } from '@callout/contract/jobs';
import type { JobStatus } from '@callout/domain/jobs/job';

export interface Board {
  readonly columns: readonly BoardColumn[];
}

/** The newest first, as the server sorts them. */
function isNewer(one: JobRow, other: JobRow): boolean {
  return one.created_at === other.created_at ? one.id > other.id : one.created_at > other.created_at;
}

/** The rows with one more in its place, unless it is there. */
export function withRow(rows: readonly JobRow[], row: JobRow): readonly JobRow[] {
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

/** The board after a job got another status; with one that has no column, or without any, it leaves the board. */
export function withStatus(board: Board, id: string, status: JobStatus | undefined): Board {
  const found = findCard(board, id);
  if (!found || found.column.status === status) return board;
  const columns = board.columns.map((column) => {
    if (column === found.column) return { ...column, total: column.total - 1, rows: column.rows.filter((row) => row.id !== id) };
    return column.status === status ? withCard(column, { ...found.row, status }) : column;
  });
  return { ...board, columns };
}

function withCard(column: BoardColumn, row: JobRow): BoardColumn {
  const last = column.rows.at(-1);
  // Its place is on a page that has not been read yet.
  const isBelow = column.next_cursor !== null && last !== undefined && isNewer(last, row);
  return { ...column, total: column.total + 1, rows: isBelow ? column.rows : [...withRow(column.rows, row)] };
}

/** A column of which only the upper pages were read anew, with the cards below them as they were; those in `known` have moved. */
export function withRest(column: BoardColumn, before: BoardColumn | undefined, known: ReadonlySet<string>): BoardColumn {
  const last = column.rows.at(-1);
  if (column.next_cursor === null || !before || !last) return column;
  const rest = before.rows.filter((row) => isNewer(last, row) && !known.has(row.id));
  return rest.length === 0 ? column : { ...column, rows: [...column.rows, ...rest], next_cursor: before.next_cursor };
}
