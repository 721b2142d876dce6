import type { BoardColumn } from '@callout/contract/board';
import type { JobStatus } from '@callout/domain/jobs/job';
import { formatCount } from '@callout/domain/text/count-text';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { classes } from '../../ui/classes.ts';
import { statusPill } from '../jobs/job-filter.ts';

interface ColumnChipsProps {
  columns: readonly Pick<BoardColumn, 'status' | 'total'>[];
  /** Holds the columns, of which a phone shows one at a time. */
  scroller: RefObject<HTMLElement | null>;
  /** A card that is dropped now goes there. */
  target: JobStatus | undefined;
}

/**
 * Sideways only: with large text the page is taller than the screen, and stays where it is. Not by a distance: a fraction of a pixel would
 * snap to the next column.
 */
export function centerColumn(board: Element, column: Element, behavior: ScrollBehavior = 'auto'): void {
  const [around, box] = [board.getBoundingClientRect(), column.getBoundingClientRect()];
  board.scrollTo({ left: board.scrollLeft + (box.left + box.right - around.left - around.right) / 2, behavior });
}

/** Below desks: which column is in view, with a way to every other one. A card can be dropped on them, too. */
export function ColumnChips({ columns, scroller, target }: ColumnChipsProps) {
  const [shown, setShown] = useState<string | undefined>(columns[0]?.status);
  const strip = useRef<HTMLElement>(null);
  const showColumn = (status: JobStatus) => {
    const section = scroller.current?.querySelector(`[data-column="${status}"]`);
    if (scroller.current && section) centerColumn(scroller.current, section, 'smooth');
  };
  useEffect(() => {
    const board = scroller.current;
    if (!board) return undefined;
    const find = () => {
      const middle = board.getBoundingClientRect().left + board.clientWidth / 2;
      const sections = [...board.querySelectorAll<HTMLElement>('[data-column]')];
      // Where the board ends, the outermost column cannot come to the middle.
      const isLast = board.scrollLeft > 0 && board.scrollLeft + board.clientWidth >= board.scrollWidth - 1;
      const inMiddle = sections.find((element) => element.getBoundingClientRect().right > middle);
      const section = board.scrollLeft <= 0 ? sections[0] : isLast ? sections.at(-1) : inMiddle;
      setShown(section?.dataset['column']);
    };
    find();
    board.addEventListener('scroll', find, { passive: true });
    return () => board.removeEventListener('scroll', find);
  }, [scroller]);
  useEffect(() => {
    const chip = strip.current?.querySelector<HTMLElement>('[aria-current="true"]');
    const left = (chip?.offsetLeft ?? 0) - ((strip.current?.clientWidth ?? 0) - (chip?.offsetWidth ?? 0)) / 2;
    strip.current?.scrollTo({ left, behavior: 'smooth' });
  }, [shown]);
  return (
    <nav
      ref={strip}
      data-chips=""
      aria-label="Columns"
      className="relative -mx-4 mb-2 flex shrink-0 gap-2 overflow-x-auto px-4 py-0.5 [scrollbar-width:none] lg:hidden"
    >
      {columns.map(({ status, total }) => (
        <button
          key={status}
          type="button"
          data-drop={status}
          aria-current={status === shown}
          onClick={() => showColumn(status)}
          className={classes(
            'flex h-11 shrink-0 items-center gap-1.5 rounded-full bg-surface px-3.5 text-base font-medium text-ink-2 ring-1 ring-line ring-inset',
            'aria-[current=true]:bg-accent-soft aria-[current=true]:text-accent-ink aria-[current=true]:ring-accent',
            target === status && 'ring-2 ring-accent!',
          )}
        >
          {statusPill(status).text}
          <span className="text-sm tabular-nums">{formatCount(total)}</span>
        </button>
      ))}
    </nav>
  );
}
