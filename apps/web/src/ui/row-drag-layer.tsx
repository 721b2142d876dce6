import { AutoScroller } from '@dnd-kit/dom';
import { DragDropProvider, type DragEndEvent, type DragMoveEvent, type DragStartEvent, PointerSensor, useDraggable } from '@dnd-kit/react';
import { type RefObject, useEffect, useState } from 'react';
import { POINTER_SENSOR_OPTIONS } from './drag-sensors.ts';
import { showDragCursor } from './dragging.ts';

export interface RowDragLayerProps {
  /** Contains lists (`data-drag-list`) of rows (`data-drag-row`), all with ids. A row dropped on a list without rows goes to its end. */
  container: RefObject<HTMLElement | null>;
  /** Changes whenever a row is added, removed or moved. */
  layoutKey: string;
  getLabel: (rowId: string) => string;
  /** `position` is the row's new index, not counting the row itself. */
  onMove: (rowId: string, listId: string, position: number) => void;
}

interface DropTarget {
  readonly listId: string;
  readonly position: number;
  /** Line that marks where the row will go, in viewport coordinates. */
  readonly indicator: { readonly top: number; readonly left: number; readonly width: number };
}

const PLUGINS = [AutoScroller];
/** Controls that don't start a drag when pressed. A button with `data-drags` does. */
const NON_DRAGGABLE_SELECTOR = 'input, textarea, select, a, button:not([data-drags])';
const SENSORS = [
  PointerSensor.configure({
    ...POINTER_SENSOR_OPTIONS,
    preventActivation: ({ target }) => target instanceof Element && target.closest(NON_DRAGGABLE_SELECTOR) !== null,
  }),
];
/** Rows within this distance of the window stay draggable, since the list may be scrolling. */
const VISIBILITY_MARGIN = '200px';

/**
 * Moves rows within and between lists by mouse and touch. Rows stay in place until the drop. Only visible rows are registered with dnd-kit,
 * so that a list with hundreds of rows stays fast.
 */
export function RowDragLayer({ container, layoutKey, getLabel, onMove }: RowDragLayerProps) {
  const rows = useVisibleRows(container, layoutKey);
  const [dragged, setDragged] = useState<{ id: string; x: number; y: number; target: DropTarget | undefined }>();

  const trackDrag = ({ operation: { source, position } }: DragStartEvent | DragMoveEvent) => {
    if (!source || !container.current) return;
    const { x, y } = position.current;
    const id = String(source.id);
    setDragged({ id, x, y, target: findDropTarget(container.current, id, y) });
  };
  const dropRow = ({ operation: { source, position }, canceled }: DragEndEvent) => {
    setDragged(undefined);
    if (canceled || !source || !container.current) return;
    const id = String(source.id);
    const target = findDropTarget(container.current, id, position.current.y);
    if (target) onMove(id, target.listId, target.position);
  };
  const id = dragged?.id;
  useEffect(() => {
    if (id === undefined) return undefined;
    // Auto-scroll moves rows under a resting pointer, so the target is also updated on scroll.
    const updateTarget = () =>
      setDragged((drag) => (drag && container.current ? { ...drag, target: findDropTarget(container.current, drag.id, drag.y) } : drag));
    window.addEventListener('scroll', updateTarget, { capture: true, passive: true });
    return () => window.removeEventListener('scroll', updateTarget, { capture: true });
  }, [id, container]);
  useEffect(() => {
    if (id === undefined) return undefined;
    const row = container.current?.querySelector(`[data-drag-row="${id}"]`);
    row?.setAttribute('data-dragged', '');
    const restoreCursor = showDragCursor();
    return () => {
      row?.removeAttribute('data-dragged');
      restoreCursor();
    };
  }, [id, container]);

  return (
    <DragDropProvider sensors={SENSORS} plugins={PLUGINS} onDragStart={trackDrag} onDragMove={trackDrag} onDragEnd={dropRow}>
      {[...rows].map(([rowId, element]) => (
        <DraggableRow key={rowId} id={rowId} element={element} />
      ))}
      {dragged && (
        <div aria-hidden="true" className="pointer-events-none">
          {dragged.target && <div className="fixed z-50 h-0.5 -translate-y-px rounded-full bg-accent" style={dragged.target.indicator} />}
          <div
            className="fixed top-0 left-0 z-50 max-w-72 truncate rounded-control bg-raised px-3 py-2 text-base font-medium shadow-float"
            style={{ transform: `translate(${dragged.x + 12}px, ${dragged.y + 8}px)` }}
          >
            {getLabel(dragged.id)}
          </div>
        </div>
      )}
    </DragDropProvider>
  );
}

function DraggableRow({ id, element }: { id: string; element: HTMLElement }) {
  useDraggable({ id, element });
  return null;
}

function useVisibleRows(container: RefObject<HTMLElement | null>, layoutKey: string): ReadonlyMap<string, HTMLElement> {
  const [rows, setRows] = useState<ReadonlyMap<string, HTMLElement>>(new Map());
  useEffect(() => {
    const visible = new Map<string, HTMLElement>();
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          const id = target instanceof HTMLElement ? target.dataset['dragRow'] : undefined;
          if (id === undefined || !(target instanceof HTMLElement)) continue;
          if (isIntersecting) visible.set(id, target);
          else visible.delete(id);
        }
        setRows(new Map(visible));
      },
      { rootMargin: VISIBILITY_MARGIN },
    );
    for (const row of container.current?.querySelectorAll('[data-drag-row]') ?? []) observer.observe(row);
    return () => observer.disconnect();
  }, [container, layoutKey]);
  return rows;
}

/** Finds the list under the pointer, or else the nearest one, and the closest gap between its rows. */
function findDropTarget(container: HTMLElement, draggedId: string, y: number): DropTarget | undefined {
  const lists = [...container.querySelectorAll<HTMLElement>('[data-drag-list]')].map((element) => ({
    element,
    box: element.getBoundingClientRect(),
  }));
  const distance = ({ top, bottom }: DOMRect) => Math.max(top - y, y - bottom, 0);
  const [nearest] = lists.toSorted((one, other) => distance(one.box) - distance(other.box));
  const listId = nearest?.element.dataset['dragList'];
  if (!nearest || listId === undefined) return undefined;
  const rows = [...nearest.element.querySelectorAll<HTMLElement>('[data-drag-row]')].filter((row) => row.dataset['dragRow'] !== draggedId);
  const { left, width, top, bottom } = nearest.box;
  // Rows scrolled out of view extend beyond the list's panel, so clamp the pointer to the panel.
  const panel = rows[0]?.parentElement?.getBoundingClientRect() ?? nearest.box;
  const clampedY = Math.min(Math.max(y, panel.top), panel.bottom);
  // A collapsed list renders no rows, so the dragged row goes to the end.
  const position = rows.length === 0 ? Number.POSITIVE_INFINITY : countRowsAbove(rows, clampedY);
  const edge = rows[position]?.getBoundingClientRect().top ?? rows.at(-1)?.getBoundingClientRect().bottom ?? bottom;
  return { listId, position, indicator: { top: Math.min(Math.max(edge, top), bottom), left: left + 8, width: width - 16 } };
}

/** Counts the rows above `y` by binary search, so that only a few of several hundred rows are measured. */
function countRowsAbove(rows: readonly HTMLElement[], y: number): number {
  let [from, to] = [0, rows.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const box = rows[middle]?.getBoundingClientRect();
    if (box && (box.top + box.bottom) / 2 <= y) from = middle + 1;
    else to = middle;
  }
  return from;
}
