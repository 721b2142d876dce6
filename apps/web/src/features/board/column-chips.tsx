import type { BoardColumn } from '@callout/contract/board';
import type { JobStatus } from '@callout/domain/jobs/job';
import { formatCappedCount } from '@callout/domain/text/count-format';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { getJobStatusPill } from '../jobs/job-list-filter.ts';

interface ColumnChipsProps {
  columns: readonly Pick<BoardColumn, 'status' | 'total'>[];
  /** The element that scrolls horizontally through the columns. On a phone, one column is in view at a time. */
  scroller: RefObject<HTMLElement | null>;
  dropTarget: JobStatus | undefined;
}

/**
 * Scrolls only horizontally: with large text the page is taller than the screen, and `scrollIntoView` would make it jump. Scrolls to an
 * absolute position, because rounding a relative position could snap to the next column.
 */
export function centerColumn(board: Element, column: Element, behavior: ScrollBehavior = 'auto'): void {
  const [outer, inner] = [board.getBoundingClientRect(), column.getBoundingClientRect()];
  board.scrollTo({ left: board.scrollLeft + (inner.left + inner.right - outer.left - outer.right) / 2, behavior });
}

/** Shown if the board is too narrow for all columns. Scrolls to a column on click; phones also mark the column in view. Chips also accept dropped cards. */
export function ColumnChips({ columns, scroller, dropTarget }: ColumnChipsProps) {
  const [visibleStatus, setVisibleStatus] = useState<string | undefined>(columns[0]?.status);
  const nav = useRef<HTMLElement>(null);
  const scrollToColumn = (status: JobStatus) => {
    const section = scroller.current?.querySelector(`[data-column="${status}"]`);
    if (scroller.current && section) centerColumn(scroller.current, section, 'smooth');
  };
  useEffect(() => {
    const board = scroller.current;
    if (!board) return undefined;
    const updateVisibleStatus = () => {
      const middle = board.getBoundingClientRect().left + board.clientWidth / 2;
      const sections = [...board.querySelectorAll<HTMLElement>('[data-column]')];
      // The first and last columns can't reach the middle of the board, so they count as visible at the ends of the scroll range.
      const isLast = board.scrollLeft > 0 && board.scrollLeft + board.clientWidth >= board.scrollWidth - 1;
      const inMiddle = sections.find((element) => element.getBoundingClientRect().right > middle);
      const section = board.scrollLeft <= 0 ? sections[0] : isLast ? sections.at(-1) : inMiddle;
      setVisibleStatus(section?.dataset['column']);
    };
    updateVisibleStatus();
    board.addEventListener('scroll', updateVisibleStatus, { passive: true });
    return () => board.removeEventListener('scroll', updateVisibleStatus);
  }, [scroller]);
  useEffect(() => {
    const chip = nav.current?.querySelector<HTMLElement>('[aria-current="true"]');
    const left = (chip?.offsetLeft ?? 0) - ((nav.current?.clientWidth ?? 0) - (chip?.offsetWidth ?? 0)) / 2;
    nav.current?.scrollTo({ left, behavior: 'smooth' });
  }, [visibleStatus]);
  return (
    <nav
      ref={nav}
      data-chips=""
      aria-label="Columns"
      className="relative -mx-4 mb-2 flex shrink-0 gap-2 overflow-x-auto px-4 py-0.5 [scrollbar-width:none] @min-[93rem]:hidden"
    >
      {columns.map(({ status, total }) => (
        <button
          key={status}
          type="button"
          data-drop={status}
          aria-current={status === visibleStatus}
          onClick={() => scrollToColumn(status)}
          className={classNames(
            'flex h-11 shrink-0 items-center gap-1.5 rounded-full bg-surface px-3.5 text-base font-medium text-ink-2 ring-1 ring-line ring-inset',
            'max-lg:aria-[current=true]:bg-accent-soft max-lg:aria-[current=true]:text-accent-ink max-lg:aria-[current=true]:ring-accent lg:h-8',
            dropTarget === status && 'ring-2 ring-accent!',
          )}
        >
          {getJobStatusPill(status).text}
          <span className="text-sm tabular-nums">{formatCappedCount(total)}</span>
        </button>
      ))}
    </nav>
  );
}
