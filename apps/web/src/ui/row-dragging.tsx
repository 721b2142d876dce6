import { AutoScroller } from '@dnd-kit/dom';
import { DragDropProvider, type DragEndEvent, type DragMoveEvent, type DragStartEvent, PointerSensor, useDraggable } from '@dnd-kit/react';
import { type RefObject, useEffect, useState } from 'react';
import { POINTER_OPTIONS } from './drag-sensors.ts';
import { showDragging } from './dragging.ts';

export interface RowDraggingProps {
  /** Holds the lists: elements with `data-drag-list`, and in them rows with `data-drag-row`, both with an id. A list without rows takes a row as its last one. */
  container: RefObject<HTMLElement | null>;
  /** Changes whenever a row comes, goes or moves. */
  layout: string;
  labelOf: (rowId: string) => string;
  /** `position` counts the rows of the list without the moved one. */
  onMove: (rowId: string, listId: string, position: number) => void;
}

interface DropTarget {
  readonly listId: string;
  readonly position: number;
  /** Where the row would go, in the window. */
  readonly line: { readonly top: number; readonly left: number; readonly width: number };
}

const PLUGINS = [AutoScroller];
/** What is used by itself; a button with `data-drags` is also a place to take the row. */
const CONTROLS = 'input, textarea, select, a, button:not([data-drags])';
const SENSORS = [
  PointerSensor.configure({
    ...POINTER_OPTIONS,
    preventActivation: ({ target }) => target instanceof Element && target.closest(CONTROLS) !== null,
  }),
];
/** Rows this far outside the window can be dragged, too: the list may be scrolling. */
const MARGIN = '200px';

/**
 * Moves rows within and between lists, by mouse and by finger. The rows stay where they are until they are dropped, and only those on screen
 * are tied to the library: a list of hundreds stays quick.
 */
export function RowDragging({ container, layout, labelOf, onMove }: RowDraggingProps) {
  const rows = useVisibleRows(container, layout);
  const [dragged, setDragged] = useState<{ id: string; x: number; y: number; target: DropTarget | undefined }>();

  const follow = ({ operation: { source, position } }: DragStartEvent | DragMoveEvent) => {
    if (!source || !container.current) return;
    const { x, y } = position.current;
    const id = String(source.id);
    setDragged({ id, x, y, target: findTarget(container.current, id, y) });
  };
  const end = ({ operation: { source, position }, canceled }: DragEndEvent) => {
    setDragged(undefined);
    if (canceled || !source || !container.current) return;
    const id = String(source.id);
    const target = findTarget(container.current, id, position.current.y);
    if (target) onMove(id, target.listId, target.position);
  };
  const id = dragged?.id;
  useEffect(() => {
    if (id === undefined) return undefined;
    // The rows move under a pointer that rests near an edge.
    const findAgain = () =>
      setDragged((now) => (now && container.current ? { ...now, target: findTarget(container.current, now.id, now.y) } : now));
    window.addEventListener('scroll', findAgain, { capture: true, passive: true });
    return () => window.removeEventListener('scroll', findAgain, { capture: true });
  }, [id, container]);
  useEffect(() => {
    if (id === undefined) return undefined;
    const row = container.current?.querySelector(`[data-drag-row="${id}"]`);
    row?.setAttribute('data-dragged', '');
    const endDragging = showDragging();
    return () => {
      row?.removeAttribute('data-dragged');
      endDragging();
    };
  }, [id, container]);

  return (
    <DragDropProvider sensors={SENSORS} plugins={PLUGINS} onDragStart={follow} onDragMove={follow} onDragEnd={end}>
      {[...rows].map(([rowId, element]) => (
        <DraggableRow key={rowId} id={rowId} element={element} />
      ))}
      {dragged && (
        <div aria-hidden="true" className="pointer-events-none">
          {dragged.target && <div className="fixed z-50 h-0.5 -translate-y-px rounded-full bg-accent" style={dragged.target.line} />}
          <div
            className="fixed top-0 left-0 z-50 max-w-72 truncate rounded-control bg-raised px-3 py-2 text-base font-medium shadow-float"
            style={{ transform: `translate(${dragged.x + 12}px, ${dragged.y + 8}px)` }}
          >
            {labelOf(dragged.id)}
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

function useVisibleRows(container: RefObject<HTMLElement | null>, layout: string): ReadonlyMap<string, HTMLElement> {
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
      { rootMargin: MARGIN },
    );
    for (const row of container.current?.querySelectorAll('[data-drag-row]') ?? []) observer.observe(row);
    return () => observer.disconnect();
  }, [container, layout]);
  return rows;
}

/** The list under the pointer or the nearest one, and the gap between its rows that is nearest. */
function findTarget(container: HTMLElement, draggedId: string, y: number): DropTarget | undefined {
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
  // Rows that are scrolled out of the list lie beyond its edges.
  const panel = rows[0]?.parentElement?.getBoundingClientRect() ?? nearest.box;
  const inside = Math.min(Math.max(y, panel.top), panel.bottom);
  // The rows of a collapsed list are not on the page: behind all of them.
  const position = rows.length === 0 ? Number.POSITIVE_INFINITY : countRowsAbove(rows, inside);
  const edge = rows[position]?.getBoundingClientRect().top ?? rows.at(-1)?.getBoundingClientRect().bottom ?? bottom;
  return { listId, position, line: { top: Math.min(Math.max(edge, top), bottom), left: left + 8, width: width - 16 } };
}

/** By halves: of hundreds of rows only a few are measured. */
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
