import { pluralize } from '@callout/domain/text/count-format';
import { ChevronRight } from 'lucide-react';
import { type RefObject, useEffect, useState } from 'react';
import type { GridColumn } from './calendar-layout.ts';

interface HiddenLanesButtonProps {
  scroller: RefObject<HTMLElement | null>;
  columns: readonly GridColumn[];
}

/** Counts the lanes beyond the right edge and scrolls to them. Without the count, a day with hidden jobs could look free. */
export function HiddenLanesButton({ scroller, columns }: HiddenLanesButtonProps) {
  const [count, setCount] = useState(0);
  useEffect(() => {
    const frame = scroller.current;
    if (!frame) return undefined;
    const controller = new AbortController();
    const measure = () => {
      const headers = [...(frame.firstElementChild?.firstElementChild?.children ?? [])].slice(1);
      const right = frame.getBoundingClientRect().right;
      setCount(headers.filter((header) => header.getBoundingClientRect().right > right + 1).length);
    };
    const observer = new ResizeObserver(measure);
    observer.observe(frame);
    frame.addEventListener('scroll', measure, { signal: controller.signal, passive: true });
    measure();
    return () => {
      controller.abort();
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
      {pluralize(count, 'more person', 'more people')}
      <ChevronRight aria-hidden="true" className="size-4" />
    </button>
  );
}
