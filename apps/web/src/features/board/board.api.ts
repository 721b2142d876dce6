import type { BoardColumn, BoardFilter } from '@callout/contract/board';
import type { Clash } from '@callout/contract/clash';
import type { Job } from '@callout/contract/jobs';
import type { JobStatus } from '@callout/domain/jobs/job';
import { keepPreviousData, type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { VirtualItem } from '@tanstack/react-virtual';
import { useCallback, useRef, useState } from 'react';
import { api } from '../../lib/api.ts';
import { addOverlays, overlay } from '../../lib/commands/define-command.ts';
import { useOverlays } from '../../lib/commands/overlays.ts';
import { useCommand } from '../../lib/commands/use-command.ts';
import { getErrorMessage, hasErrorCode, reportFailure } from '../../lib/error-messages.ts';
import { getUniqueRows } from '../../lib/query-cache.ts';
import { toast } from '../../ui/toast.ts';
import { getJobStatusPill } from '../jobs/job-list-filter.ts';
import { jobKeys } from '../jobs/jobs.api.ts';
import { BILLED_JOB_MESSAGE, getStatusToastId, type StatusChange, setJobStatus } from '../jobs/jobs-status.api.ts';
import { type Board, withJobStatus, withPreviousTail } from './board-columns.ts';

const BOARD_QUERY_KEY = [...jobKeys.all, 'board'];

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

/** Reads the board with the moves that wait. If a move is refused, its card returns to the old column. */
export function useBoard(filter: BoardFilter) {
  return useQuery({ ...boardQueryOptions(filter), select: useOverlays<Board>(getBoardQueryKey(filter)) });
}

addOverlays(setJobStatus, ({ job, status }) => [overlay<Board>(BOARD_QUERY_KEY, (board) => withJobStatus(board, job.id, status))]);

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

export interface JobMove extends StatusChange {
  /** 'running' if the card shows a running timer; 'stopped' if this move undoes one that stopped the timer. */
  readonly timer?: 'running' | 'stopped' | undefined;
}

const TIMER_MESSAGES = { running: 'Timer stopped.', stopped: 'Its timer is still stopped.' };

const getStatusLabel = (status: JobStatus) => getJobStatusPill(status).text;

/** Returns the job's current status if the move failed because someone else had changed the job. */
const findConflictingStatus = (error: unknown) =>
  hasErrorCode(error, 'STALE_VERSION') ? (error.data as { current: Job }).current.status : undefined;

function formatMoveError(error: unknown): string {
  const status = findConflictingStatus(error);
  if (status) return `Someone else has changed this job. It is ${getStatusLabel(status).toLowerCase()} now.`;
  if (hasErrorCode(error, 'JOB_BILLED')) return BILLED_JOB_MESSAGE;
  return hasErrorCode(error, 'NOT_FOUND') ? 'Someone else has deleted this job.' : getErrorMessage(error);
}

/** Describes the first of `count` clashes. Passed in by the route, because the board may not import the calendar feature. */
export type ClashFormatter = (clash: Clash, count: number, start: string) => Promise<string>;

/** Offers to cancel a job together with its open invoice. Undefined for people who may not. Passed in by the route, like `ClashFormatter`. */
export type BilledJobCanceler = ((job: { jobId: string }) => Promise<boolean>) | undefined;

/** Returns a function that moves a job to another column. */
export function useMoveJob(formatClash: ClashFormatter, cancelBilledJob: BilledJobCanceler): (move: JobMove) => void {
  const queryClient = useQueryClient();
  const showStatus = (id: string, status: JobStatus | undefined) =>
    queryClient.setQueriesData<Board>({ queryKey: BOARD_QUERY_KEY }, (board) => board && withJobStatus(board, id, status));
  const offerCancellation = async (jobId: string) => {
    if (await cancelBilledJob?.({ jobId })) showStatus(jobId, 'canceled');
  };
  const reportMove = async ({ clashes, ...saved }: Job & { clashes: readonly Clash[] }, { job, from, status, timer }: JobMove) => {
    // Undo expects the requested status, so offer it only on a match.
    const hasRequestedStatus = saved.status === status;
    if (!hasRequestedStatus) showStatus(job.id, saved.status);
    const stoppedTimer = saved.timer.timer_status === 'started' ? undefined : timer;
    const undo: JobMove = { job, from: status, status: from, isUndo: true, ...(stoppedTimer === 'running' && { timer: 'stopped' }) };
    const [clash] = clashes;
    const clashText =
      clash && saved.booking_date ? await formatClash(clash, clashes.length, saved.booking_date).catch(() => undefined) : undefined;
    const details = [stoppedTimer && TIMER_MESSAGES[stoppedTimer], clashText].filter(Boolean).join(' ');
    const text = [`Job moved to ${getStatusLabel(saved.status)}`, details];
    toast.success(text.filter(Boolean).join('. '), {
      id: getStatusToastId(job.id),
      ...(hasRequestedStatus && { action: { label: 'Undo', run: () => move(undo) } }),
    });
  };
  const reportRefusal = (error: unknown, { job }: JobMove) => {
    const status = findConflictingStatus(error);
    if (status || hasErrorCode(error, 'NOT_FOUND')) showStatus(job.id, status);
    if (hasErrorCode(error, 'JOB_BILLED') && cancelBilledJob) void offerCancellation(job.id);
    else reportFailure(error, `Failed to update job status: ${formatMoveError(error)}`);
  };
  const { mutate } = useCommand(setJobStatus, { onAnswer: (answer, change) => void reportMove(answer, change), onRefused: reportRefusal });
  const move = (change: JobMove) => {
    // The previous move can no longer be undone, so hide its toast with the Undo button.
    toast.dismiss(getStatusToastId(change.job.id));
    mutate(change);
  };
  return move;
}
