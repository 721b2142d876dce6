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
import { getErrorMessage, hasErrorCode } from '../../lib/error-messages.ts';
import { getUniqueRows } from '../../lib/query-cache.ts';
import { toast } from '../../ui/toast.ts';
import { getJobStatusPill } from '../jobs/job-list-filter.ts';
import { cacheJob, jobKeys } from '../jobs/jobs.api.ts';
import { BILLED_JOB_MESSAGE, getStatusToastId } from '../jobs/jobs-status.api.ts';
import { type Board, withJobStatus, withPreviousTail } from './board-columns.ts';

const BOARD_QUERY_KEY = [...jobKeys.all, 'board'];
const MOVE_MUTATION_KEY = ['board moves'];

const getBoardQueryKey = (filter: BoardFilter) => [...BOARD_QUERY_KEY, filter];
const NEWEST_FIRST = { sort: 'created_at', order: 'desc' } as const;

/** A board's scroll position, restored when the user returns from a job. */
export interface BoardScrollState {
  /** Scroll offsets in pixels: horizontal for 'board', vertical for each column. */
  readonly offsets: Map<JobStatus | 'board', number>;
  readonly measurements: Map<JobStatus, VirtualItem[]>;
  /** Number of rows each column must load before its scroll position can be restored. */
  readonly neededRows: Map<JobStatus, number>;
}

const scrollStates = new WeakMap<QueryClient, Map<string, BoardScrollState>>();

export function getBoardScrollState(queryClient: QueryClient, filter: BoardFilter): BoardScrollState {
  const statesOfClient = scrollStates.get(queryClient) ?? new Map<string, BoardScrollState>();
  scrollStates.set(queryClient, statesOfClient);
  const key = JSON.stringify(filter);
  const scrollState = statesOfClient.get(key) ?? { offsets: new Map(), measurements: new Map(), neededRows: new Map() };
  statesOfClient.set(key, scrollState);
  return scrollState;
}

/** Maximum number of pages to refetch per column, so that a column scrolled far down doesn't slow every refetch. */
const MAX_REFETCHED_PAGES = 10;

/** Reads all columns in one call, then the further pages that a scrolled column needs. */
export function boardQueryOptions(filter: BoardFilter) {
  return queryOptions({
    queryKey: getBoardQueryKey(filter),
    queryFn: async ({ client, signal }): Promise<Board> => {
      const cached = client.getQueryData<Board>(getBoardQueryKey(filter));
      const { neededRows } = getBoardScrollState(client, filter);
      const { columns } = await api.board.get(filter, { signal });
      const findCachedColumn = ({ status }: BoardColumn) => cached?.columns.find((column) => column.status === status);
      const countNeeded = (column: BoardColumn) => Math.min(findCachedColumn(column)?.rows.length ?? 0, neededRows.get(column.status) ?? 0);
      const readNeededPages = async (column: BoardColumn): Promise<BoardColumn> => {
        let { rows, next_cursor } = column;
        for (let pages = 1; next_cursor !== null && rows.length < countNeeded(column) && pages < MAX_REFETCHED_PAGES; pages += 1) {
          const page = await api.jobs.list({ ...filter, ...NEWEST_FIRST, status: column.status, cursor: next_cursor }, { signal });
          rows = getUniqueRows([{ rows }, page]);
          next_cursor = page.next_cursor;
        }
        return { ...column, rows, next_cursor };
      };
      const refetched = await Promise.all(columns.map(readNeededPages));
      const refetchedIds = new Set(refetched.flatMap(({ rows }) => rows.map(({ id }) => id)));
      // Rows beyond MAX_REFETCHED_PAGES weren't refetched. Take those rows from the cache, so that they don't disappear.
      return {
        columns: refetched.map((column) =>
          column.rows.length < countNeeded(column) ? withPreviousTail(column, findCachedColumn(column), refetchedIds) : column,
        ),
      };
    },
    placeholderData: keepPreviousData,
    // Cards show customer and staff names, so a changed name must also refetch the board.
    meta: { inlineErrors: true, topics: ['jobs', 'customers', 'staff'] },
  });
}

/** Reads the board with pending moves already applied. If a move fails, its card returns to the old column. */
export function useBoard(filter: BoardFilter) {
  const query = useQuery(boardQueryOptions(filter));
  const moves = useMutationState({
    filters: { mutationKey: MOVE_MUTATION_KEY, status: 'pending' },
    select: ({ state }) => state.variables as JobMove,
  });
  const { data } = query;
  const board = useMemo(() => data && moves.reduce((current, { id, status }) => withJobStatus(current, id, status), data), [data, moves]);
  return { ...query, data: board };
}

export function useNextColumnPage(filter: BoardFilter, { status, next_cursor: cursor }: BoardColumn) {
  const queryClient = useQueryClient();
  const [failed, setFailed] = useState<{ cursor: string; message: string }>();
  const pendingCursor = useRef<string>(undefined);
  const loadNextPage = useCallback(async () => {
    if (cursor === null || pendingCursor.current === cursor) return;
    pendingCursor.current = cursor;
    setFailed(undefined);
    try {
      const page = await api.jobs.list({ ...filter, ...NEWEST_FIRST, status, cursor });
      queryClient.setQueryData<Board>(getBoardQueryKey(filter), (board) => board && appendPage(board, status, cursor, page));
    } catch (error) {
      setFailed({ cursor, message: getErrorMessage(error) });
    } finally {
      if (pendingCursor.current === cursor) pendingCursor.current = undefined;
    }
  }, [queryClient, filter, status, cursor]);
  return { loadNextPage, errorMessage: failed?.cursor === cursor ? failed?.message : undefined };
}

/** Appends `page` to a column. Ignores a page whose `cursor` is outdated because the column was refetched meanwhile. */
function appendPage(board: Board, status: JobStatus, cursor: string, page: Pick<BoardColumn, 'rows' | 'next_cursor'>): Board {
  const columns = board.columns.map((column) =>
    column.status === status && column.next_cursor === cursor
      ? { ...column, rows: getUniqueRows([column, page]), next_cursor: page.next_cursor }
      : column,
  );
  return { ...board, columns };
}

export interface JobMove {
  readonly id: string;
  readonly from: JobStatus;
  readonly status: JobStatus;
  /** 'running' if the card shows a running timer; 'stopped' if this move undoes one that stopped the timer. */
  readonly timer?: 'running' | 'stopped' | undefined;
  readonly is_undo?: true;
}

const TIMER_MESSAGES = { running: 'Timer stopped.', stopped: 'Its timer is still stopped.' };

const getStatusLabel = (status: JobStatus) => getJobStatusPill(status).text;

/** Returns the job's current status if the move failed because someone else had changed the job. */
const findConflictingStatus = (error: unknown) =>
  hasErrorCode(error, 'STALE_VERSION') ? (error.data as { current: Job }).current.status : undefined;

function formatMoveError(error: unknown): string {
  const status = findConflictingStatus(error);
  if (status) return `Someone else has changed this job. It is ${getStatusLabel(status).toLowerCase()} now.`;
  return hasErrorCode(error, 'NOT_FOUND') ? 'Someone else has deleted this job.' : getErrorMessage(error);
}

/** Discards a card's queued moves, because the card isn't in the column where those moves start. */
function discardQueuedMoves(queryClient: QueryClient, id: string): void {
  const moves = queryClient.getMutationCache();
  const queued = moves.findAll({
    mutationKey: MOVE_MUTATION_KEY,
    predicate: ({ state }) => state.isPaused && (state.variables as JobMove).id === id,
  });
  for (const move of queued) moves.remove(move);
}

/** Describes the first of `count` clashes. Passed in by the route, because the board may not import the calendar feature. */
export type ClashFormatter = (clash: Clash, count: number, start: string) => Promise<string>;

/** Offers to cancel a job together with its open invoice. Undefined for people who may not. Passed in by the route, like `ClashFormatter`. */
export type BilledJobCanceler = ((job: { jobId: string }) => Promise<boolean>) | undefined;

/** Returns a function that moves a job to another column. Moves run one at a time, because a second move starts where the first ended. */
export function useMoveJob(formatClash: ClashFormatter, cancelBilledJob: BilledJobCanceler): (move: JobMove) => void {
  const queryClient = useQueryClient();
  const applyStatus = async (id: string, status: JobStatus | undefined) => {
    // Cancels pending reads: a response from before the change would briefly move the card back.
    await queryClient.cancelQueries({ queryKey: BOARD_QUERY_KEY });
    queryClient.setQueriesData<Board>({ queryKey: BOARD_QUERY_KEY }, (board) => board && withJobStatus(board, id, status));
  };
  const offerCancellation = async (jobId: string) => {
    if (await cancelBilledJob?.({ jobId })) await applyStatus(jobId, 'canceled');
  };
  const { mutate } = useMutation({
    mutationKey: MOVE_MUTATION_KEY,
    scope: { id: 'board moves' },
    mutationFn: ({ id, status, from, is_undo }: JobMove) => api.jobs.setStatus({ id, status, from, ...(is_undo && { is_undo }) }),
    // The previous move can no longer be undone, so hide its toast with the Undo button.
    onMutate: ({ id }) => toast.dismiss(getStatusToastId(id)),
    onSuccess: async ({ clashes, ...job }, { id, from, status, timer }) => {
      await applyStatus(id, job.status);
      cacheJob(queryClient, job);
      // Payments can set a status other than the requested one. Undo expects the requested status, so offer it only on a match.
      const hasRequestedStatus = job.status === status;
      if (!hasRequestedStatus) discardQueuedMoves(queryClient, id);
      const stoppedTimer = job.timer.timer_status === 'started' ? undefined : timer;
      const undo = {
        id,
        from: status,
        status: from,
        is_undo: true as const,
        ...(stoppedTimer === 'running' && { timer: 'stopped' as const }),
      };
      const [clash] = clashes;
      const clashText =
        clash && job.booking_date ? await formatClash(clash, clashes.length, job.booking_date).catch(() => undefined) : undefined;
      const details = [stoppedTimer && TIMER_MESSAGES[stoppedTimer], clashText].filter(Boolean).join(' ');
      const text = [`Job moved to ${getStatusLabel(job.status)}`, details];
      toast.success(text.filter(Boolean).join('. '), {
        id: getStatusToastId(id),
        ...(hasRequestedStatus && { action: { label: 'Undo', run: () => mutate(undo) } }),
      });
    },
    onError: async (error, { id }) => {
      discardQueuedMoves(queryClient, id);
      const status = findConflictingStatus(error);
      if (status || hasErrorCode(error, 'NOT_FOUND')) await applyStatus(id, status);
      // Not awaited: the next move would wait for the dialog.
      if (hasErrorCode(error, 'JOB_BILLED')) void offerCancellation(id);
    },
    meta: {
      failure: (error) => {
        const isBilled = hasErrorCode(error, 'JOB_BILLED');
        if (isBilled && cancelBilledJob) return undefined;
        return `Failed to update job status: ${isBilled ? BILLED_JOB_MESSAGE : formatMoveError(error)}`;
      },
      invalidates: [jobKeys.all, ['timer']],
    },
  });
  return mutate;
}
