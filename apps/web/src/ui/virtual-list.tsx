import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual';
import { type FocusEvent, type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

interface VirtualListProps {
  label: string;
  count: number;
  /** Number of rows, including pages that are not loaded yet. Undefined if it isn't known. */
  total: number | undefined;
  /** In pixels at the default text size. Rows grow with the text. */
  rowHeight: number;
  /** True if rows grow with their content at large text sizes; see the `large-text` variant. */
  growsWithLargeText?: boolean;
  rowKey: (index: number) => string;
  renderRow: (index: number) => ReactNode;
  /** Called when scrolling nears the last row. May be called again while a page is loading. */
  onNearEnd?: (() => void) | undefined;
  className?: string;
}

/** Returns 1 at the default text size, 2 at 200%. */
const getTextScale = () => (Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16) / 16;

const LARGE_TEXT_SCALE = 1.5;
const OVERSCAN_ROWS = 12;
const NEAR_END_ROWS = 20;

const getRowIndex = (element: EventTarget | null) =>
  element instanceof Element ? Number(element.closest('li')?.getAttribute('aria-posinset') ?? 0) - 1 : -1;

/** Renders only the rows near the viewport and lets the page itself scroll. Arrow keys, Home and End move between rows. */
export function VirtualList({
  label,
  count,
  total,
  rowHeight: baseRowHeight,
  growsWithLargeText = false,
  rowKey,
  renderRow,
  onNearEnd,
  className,
}: VirtualListProps) {
  const list = useRef<HTMLUListElement>(null);
  const [scrollMargin, setScrollMargin] = useState(0);
  const [scale, setScale] = useState(getTextScale);
  const hasAutoRowHeight = growsWithLargeText && scale >= LARGE_TEXT_SCALE;
  const rowHeight = baseRowHeight * scale;
  /** Index of the focused row, which stays mounted with its neighbors when scrolled out of view, so that the focus isn't lost. */
  const [focused, setFocused] = useState(-1);
  useLayoutEffect(() => {
    const measure = () => {
      setScrollMargin(Math.round((list.current?.getBoundingClientRect().top ?? 0) + window.scrollY));
      setScale(getTextScale());
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);

  const virtualizer = useWindowVirtualizer({
    count,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN_ROWS,
    scrollMargin,
    getItemKey: rowKey,
    rangeExtractor: (range) => {
      const pinned = focused < 0 ? [] : [focused - 1, focused, focused + 1].filter((index) => index >= 0 && index < count);
      return [...new Set([...defaultRangeExtractor(range), ...pinned])].toSorted((one, other) => one - other);
    },
  });
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, rowHeight, hasAutoRowHeight]);

  const rows = virtualizer.getVirtualItems();
  const last = virtualizer.range?.endIndex ?? rows.at(-1)?.index ?? -1;
  const isNearEnd = count > 0 && last >= count - NEAR_END_ROWS;
  useEffect(() => {
    if (isNearEnd) onNearEnd?.();
  }, [isNearEnd, count, onNearEnd]);

  /** Moves the focus between rows with the arrow keys, Home and End. Enter needs no handling, because each row is a link. */
  const moveFocus = (event: KeyboardEvent<HTMLElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const from = getRowIndex(event.target);
    const steps: Record<string, number> = { ArrowDown: from + 1, ArrowUp: from - 1, Home: 0, End: count - 1 };
    const to = steps[event.key] ?? -1;
    if (to < 0 || to >= count) return;
    event.preventDefault();
    // A distant row must be rendered before it can take the focus.
    flushSync(() => setFocused(to));
    list.current?.querySelector<HTMLElement>(`li[aria-posinset="${to + 1}"] [data-row]`)?.focus();
  };

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Arrow keys are a shortcut; Tab reaches every row as well.
    <ul
      ref={list}
      aria-label={label}
      data-large-text={hasAutoRowHeight || undefined}
      className={className}
      style={{ position: 'relative', height: virtualizer.getTotalSize() }}
      onKeyDown={moveFocus}
      onFocus={(event: FocusEvent) => setFocused(getRowIndex(event.target))}
      onBlur={() => setFocused(-1)}
    >
      {rows.map((row) => (
        <li
          key={row.key}
          ref={hasAutoRowHeight ? virtualizer.measureElement : undefined}
          data-index={row.index}
          aria-setsize={total ?? -1}
          aria-posinset={row.index + 1}
          className="absolute inset-x-0 top-0"
          style={{ height: hasAutoRowHeight ? undefined : row.size, transform: `translateY(${row.start - scrollMargin}px)` }}
        >
          {renderRow(row.index)}
        </li>
      ))}
    </ul>
  );
}
