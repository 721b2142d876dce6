import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual';
import { type FocusEvent, type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

interface VirtualListProps {
  /** Names the list for people who listen. */
  label: string;
  count: number;
  /** How many there are in all, when more pages will come. */
  total?: number | undefined;
  /** Pixels at the usual text size; rows grow with the text. */
  rowHeight: number;
  /** Where text is so large that the lines of a row wrap, each row is as tall as its content; see the variant `large-text`. */
  growsWithLargeText?: boolean;
  rowKey: (index: number) => string;
  renderRow: (index: number) => ReactNode;
  /** Called when the last rows come near; safe to call again while a page is on its way. */
  onEndNear?: (() => void) | undefined;
  className?: string;
}

/** 2 where people read at 200 %. */
const textScale = () => (Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16) / 16;

const LARGE_TEXT = 1.5;
const OVERSCAN = 12;
const ROWS_BEFORE_END = 20;

const indexOf = (element: EventTarget | null) =>
  element instanceof Element ? Number(element.closest('li')?.getAttribute('aria-posinset') ?? 0) - 1 : -1;

/** Any number of rows, of which only those near the window exist. The page itself scrolls; the arrow keys, Home and End walk the rows. */
export function VirtualList({
  label,
  count,
  total,
  rowHeight: usualHeight,
  growsWithLargeText = false,
  rowKey,
  renderRow,
  onEndNear,
  className,
}: VirtualListProps) {
  const list = useRef<HTMLUListElement>(null);
  const [scrollMargin, setScrollMargin] = useState(0);
  const [scale, setScale] = useState(textScale);
  const isGrown = growsWithLargeText && scale >= LARGE_TEXT;
  const rowHeight = usualHeight * scale;
  /** The row with the focus and its neighbors stay when they scroll out of sight: taken away, it would take the focus with it. */
  const [focused, setFocused] = useState(-1);
  useLayoutEffect(() => {
    const measure = () => {
      setScrollMargin(Math.round((list.current?.getBoundingClientRect().top ?? 0) + window.scrollY));
      setScale(textScale());
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);

  const virtualizer = useWindowVirtualizer({
    count,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    scrollMargin,
    getItemKey: rowKey,
    rangeExtractor: (range) => {
      const kept = focused < 0 ? [] : [focused - 1, focused, focused + 1].filter((index) => index >= 0 && index < count);
      return [...new Set([...defaultRangeExtractor(range), ...kept])].toSorted((one, other) => one - other);
    },
  });
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, rowHeight, isGrown]);

  const rows = virtualizer.getVirtualItems();
  const last = virtualizer.range?.endIndex ?? rows.at(-1)?.index ?? -1;
  const endNear = count > 0 && last >= count - ROWS_BEFORE_END;
  useEffect(() => {
    if (endNear) onEndNear?.();
  }, [endNear, count, onEndNear]);

  /** As in a mail program; Enter opens the row that has the focus, because it is a link. */
  const moveFocus = (event: KeyboardEvent<HTMLElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const from = indexOf(event.target);
    const steps: Record<string, number> = { ArrowDown: from + 1, ArrowUp: from - 1, Home: 0, End: count - 1 };
    const to = steps[event.key] ?? -1;
    if (to < 0 || to >= count) return;
    event.preventDefault();
    // A row far away is rendered before it can take the focus.
    flushSync(() => setFocused(to));
    list.current?.querySelector<HTMLElement>(`li[aria-posinset="${to + 1}"] [data-row]`)?.focus();
  };

  return (
    // The arrow keys are a shortcut beside Tab, which reaches every row as well.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <ul
      ref={list}
      aria-label={label}
      data-large-text={isGrown || undefined}
      className={className}
      style={{ position: 'relative', height: virtualizer.getTotalSize() }}
      onKeyDown={moveFocus}
      onFocus={(event: FocusEvent) => setFocused(indexOf(event.target))}
      onBlur={() => setFocused(-1)}
    >
      {rows.map((row) => (
        <li
          key={row.key}
          ref={isGrown ? virtualizer.measureElement : undefined}
          data-index={row.index}
          aria-setsize={total ?? count}
          aria-posinset={row.index + 1}
          className="absolute inset-x-0 top-0"
          style={{ height: isGrown ? undefined : row.size, transform: `translateY(${row.start - scrollMargin}px)` }}
        >
          {renderRow(row.index)}
        </li>
      ))}
    </ul>
  );
}
