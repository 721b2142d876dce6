import { countText } from '@callout/domain/text/count-text';
import { ChevronRight } from 'lucide-react';
import { type RefObject, useEffect, useState } from 'react';
import type { GridColumn } from './calendar-layout.ts';

interface PeopleOutOfViewProps {
  scroller: RefObject<HTMLElement | null>;
  /** Of the lanes that it shows. */
  columns: readonly GridColumn[];
}

/** How many lanes are cut at the right edge or lie beyond it, and leads to them: a day must not look free because its jobs are out of view. */
export function PeopleOutOfView({ scroller, columns }: PeopleOutOfViewProps) {
  const [count, setCount] = useState(0);
  useEffect(() => {
    const frame = scroller.current;
    if (!frame) return undefined;
    const stop = new AbortController();
    const measure = () => {
      const heads = [...(frame.firstElementChild?.firstElementChild?.children ?? [])].slice(1);
      const right = frame.getBoundingClientRect().right;
      setCount(heads.filter((head) => head.getBoundingClientRect().right > right + 1).length);
    };
    const observer = new ResizeObserver(measure);
    observer.observe(frame);
    frame.addEventListener('scroll', measure, { signal: stop.signal, passive: true });
    measure();
    return () => {
      stop.abort();
      observer.disconnect();
    };
  }, [scroller, columns]);
  if (count === 0) return null;
  return (
    <button
      type="button"
      className="absolute right-3 bottom-3 z-45 flex min-h-11 items-center gap-1 rounded-full bg-raised px-3 text-sm font-medium text-ink shadow-float hover:bg-sunken lg:min-h-9"
      onClick={() => scroller.current?.scrollBy({ left: scroller.current.clientWidth / 2 })}
    >
      {countText(count, 'more person', 'more people')}
      <ChevronRight aria-hidden="true" className="size-4" />
    </button>
  );
}
