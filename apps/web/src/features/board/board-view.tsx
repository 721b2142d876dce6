import type { BoardFilter } from '@callout/contract/board';
import type { JobRow } from '@callout/contract/jobs';
import type { JobStatus } from '@callout/domain/jobs/job';
import { useQueryClient } from '@tanstack/react-query';
import { type FocusEvent, type RefObject, useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { classNames } from '../../ui/class-names.ts';
import { toNamedJob } from '../jobs/jobs.api.ts';
import { type BilledJobCanceler, type BoardScrollState, type ClashFormatter, getBoardScrollState, useMoveJob } from './board.api.ts';
import { BoardCardContent, CardDragContext, MOVE_INSTRUCTIONS_ID } from './board-card.tsx';
import { BoardColumn } from './board-column.tsx';
import { type Board, insertSortedRow } from './board-columns.ts';
import { ColumnChips, centerColumn } from './column-chips.tsx';
import { useCardDragging } from './use-card-dragging.ts';
import { useCardKeyboardControls } from './use-card-keyboard-controls.ts';

/** Must match the `duration-160` class of the card. */
const FADE_DURATION_MS = 160;

interface BoardViewProps {
  board: Board;
  filter: BoardFilter;
  /** True while the board still shows the previous filter's results. */
  isOutdated: boolean;
  formatClash: ClashFormatter;
  cancelBilledJob: BilledJobCanceler;
}

export function BoardView({ board, filter, isOutdated, formatClash, cancelBilledJob }: BoardViewProps) {
  const scrollState = getBoardScrollState(useQueryClient(), filter);
  const scroller = useRef<HTMLDivElement>(null);
  const { leaving, move } = useCardMoves(formatClash, cancelBilledJob);
  const { dragManager, dragged, target: dragTarget, ghost } = useCardDragging(board, move);
  const { focusedId, onFocus, onBlur, focusCard } = useCardFocus(scroller, leaving);
  const { picked, announcement, onKeyDown, cancel } = useCardKeyboardControls(board, { move, focusCard, scroller });

  const columns = useMemo(
    () =>
      board.columns.map((column) => {
        const extra = [leaving, dragged].flatMap((card) => (card?.from === column.status ? [card.row] : []));
        // A dragged card stays in the column where the drag began, even if a colleague moves the job during the drag.
        const isElsewhere = dragged !== undefined && dragged.from !== column.status;
        const rows = isElsewhere ? column.rows.filter(({ id }) => id !== dragged.row.id) : column.rows;
        return extra.length === 0 && rows.length === column.rows.length
          ? column
          : { ...column, rows: [...extra.reduce(insertSortedRow, rows)] };
      }),
    [board, leaving, dragged],
  );
  const pinnedIds = useMemo(() => [focusedId, dragged?.row.id], [focusedId, dragged]);
  const dropTarget = dragTarget ?? picked?.to;
  useScrollRestoration(scroller, board, scrollState, isOutdated);

  return (
    <CardDragContext value={dragManager}>
      <ColumnChips columns={board.columns} scroller={scroller} dropTarget={dropTarget} />
      {/* Arrow keys are only a shortcut: Tab reaches every card too, so the board needs no widget role. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div
        ref={scroller}
        onKeyDown={onKeyDown}
        onFocus={onFocus}
        onBlur={(event) => {
          cancel();
          onBlur(event);
        }}
        onScroll={({ currentTarget }) => void (isOutdated || scrollState.offsets.set('board', currentTarget.scrollLeft))}
        className={classNames(
          'relative -mx-4 flex min-h-0 flex-1 gap-3 overflow-x-auto px-4 pb-2 transition-opacity duration-120 lg:-mx-6 lg:px-6 lg:pb-3',
          dragged ? '' : 'snap-x snap-mandatory lg:snap-none',
          isOutdated && 'opacity-60',
        )}
      >
        {columns.map((column) => (
          <BoardColumn
            key={column.status}
            column={column}
            filter={filter}
            scrollState={scrollState}
            pinnedIds={pinnedIds}
            leavingId={leaving?.from === column.status ? leaving.row.id : undefined}
            liftedId={dragged?.row.id ?? picked?.id}
            isDropTarget={dropTarget === column.status}
            isDragging={dragged !== undefined}
            onMove={move}
          />
        ))}
      </div>
      {dragged && (
        <div ref={ghost} aria-hidden="true" className="pointer-events-none fixed top-0 left-0 z-50" style={{ width: dragged.width }}>
          <div className="rotate-2 rounded-control bg-raised shadow-float">
            <BoardCardContent row={dragged.row} />
          </div>
        </div>
      )}
      <p id={MOVE_INSTRUCTIONS_ID} hidden>
        Press Space to move this job to another column.
      </p>
      <p aria-live="polite" className="sr-only">
        {announcement}
      </p>
    </CardDragContext>
  );
}

/** Restores the board's horizontal scroll position. If no position was saved, makes sure that a column with cards is in view. */
function useScrollRestoration(scroller: RefObject<HTMLElement | null>, board: Board, scrollState: BoardScrollState, isOutdated: boolean) {
  const restoreScroll = useEffectEvent(() => {
    const element = scroller.current;
    if (!element) return;
    const left = scrollState.offsets.get('board');
    element.scrollTo({ left: left ?? 0 });
    if (left !== undefined) return;
    const { left: start, right: end } = element.getBoundingClientRect();
    const sections = board.columns
      .filter(({ rows }) => rows.length > 0)
      .map(({ status }) => element.querySelector(`[data-column="${status}"]`));
    const isInView = sections.some((section) => {
      const box = section?.getBoundingClientRect();
      return box !== undefined && box.left >= start && (box.left + box.right) / 2 <= end;
    });
    const [first] = sections;
    if (!isInView && first) centerColumn(element, first);
  });
  useLayoutEffect(() => {
    if (!isOutdated) restoreScroll();
  }, [scrollState, isOutdated]);
}

export interface MovedCard {
  readonly row: JobRow;
  readonly from: JobStatus;
}

/** Moves cards. A moved card stays in its old column as `leaving` until it has faded out. */
function useCardMoves(formatClash: ClashFormatter, cancelBilledJob: BilledJobCanceler) {
  const moveJob = useMoveJob(formatClash, cancelBilledJob);
  const [leaving, setLeaving] = useState<MovedCard>();
  useEffect(() => {
    if (!leaving) return undefined;
    const timer = setTimeout(() => setLeaving(undefined), FADE_DURATION_MS);
    return () => clearTimeout(timer);
  }, [leaving]);
  const latestMoveJob = useRef(moveJob);
  useLayoutEffect(() => {
    latestMoveJob.current = moveJob;
  });
  const [move] = useState(() => (row: JobRow, from: JobStatus, status: JobStatus) => {
    if (from === status) return;
    setLeaving({ row, from });
    latestMoveJob.current({ job: toNamedJob(row), from, status, timer: row.timer_status === 'started' ? 'running' : undefined });
  });
  return { leaving, move };
}

/** Keeps the focus on a card that changes columns. If the card disappears, moves the focus to the first card in its column. */
function useCardFocus(scroller: RefObject<HTMLElement | null>, leaving: MovedCard | undefined) {
  const [focusedId, setFocusedId] = useState<string>();
  const column = useRef<string>(undefined);
  const findCardElement = (id: string) => scroller.current?.querySelector<HTMLElement>(`[data-card="${id}"]`);

  useEffect(() => {
    if (focusedId === undefined || leaving || document.activeElement !== document.body) return;
    const neighbor = scroller.current?.querySelector<HTMLElement>(`[data-column="${column.current}"] [data-card]`);
    const next = findCardElement(focusedId) ?? neighbor ?? document.getElementById('main');
    next?.focus({ preventScroll: next.dataset['card'] !== focusedId });
  });

  return {
    focusedId,
    /** Renders the card before focusing it, because cards scrolled out of view aren't in the DOM. */
    focusCard: (id: string) => {
      flushSync(() => setFocusedId(id));
      findCardElement(id)?.focus();
    },
    // React bubbles focus events from a card's menu to the board, although the menu is outside the board's DOM. Ignore those.
    onFocus: ({ target }: FocusEvent) => {
      if (!scroller.current?.contains(target)) return;
      column.current = target.closest<HTMLElement>('[data-column]')?.dataset['column'];
      setFocusedId(target.closest('li')?.querySelector<HTMLElement>('[data-card]')?.dataset['card']);
    },
    onBlur: ({ relatedTarget, target }: FocusEvent) => {
      const isInMenu = relatedTarget instanceof Element && relatedTarget.closest('[role="menu"]') !== null;
      // A card that fades out or is removed also loses the focus, but that doesn't mean the user has left the board.
      const isLeaving = !target.isConnected || target.closest('[inert]') !== null;
      if (!isInMenu && !isLeaving && !scroller.current?.contains(relatedTarget)) setFocusedId(undefined);
    },
  };
}
