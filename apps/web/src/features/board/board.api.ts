import type { BoardColumn, BoardFilter } from '@callout/contract/board';
import type { Clash } from '@callout/contract/clash';
import type { Job } from '@callout/contract/jobs';
import type { JobStatus } from '@callout/domain/jobs/job';
import {
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useMutation,
  useMutationState,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { VirtualItem } from '@tanstack/react-virtual';
import { useCallback, useMemo, useRef, useState } from 'react';
import { api } from '../../lib/api.ts';
import { hasCode, messageOf } from '../../lib/error-messages.ts';
import { uniqueRows } from '../../lib/query-cache.ts';
import { toast } from '../../ui/toast.ts';
import { statusPill } from '../jobs/job-filter.ts';
import { jobKeys, showJob } from '../jobs/jobs.api.ts';
import { type Board, withRest, withStatus } from './board-columns.ts';

const BOARD = [...jobKeys.all, 'board'];
const MOVES = ['board moves'];

const keyOf = (filter: BoardFilter) => [...BOARD, filter];
const NEWEST_FIRST = { sort: 'created_at', order: 'desc' } as const;

/** How far a board is scrolled, so that it is there again when somebody comes back from a job. */
export interface BoardView {
  /** In pixels, of the board sideways and of its columns. */
  readonly scrolled: Map<JobStatus | 'board', number>;
  /** How high its cards are. */
  readonly measured: Map<JobStatus, VirtualItem[]>;
  /** How many rows of a column are needed for it. */
  readonly depths: Map<JobStatus, number>;
}

const views = new WeakMap<QueryClient, Map<string, BoardView>>();

export function boardViewOf(queryClient: QueryClient, filter: BoardFilter): BoardView {
  const ofClient = views.get(queryClient) ?? new Map<string, BoardView>();
  views.set(queryClient, ofClient);
  const key = JSON.stringify(filter);
  const view = ofClient.get(key) ?? { scrolled: new Map(), measured: new Map(), depths: new Map() };
  ofClient.set(key, view);
  return view;
}

/** Of a column that is scrolled far down, only so many pages are read again. */
const MAX_PAGES = 10;

/** All columns in one call; of those that are scrolled down, also the pages that show. */
export function boardOptions(filter: BoardFilter) {
  return queryOptions({
    queryKey: keyOf(filter),
    queryFn: async ({ client, signal }): Promise<Board> => {
      const shown = client.getQueryData<Board>(keyOf(filter));
      const view = boardViewOf(client, filter);
      const { columns } = await api.board.get(filter, { signal });
      const columnShown = ({ status }: BoardColumn) => shown?.columns.find((column) => column.status === status);
      const wantedOf = (column: BoardColumn) => Math.min(columnShown(column)?.rows.length ?? 0, view.depths.get(column.status) ?? 0);
      const readFurther = async (column: BoardColumn): Promise<BoardColumn> => {
        let { rows, next_cursor } = column;
        for (let pages = 1; next_cursor !== null && rows.length < wantedOf(column) && pages < MAX_PAGES; pages += 1) {
          const page = await api.jobs.list({ ...filter, ...NEWEST_FIRST, status: column.status, cursor: next_cursor }, { signal });
          rows = uniqueRows([{ rows }, page]);
          next_cursor = page.next_cursor;
        }
        return { ...column, rows, next_cursor };
      };
      const read = await Promise.all(columns.map(readFurther));
      const known = new Set(read.flatMap(({ rows }) => rows.map(({ id }) => id)));
      // What somebody looks at further down stays as it was.
      return {
        columns: read.map((column) => (column.rows.length < wantedOf(column) ? withRest(column, columnShown(column), known) : column)),
      };
    },
    placeholderData: keepPreviousData,
    // Its cards name customers and people.
    meta: { inlineErrors: true, topics: ['jobs', 'customers', 'staff'] },
  });
}

/** The board as it is once the moves under way have arrived: one that fails takes its card back by itself. */
export function useBoard(filter: BoardFilter) {
  const query = useQuery(boardOptions(filter));
  const moves = useMutationState({
    filters: { mutationKey: MOVES, status: 'pending' },
    select: ({ state }) => state.variables as Move,
  });
  const { data } = query;
  const board = useMemo(() => data && moves.reduce((now, { id, status }) => withStatus(now, id, status), data), [data, moves]);
  return { ...query, data: board };
}

/** Reads the next page of a column. */
export function useMoreJobs(filter: BoardFilter, { status, next_cursor: cursor }: BoardColumn) {
  const queryClient = useQueryClient();
  const [failed, setFailed] = useState<{ cursor: string; message: string }>();
  const reading = useRef<string>(undefined);
  const read = useCallback(async () => {
    if (cursor === null || reading.current === cursor) return;
    reading.current = cursor;
    setFailed(undefined);
    try {
      const page = await api.jobs.list({ ...filter, ...NEWEST_FIRST, status, cursor });
      queryClient.setQueryData<Board>(keyOf(filter), (board) => board && appendPage(board, status, cursor, page));
    } catch (error) {
      setFailed({ cursor, message: messageOf(error) });
    } finally {
      if (reading.current === cursor) reading.current = undefined;
    }
  }, [queryClient, filter, status, cursor]);
  return { read, problem: failed?.cursor === cursor ? failed?.message : undefined };
}

/** A column that was read anew in the meantime ends elsewhere: it asks again. */
function appendPage(board: Board, status: JobStatus, cursor: string, page: Pick<BoardColumn, 'rows' | 'next_cursor'>): Board {
  const columns = board.columns.map((column) =>
    column.status === status && column.next_cursor === cursor
      ? { ...column, rows: uniqueRows([column, page]), next_cursor: page.next_cursor }
      : column,
  );
  return { ...board, columns };
}

export interface Move {
  readonly id: string;
  readonly from: JobStatus;
  readonly status: JobStatus;
  /** Its timer runs, as the card says; or it was stopped by the move that this one takes back. */
  readonly timer?: 'running' | 'stopped' | undefined;
}

const TIMER_TEXTS = { running: 'Timer stopped.', stopped: 'Its timer is still stopped.' };

const labelOf = (status: JobStatus) => statusPill(status).text;

/** The status that somebody else has given the job. */
const statusMeanwhile = (error: unknown) => (hasCode(error, 'STALE_VERSION') ? (error.data as { current: Job }).current.status : undefined);

function reasonOf(error: unknown): string {
  const status = statusMeanwhile(error);
  if (status) return `Someone else has changed this job. It is ${labelOf(status).toLowerCase()} now.`;
  return hasCode(error, 'NOT_FOUND') ? 'Someone else has deleted this job.' : messageOf(error);
}

/** A card has one message: the one about its last move. */
const toastOf = (id: string) => `board move ${id}`;

/** The card is not where its next moves were to start from. */
function dropWaiting(queryClient: QueryClient, id: string): void {
  const moves = queryClient.getMutationCache();
  const waiting = moves.findAll({ mutationKey: MOVES, predicate: ({ state }) => state.isPaused && (state.variables as Move).id === id });
  for (const move of waiting) moves.remove(move);
}

/** Names the first of some clashes of a job with this start. The calendar has the words, which comes after the board. */
export type ClashWords = (clash: Clash, count: number, start: string) => Promise<string>;

/** One after the other: of two moves of one card the second starts where the first has ended. */
export function useMoveJob(clashWords: ClashWords): (move: Move) => void {
  const queryClient = useQueryClient();
  const show = async (id: string, status: JobStatus | undefined) => {
    // An answer that was sent before the change would take it back for a moment.
    await queryClient.cancelQueries({ queryKey: BOARD });
    queryClient.setQueriesData<Board>({ queryKey: BOARD }, (board) => board && withStatus(board, id, status));
  };
  const { mutate } = useMutation({
    mutationKey: MOVES,
    scope: { id: 'board moves' },
    mutationFn: ({ id, status, from }: Move) => api.jobs.setStatus({ id, status, from }),
    // From here on the move before can no longer be undone.
    onMutate: ({ id }) => toast.dismiss(toastOf(id)),
    onSuccess: async ({ clashes, ...job }, { id, from, status, timer }) => {
      await show(id, job.status);
      showJob(queryClient, job);
      // Payments may have made it something else than what was chosen.
      const isThere = job.status === status;
      if (!isThere) dropWaiting(queryClient, id);
      const stood = job.timer.timer_status === 'started' ? undefined : timer;
      const back = { id, from: status, status: from, ...(stood === 'running' && { timer: 'stopped' as const }) };
      const [clash] = clashes;
      const named =
        clash && job.booking_date ? await clashWords(clash, clashes.length, job.booking_date).catch(() => undefined) : undefined;
      const text = [`Job moved to ${labelOf(job.status)}`, [stood && TIMER_TEXTS[stood], named].filter(Boolean).join(' ')];
      toast.success(text.filter(Boolean).join('. '), {
        id: toastOf(id),
        ...(isThere && { action: { label: 'Undo', run: () => mutate(back) } }),
      });
    },
    onError: async (error, { id }) => {
      dropWaiting(queryClient, id);
      const status = statusMeanwhile(error);
      if (status || hasCode(error, 'NOT_FOUND')) await show(id, status);
    },
    meta: { failure: (error) => `Failed to update job status: ${reasonOf(error)}`, refreshes: [jobKeys.all, ['timer']] },
  });
  return mutate;
}
