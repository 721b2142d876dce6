import type { BoardFilter, BoardColumn as ColumnData } from '@callout/contract/board';
import type { JobRow } from '@callout/contract/jobs';
import type { JobStatus } from '@callout/domain/jobs/job';
import { formatCappedCount, isCapped } from '@callout/domain/text/count-format';
import { defaultRangeExtractor, observeElementRect, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { memo, type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StatusPill } from '../../ui/status-pill.tsx';
import { getJobStatusPill } from '../jobs/job-list-filter.ts';
import { type BoardScrollState, useNextColumnPage } from './board.api.ts';
import { BoardCard, type BoardCardState } from './board-card.tsx';

interface BoardColumnProps {
  column: ColumnData;
  filter: BoardFilter;
  scrollState: BoardScrollState;
  /** Ids of cards that stay rendered when scrolled out of view, because removing them would lose focus or end the drag. */
  pinnedIds: readonly (string | undefined)[];
  leavingId: string | undefined;
  liftedId: string | undefined;
  isDropTarget: boolean;
  isDragging: boolean;
  onMove: (row: JobRow, from: JobStatus, to: JobStatus) => void;
}

export const COLUMN_CLASSES =
  'flex w-[85vw] max-w-84 shrink-0 snap-center flex-col rounded-card bg-sunken ring-1 ring-line transition-shadow duration-120 ring-inset lg:w-auto lg:max-w-96 lg:min-w-60 lg:flex-1';

const ESTIMATED_CARD_HEIGHT_PX = 104;
const OVERSCAN_CARDS = 4;
/** The column requests the next page when this many loaded rows, or fewer, are left below the visible rows. */
const PREFETCH_ROWS = 15;

export const BoardColumn = memo(function BoardColumn(props: BoardColumnProps) {
  const { column, filter, scrollState, pinnedIds, isDropTarget, isDragging } = props;
  const { status, rows, total } = column;
  const scroller = useRef<HTMLDivElement>(null);
  const { loadNextPage, errorMessage } = useNextColumnPage(filter, column);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ESTIMATED_CARD_HEIGHT_PX,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: OVERSCAN_CARDS,
    initialOffset: scrollState.offsets.get(status) ?? 0,
    initialMeasurementsCache: scrollState.measurements.get(status) ?? [],
    observeElementRect: observeRectWithFallback,
    measureElement: (element) => element.getBoundingClientRect().height || ESTIMATED_CARD_HEIGHT_PX,
    rangeExtractor: (range) => {
      const indexes = pinnedIds.map((id) => (id === undefined ? -1 : rows.findIndex((row) => row.id === id)));
      return [...new Set([...defaultRangeExtractor(range), ...indexes.filter((index) => index >= 0)])].toSorted((a, b) => a - b);
    },
  });
  useScrollAnchor(virtualizer, scroller, rows);
  useEffect(() => () => void scrollState.measurements.set(status, virtualizer.takeSnapshot()), [scrollState, status, virtualizer]);
  const lastVisible = virtualizer.range?.endIndex ?? -1;
  useEffect(() => {
    scrollState.neededRows.set(status, lastVisible + PREFETCH_ROWS);
    if (lastVisible >= rows.length - PREFETCH_ROWS && errorMessage === undefined) void loadNextPage();
  }, [scrollState, status, lastVisible, rows.length, errorMessage, loadNextPage]);
  const { text, tone } = getJobStatusPill(status);
  const heading = `column-${status}`;
  return (
    <section
      aria-labelledby={heading}
      data-drop={status}
      data-column={status}
      className={classNames(COLUMN_CLASSES, isDropTarget && 'ring-2 ring-accent!')}
    >
      <h2 id={heading} className="flex items-center gap-2 px-3 py-2.5 text-base font-semibold">
        <StatusPill text={text} tone={tone} />
        <span className="text-sm font-medium text-ink-3 tabular-nums">
          {formatCappedCount(total)}
          <span className="sr-only">{total === 1 ? ' job' : ' jobs'}</span>
        </span>
      </h2>
      <div
        ref={scroller}
        onScroll={({ currentTarget }) => void scrollState.offsets.set(status, currentTarget.scrollTop)}
        className="relative min-h-0 flex-1 overflow-y-auto overscroll-y-contain px-2 pt-0.5 pb-2 [scrollbar-width:thin]"
      >
        {rows.length === 0 && (
          <p className="px-2 py-3 text-sm text-ink-3">{isDropTarget && isDragging ? 'Drop it here' : `No ${text.toLowerCase()} jobs`}</p>
        )}
        <BoardCards {...props} virtualizer={virtualizer} />
        {errorMessage !== undefined && (
          <div role="alert" className="space-y-2 p-2 text-sm text-ink-2">
            <p>{errorMessage}</p>
            <Button onClick={() => void loadNextPage()}>Retry</Button>
          </div>
        )}
        {errorMessage === undefined && column.next_cursor !== null && <Skeleton className="h-24 rounded-control" />}
      </div>
    </section>
  );
});

interface BoardCardsProps extends BoardColumnProps {
  virtualizer: Virtualizer<HTMLDivElement, Element>;
}

function BoardCards({ column: { status, rows, total }, leavingId, liftedId, onMove, virtualizer }: BoardCardsProps) {
  if (rows.length === 0) return null;
  const getCardState = (id: string): BoardCardState => (id === leavingId ? 'leaving' : id === liftedId ? 'lifted' : undefined);
  return (
    <ul aria-label={`${getJobStatusPill(status).text} jobs`} className="relative" style={{ height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map(({ key, index, start }) => {
        const row = rows[index];
        if (!row) return null;
        return (
          <li
            key={key}
            ref={virtualizer.measureElement}
            data-index={index}
            aria-setsize={isCapped(total) ? -1 : Math.max(total, rows.length)}
            aria-posinset={index + 1}
            className="absolute inset-x-0 top-0 pb-2"
            style={{ transform: `translateY(${start}px)` }}
          >
            <BoardCard row={row} status={status} state={getCardState(row.id)} onMove={onMove} />
          </li>
        );
      })}
    </ul>
  );
}

/** Reports the window's height while the column has no layout, because a height of 0 would render no cards. */
const observeRectWithFallback: typeof observeElementRect = (instance, report) =>
  observeElementRect(instance, ({ width, height }) => report({ width, height: height || window.innerHeight }));

/** Keeps the visible cards in place when rows above them are added or removed. */
function useScrollAnchor(
  virtualizer: Virtualizer<HTMLDivElement, Element>,
  scroller: RefObject<HTMLDivElement | null>,
  rows: readonly JobRow[],
): void {
  const visibleItems = useRef<readonly { key: unknown; start: number }[]>([]);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element || element.scrollTop === 0) return;
    const indexes = new Map(rows.map(({ id }, index) => [id, index]));
    for (const { key, start } of visibleItems.current) {
      const index = typeof key === 'string' ? indexes.get(key) : undefined;
      const current = index === undefined ? undefined : virtualizer.measurementsCache[index];
      if (!current) continue;
      if (current.start !== start) element.scrollBy({ top: current.start - start });
      return;
    }
  }, [rows, virtualizer, scroller]);
  useLayoutEffect(() => {
    // Uses the virtualizer's offset, because reading `scrollTop` would force a layout on every render.
    const top = virtualizer.scrollOffset ?? 0;
    visibleItems.current = virtualizer.getVirtualItems().filter(({ end }) => end > top);
  });
}
