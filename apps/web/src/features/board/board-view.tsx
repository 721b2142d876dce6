import type { BoardFilter } from '@callout/contract/board';
import type { JobRow } from '@callout/contract/jobs';
import type { JobStatus } from '@callout/domain/jobs/job';
import { useQueryClient } from '@tanstack/react-query';
import { type FocusEvent, type RefObject, useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { classes } from '../../ui/classes.ts';
import { boardViewOf, type ClashWords, type BoardView as Place, useMoveJob } from './board.api.ts';
import { CardFace, DraggingContext, HOW_TO_MOVE } from './board-card.tsx';
import { BoardColumn } from './board-column.tsx';
import { type Board, withRow } from './board-columns.ts';
import { ColumnChips, centerColumn } from './column-chips.tsx';
import { useCardDragging } from './use-card-dragging.ts';
import { useCardKeys } from './use-card-keys.ts';

/** As long as a card takes to fade. */
const FADE_MS = 160;

interface BoardViewProps {
  board: Board;
  filter: BoardFilter;
  /** The cards answer the filter before this one. */
  isOld: boolean;
  clashWords: ClashWords;
}

/** The columns with their cards, and all that moves them. */
export function BoardView({ board, filter, isOld, clashWords }: BoardViewProps) {
  const view = boardViewOf(useQueryClient(), filter);
  const scroller = useRef<HTMLDivElement>(null);
  const { leaving, move } = useMoving(clashWords);
  const { dragging, dragged, target: dropTarget, ghost } = useCardDragging(board, move);
  const { focused, onFocus, onBlur, focusCard } = useCardFocus(scroller, leaving);
  const { picked, announcement, onKeyDown, cancel } = useCardKeys(board, { move, focusCard, scroller });

  const columns = useMemo(
    () =>
      board.columns.map((column) => {
        const extra = [leaving, dragged].flatMap((card) => (card?.from === column.status ? [card.row] : []));
        // In the hand it stays where it was taken from, wherever somebody else has moved it.
        const isElsewhere = dragged !== undefined && dragged.from !== column.status;
        const rows = isElsewhere ? column.rows.filter(({ id }) => id !== dragged.row.id) : column.rows;
        return extra.length === 0 && rows.length === column.rows.length ? column : { ...column, rows: [...extra.reduce(withRow, rows)] };
      }),
    [board, leaving, dragged],
  );
  const kept = useMemo(() => [focused, dragged?.row.id], [focused, dragged]);
  const target = dropTarget ?? picked?.to;
  useSidewaysPlace(scroller, board, { view, isOld });

  return (
    <DraggingContext value={dragging}>
      <ColumnChips columns={board.columns} scroller={scroller} target={target} />
      {/* The arrow keys are a shortcut beside Tab, which reaches every card as well. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div
        ref={scroller}
        onKeyDown={onKeyDown}
        onFocus={onFocus}
        onBlur={(event) => {
          cancel();
          onBlur(event);
        }}
        onScroll={({ currentTarget }) => void (isOld || view.scrolled.set('board', currentTarget.scrollLeft))}
        className={classes(
          'relative -mx-4 flex min-h-0 flex-1 gap-3 overflow-x-auto px-4 pb-2 transition-opacity duration-120 lg:-mx-6 lg:px-6 lg:pb-3',
          dragged ? '' : 'snap-x snap-mandatory lg:snap-none',
          isOld && 'opacity-60',
        )}
      >
        {columns.map((column) => (
          <BoardColumn
            key={column.status}
            column={column}
            filter={filter}
            view={view}
            kept={kept}
            leaving={leaving?.from === column.status ? leaving.row.id : undefined}
            lifted={dragged?.row.id ?? picked?.id}
            isTarget={target === column.status}
            isDragging={dragged !== undefined}
            onMove={move}
          />
        ))}
      </div>
      {dragged && (
        <div ref={ghost} aria-hidden="true" className="pointer-events-none fixed top-0 left-0 z-50" style={{ width: dragged.width }}>
          <div className="rotate-2 rounded-control bg-raised shadow-float">
            <CardFace row={dragged.row} />
          </div>
        </div>
      )}
      <p id={HOW_TO_MOVE} hidden>
        Press Space to move this job to another column.
      </p>
      <p aria-live="polite" className="sr-only">
        {announcement}
      </p>
    </DraggingContext>
  );
}

/** Where the board was left; one that is new, for what was searched, where the first cards are. */
function useSidewaysPlace(scroller: RefObject<HTMLElement | null>, board: Board, { view, isOld }: { view: Place; isOld: boolean }) {
  const showCards = useEffectEvent(() => {
    const element = scroller.current;
    if (!element) return;
    const left = view.scrolled.get('board');
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
    if (!isOld) showCards();
  }, [view, isOld]);
}

export interface MovedCard {
  readonly row: JobRow;
  readonly from: JobStatus;
}

/** Moves a card; for a moment it can still be seen fading out of its old column. */
function useMoving(clashWords: ClashWords) {
  const moveJob = useMoveJob(clashWords);
  const [leaving, setLeaving] = useState<MovedCard>();
  useEffect(() => {
    if (!leaving) return undefined;
    const timer = setTimeout(() => setLeaving(undefined), FADE_MS);
    return () => clearTimeout(timer);
  }, [leaving]);
  const latest = useRef(moveJob);
  useLayoutEffect(() => {
    latest.current = moveJob;
  });
  const [move] = useState(() => (row: JobRow, from: JobStatus, status: JobStatus) => {
    if (from === status) return;
    setLeaving({ row, from });
    latest.current({ id: row.id, from, status, timer: row.timer_status === 'started' ? 'running' : undefined });
  });
  return { leaving, move };
}

/** A card that changes its column takes the focus along, whoever moved it; of one that is gone, another card of its column gets it. */
function useCardFocus(scroller: RefObject<HTMLElement | null>, leaving: MovedCard | undefined) {
  const [focused, setFocused] = useState<string>();
  const column = useRef<string>(undefined);
  const cardOf = (id: string) => scroller.current?.querySelector<HTMLElement>(`[data-card="${id}"]`);

  useEffect(() => {
    if (focused === undefined || leaving || document.activeElement !== document.body) return;
    const neighbor = scroller.current?.querySelector<HTMLElement>(`[data-column="${column.current}"] [data-card]`);
    const next = cardOf(focused) ?? neighbor ?? document.getElementById('main');
    next?.focus({ preventScroll: next.dataset['card'] !== focused });
  });

  return {
    focused,
    /** A card that is scrolled far away is rendered before it can take the focus. */
    focusCard: (id: string) => {
      flushSync(() => setFocused(id));
      cardOf(id)?.focus();
    },
    // The menu of a card is shown outside of the board, but its events arrive here.
    onFocus: ({ target }: FocusEvent) => {
      if (!scroller.current?.contains(target)) return;
      column.current = target.closest<HTMLElement>('[data-column]')?.dataset['column'];
      setFocused(target.closest('li')?.querySelector<HTMLElement>('[data-card]')?.dataset['card']);
    },
    onBlur: ({ relatedTarget, target }: FocusEvent) => {
      const isInMenu = relatedTarget instanceof Element && relatedTarget.closest('[role="menu"]') !== null;
      // A card that is fading or taken away loses the focus, too.
      const isLeaving = !target.isConnected || target.closest('[inert]') !== null;
      if (!isInMenu && !isLeaving && !scroller.current?.contains(relatedTarget)) setFocused(undefined);
    },
  };
}
