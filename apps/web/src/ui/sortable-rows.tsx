import { Accessibility, AutoScroller, type DragOverEvent, type DragStartEvent, Feedback, StyleInjector } from '@dnd-kit/dom';
import { DragDropProvider, type DragEndEvent, KeyboardSensor, PointerSensor } from '@dnd-kit/react';
import { isSortable, useSortable } from '@dnd-kit/react/sortable';
import { ArrowDown, ArrowUp, GripVertical } from 'lucide-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { IconButton } from './button.tsx';
import { classes } from './classes.ts';
import { POINTER_OPTIONS } from './drag-sensors.ts';
import { SORTABLE_ROW, type SortableItem, type SortableListProps } from './sortable-list.tsx';

const SENSORS = [PointerSensor.configure(POINTER_OPTIONS), KeyboardSensor];

// Its own way is a style element, which our content policy refuses. Only rules for the row that is dragged remain, so they may stay.
StyleInjector.prototype.register = (rules) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules);
  document.adoptedStyleSheets.push(sheet);
  return () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
  };
};

const WORDS = Accessibility.configure({
  announcements: {
    dragstart: ({ operation: { source } }: DragStartEvent) => `${nameOf(source)} picked up.`,
    dragover: ({ operation: { source } }: DragOverEvent) =>
      isSortable(source) ? `${nameOf(source)} moved to position ${source.index + 1}.` : undefined,
    dragend: ({ operation: { source }, canceled }: DragEndEvent) =>
      canceled || !isSortable(source)
        ? `${nameOf(source)} returned to its position.`
        : `${nameOf(source)} dropped at position ${source.index + 1}.`,
  },
  screenReaderInstructions: {
    draggable:
      'Press the space bar to pick up, the arrow keys to move, the space bar again to put down, and Escape to leave it where it was.',
  },
});

const PLUGINS = [WORDS, AutoScroller, Feedback];

function nameOf(source: { data: Record<string, unknown> } | null): string {
  const label = source?.data['label'];
  return typeof label === 'string' ? label : '';
}

/** The order after the last move, which may be ahead of what is rendered: fast presses must not undo each other. */
function useLatestOrder(items: readonly SortableItem[]) {
  const key = items.map(({ id }) => id).join('\n');
  const latest = useRef(key);
  /** Orders that were handed out and are still to be rendered. */
  const awaited = useRef<string[]>([]);
  useLayoutEffect(() => {
    const position = awaited.current.indexOf(key);
    awaited.current = position === -1 ? [] : awaited.current.slice(position + 1);
    if (awaited.current.length === 0) latest.current = key;
  }, [key]);
  const ids = () => latest.current.split('\n');
  return {
    indexOf: (id: string) => ids().indexOf(id),
    move: (id: string, to: number): readonly string[] => {
      const moved = ids()
        .filter((other) => other !== id)
        .toSpliced(to, 0, id);
      latest.current = moved.join('\n');
      awaited.current.push(latest.current);
      return moved;
    },
  };
}

export function SortableRows({ label, items, onOrder }: SortableListProps) {
  const list = useRef<HTMLUListElement>(null);
  const [stepped, setStepped] = useState<{ button: string; announcement: string }>();
  const latest = useLatestOrder(items);
  const order = (id: string, to: number) => onOrder(latest.move(id, to));

  const ended = ({ operation: { source }, canceled }: DragEndEvent) => {
    if (canceled || !isSortable(source) || source.index === source.initialIndex) return;
    order(String(source.id), source.index);
  };
  const step = ({ id, label: name }: SortableItem, by: 1 | -1) => {
    const to = latest.indexOf(id) + by;
    if (to < 0 || to >= items.length) return;
    order(id, to);
    setStepped({ button: `${id}:${by}`, announcement: `${name} moved to position ${to + 1} of ${items.length}.` });
  };
  useLayoutEffect(() => {
    // A row that changes its place loses the focus on the way: the next press must find the same button.
    if (stepped) list.current?.querySelector<HTMLElement>(`[data-step="${stepped.button}"]`)?.focus();
  }, [stepped]);

  return (
    <DragDropProvider sensors={SENSORS} plugins={PLUGINS} onDragEnd={ended}>
      <ul ref={list} aria-label={label} className="divide-y">
        {items.map((item, index) => (
          <SortableRow key={item.id} item={item} index={index} count={items.length} onStep={(by) => step(item, by)} />
        ))}
      </ul>
      <p aria-live="polite" className="sr-only">
        {stepped?.announcement}
      </p>
    </DragDropProvider>
  );
}

interface SortableRowProps {
  item: SortableItem;
  index: number;
  count: number;
  onStep: (by: 1 | -1) => void;
}

function SortableRow({ item: { id, label, icon: Icon }, index, count, onStep }: SortableRowProps) {
  const { ref, handleRef, isDragging } = useSortable({ id, index, data: { label } });
  return (
    <li ref={ref} className={classes(SORTABLE_ROW, 'cursor-grab', isDragging && 'cursor-grabbing rounded-control bg-raised shadow-float')}>
      <IconButton ref={handleRef} label={`Move ${label}`} className="cursor-grab touch-manipulation">
        <GripVertical aria-hidden="true" />
      </IconButton>
      {Icon && <Icon aria-hidden="true" className="size-5 shrink-0 text-ink-3 lg:size-4.5" />}
      <span className="min-w-0 flex-1 basis-12 [overflow-wrap:anywhere]">{label}</span>
      <IconButton label={`Move ${label} up`} data-step={`${id}:-1`} aria-disabled={index === 0} onClick={() => onStep(-1)}>
        <ArrowUp aria-hidden="true" />
      </IconButton>
      <IconButton label={`Move ${label} down`} data-step={`${id}:1`} aria-disabled={index === count - 1} onClick={() => onStep(1)}>
        <ArrowDown aria-hidden="true" />
      </IconButton>
    </li>
  );
}
