import type { BoardFilter, BoardColumn as Column } from '@callout/contract/board';
import type { JobRow } from '@callout/contract/jobs';
import type { JobStatus } from '@callout/domain/jobs/job';
import { formatCount } from '@callout/domain/text/count-text';
import { defaultRangeExtractor, observeElementRect, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { memo, type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StatusPill } from '../../ui/status-pill.tsx';
import { statusPill } from '../jobs/job-filter.ts';
import { type BoardView, useMoreJobs } from './board.api.ts';
import { BoardCard, type CardState } from './board-card.tsx';

interface BoardColumnProps {
  column: Column;
  filter: BoardFilter;
  view: BoardView;
  /** Cards that exist although they are scrolled out of sight: one taken away would take the focus, or the pointer, with it. */
  kept: readonly (string | undefined)[];
  leaving: string | undefined;
  lifted: string | undefined;
  /** A card that is dropped now goes here. */
  isTarget: boolean;
  isDragging: boolean;
  onMove: (row: JobRow, from: JobStatus, to: JobStatus) => void;
}

export const COLUMN_CLASS =
  'flex w-[85vw] max-w-84 shrink-0 snap-center flex-col rounded-card bg-sunken ring-1 ring-line transition-shadow duration-120 ring-inset lg:w-auto lg:max-w-96 lg:min-w-70 lg:flex-1';

const CARD_HEIGHT = 104;
const OVERSCAN = 4;
const ROWS_BEFORE_END = 15;

export const BoardColumn = memo(function BoardColumn(props: BoardColumnProps) {
  const { column, filter, view, kept, isTarget, isDragging } = props;
  const { status, rows, total } = column;
  const scroller = useRef<HTMLDivElement>(null);
  const { read, problem } = useMoreJobs(filter, column);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => CARD_HEIGHT,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: OVERSCAN,
    initialOffset: view.scrolled.get(status) ?? 0,
    initialMeasurementsCache: view.measured.get(status) ?? [],
    observeElementRect: observeRect,
    measureElement: (element) => element.getBoundingClientRect().height || CARD_HEIGHT,
    rangeExtractor: (range) => {
      const indexes = kept.map((id) => (id === undefined ? -1 : rows.findIndex((row) => row.id === id)));
      return [...new Set([...defaultRangeExtractor(range), ...indexes.filter((index) => index >= 0)])].toSorted(
        (one, other) => one - other,
      );
    },
  });
  useStayingInPlace(virtualizer, scroller, rows);
  useEffect(() => () => void view.measured.set(status, virtualizer.takeSnapshot()), [view, status, virtualizer]);
  const last = virtualizer.range?.endIndex ?? -1;
  useEffect(() => {
    view.depths.set(status, last + ROWS_BEFORE_END);
    if (last >= rows.length - ROWS_BEFORE_END && problem === undefined) void read();
  }, [view, status, last, rows.length, problem, read]);
  const { text, tone } = statusPill(status);
  const heading = `column-${status}`;
  return (
    <section
      aria-labelledby={heading}
      data-drop={status}
      data-column={status}
      className={classes(COLUMN_CLASS, isTarget && 'ring-2 ring-accent!')}
    >
      <h2 id={heading} className="flex items-center gap-2 px-3 py-2.5 text-base font-semibold">
        <StatusPill text={text} tone={tone} />
        <span className="text-sm font-medium text-ink-3 tabular-nums">
          {formatCount(total)}
          <span className="sr-only">{total === 1 ? ' job' : ' jobs'}</span>
        </span>
      </h2>
      <div
        ref={scroller}
        onScroll={({ currentTarget }) => void view.scrolled.set(status, currentTarget.scrollTop)}
        className="relative min-h-0 flex-1 overflow-y-auto overscroll-y-contain px-2 pt-0.5 pb-2 [scrollbar-width:thin]"
      >
        {rows.length === 0 && (
          <p className="px-2 py-3 text-sm text-ink-3">{isTarget && isDragging ? 'Drop it here' : `No ${text.toLowerCase()} jobs`}</p>
        )}
        <Cards {...props} virtualizer={virtualizer} />
        {problem !== undefined && (
          <div role="alert" className="space-y-2 p-2 text-sm text-ink-2">
            <p>{problem}</p>
            <Button onClick={() => void read()}>Retry</Button>
          </div>
        )}
        {problem === undefined && column.next_cursor !== null && <Skeleton className="h-24 rounded-control" />}
      </div>
    </section>
  );
});

interface CardsProps extends BoardColumnProps {
  virtualizer: Virtualizer<HTMLDivElement, Element>;
}

function Cards({ column: { status, rows, total }, leaving, lifted, onMove, virtualizer }: CardsProps) {
  if (rows.length === 0) return null;
  const stateOf = (id: string): CardState => (id === leaving ? 'leaving' : id === lifted ? 'lifted' : undefined);
  return (
    <ul aria-label={`${statusPill(status).text} jobs`} className="relative" style={{ height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map(({ key, index, start }) => {
        const row = rows[index];
        if (!row) return null;
        return (
          <li
            key={key}
            ref={virtualizer.measureElement}
            data-index={index}
            aria-setsize={Math.max(total, rows.length)}
            aria-posinset={index + 1}
            className="absolute inset-x-0 top-0 pb-2"
            style={{ transform: `translateY(${start}px)` }}
          >
            <BoardCard row={row} status={status} state={stateOf(row.id)} onMove={onMove} />
          </li>
        );
      })}
    </ul>
  );
}

/** Without a layout, as in a page that is only just built, a column counts as high as the window. */
const observeRect: typeof observeElementRect = (instance, report) =>
  observeElementRect(instance, ({ width, height }) => report({ width, height: height || window.innerHeight }));

/** What colleagues put above the cards in view, or take away there, does not move them under somebody's eyes. */
function useStayingInPlace(
  virtualizer: Virtualizer<HTMLDivElement, Element>,
  scroller: RefObject<HTMLDivElement | null>,
  rows: readonly JobRow[],
): void {
  const seen = useRef<readonly { key: unknown; start: number }[]>([]);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element || element.scrollTop === 0) return;
    const indexes = new Map(rows.map(({ id }, index) => [id, index]));
    for (const { key, start } of seen.current) {
      const index = typeof key === 'string' ? indexes.get(key) : undefined;
      const now = index === undefined ? undefined : virtualizer.measurementsCache[index];
      if (!now) continue;
      if (now.start !== start) element.scrollBy({ top: now.start - start });
      return;
    }
  }, [rows, virtualizer, scroller]);
  useLayoutEffect(() => {
    // As of the last scroll event: asking the element would make the browser lay out the page at every step.
    const top = virtualizer.scrollOffset ?? 0;
    seen.current = virtualizer.getVirtualItems().filter(({ end }) => end > top);
  });
}
