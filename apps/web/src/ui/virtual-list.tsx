import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';

interface VirtualListProps {
  /** Names the list for people who listen. */
  label: string;
  count: number;
  /** How many there are in all, when more pages will come. */
  total?: number;
  /** Pixels; every row is exactly this high. */
  rowHeight: number;
  rowKey: (index: number) => string;
  renderRow: (index: number) => ReactNode;
  /** Called when the last rows come near; safe to call again while a page is on its way. */
  onEndNear?: () => void;
  className?: string;
}

const OVERSCAN = 12;
const ROWS_BEFORE_END = 20;

/** Any number of rows, of which only those near the window exist. The page itself scrolls. */
export function VirtualList({ label, count, total, rowHeight, rowKey, renderRow, onEndNear, className }: VirtualListProps) {
  const list = useRef<HTMLUListElement>(null);
  const [scrollMargin, setScrollMargin] = useState(0);
  useLayoutEffect(() => {
    const measure = () => setScrollMargin(Math.round((list.current?.getBoundingClientRect().top ?? 0) + window.scrollY));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);

  const virtualizer = useWindowVirtualizer({ count, estimateSize: () => rowHeight, overscan: OVERSCAN, scrollMargin, getItemKey: rowKey });
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, rowHeight]);

  const rows = virtualizer.getVirtualItems();
  const last = rows.at(-1)?.index ?? -1;
  const endNear = count > 0 && last >= count - ROWS_BEFORE_END;
  useEffect(() => {
    if (endNear) onEndNear?.();
  }, [endNear, count, onEndNear]);

  return (
    <ul ref={list} aria-label={label} className={className} style={{ position: 'relative', height: virtualizer.getTotalSize() }}>
      {rows.map((row) => (
        <li
          key={row.key}
          aria-setsize={total ?? count}
          aria-posinset={row.index + 1}
          className="absolute inset-x-0 top-0"
          style={{ height: row.size, transform: `translateY(${row.start - scrollMargin}px)` }}
        >
          {renderRow(row.index)}
        </li>
      ))}
    </ul>
  );
}
