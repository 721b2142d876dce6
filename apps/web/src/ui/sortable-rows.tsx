import { Accessibility, AutoScroller, type DragOverEvent, type DragStartEvent, Feedback, StyleInjector } from '@dnd-kit/dom';
import { DragDropProvider, type DragEndEvent, KeyboardSensor, PointerSensor } from '@dnd-kit/react';
import { isSortable, useSortable } from '@dnd-kit/react/sortable';
import { ArrowDown, ArrowUp, GripVertical } from 'lucide-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { IconButton } from './button.tsx';
import { classNames } from './class-names.ts';
import { POINTER_SENSOR_OPTIONS } from './drag-sensors.ts';
import { ROW_CLASSES, type SortableItem, type SortableListProps } from './sortable-list.tsx';

const SENSORS = [PointerSensor.configure(POINTER_SENSOR_OPTIONS), KeyboardSensor];

// dnd-kit adds a style element, which our Content Security Policy blocks. Adopt its rules as a constructed style sheet instead.
StyleInjector.prototype.register = (rules) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules);
  document.adoptedStyleSheets.push(sheet);
  return () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
  };
};

const ACCESSIBILITY = Accessibility.configure({
  announcements: {
    dragstart: ({ operation: { source } }: DragStartEvent) => `${getLabel(source)} picked up.`,
    dragover: ({ operation: { source } }: DragOverEvent) =>
      isSortable(source) ? `${getLabel(source)} moved to position ${source.index + 1}.` : undefined,
    dragend: ({ operation: { source }, canceled }: DragEndEvent) =>
      canceled || !isSortable(source)
        ? `${getLabel(source)} returned to its position.`
        : `${getLabel(source)} dropped at position ${source.index + 1}.`,
  },
  screenReaderInstructions: {
    draggable: 'Press Space to pick up the item, the arrow keys to move it, Space again to drop it, or Escape to cancel.',
  },
});

const PLUGINS = [ACCESSIBILITY, AutoScroller, Feedback];

function getLabel(source: { data: Record<string, unknown> } | null): string {
  const label = source?.data['label'];
  return typeof label === 'string' ? label : '';
}

/** Tracks the order after the last move, which may be ahead of the rendered order, so that rapid clicks don't undo each other. */
function useLatestOrder(items: readonly SortableItem[]) {
  const key = items.map(({ id }) => id).join('\n');
  const latest = useRef(key);
  /** Orders passed to `onReorder` that are not rendered yet. */
  const pendingOrders = useRef<string[]>([]);
  useLayoutEffect(() => {
    const position = pendingOrders.current.indexOf(key);
    pendingOrders.current = position === -1 ? [] : pendingOrders.current.slice(position + 1);
    if (pendingOrders.current.length === 0) latest.current = key;
  }, [key]);
  const ids = () => latest.current.split('\n');
  return {
    indexOf: (id: string) => ids().indexOf(id),
    move: (id: string, to: number): readonly string[] => {
      const moved = ids()
        .filter((other) => other !== id)
        .toSpliced(to, 0, id);
      latest.current = moved.join('\n');
      pendingOrders.current.push(latest.current);
      return moved;
    },
  };
}

export function SortableRows({ label, items, onReorder }: SortableListProps) {
  const list = useRef<HTMLUListElement>(null);
  const [lastStep, setLastStep] = useState<{ button: string; announcement: string }>();
  const latest = useLatestOrder(items);
  const reorder = (id: string, to: number) => onReorder(latest.move(id, to));

  const handleDragEnd = ({ operation: { source }, canceled }: DragEndEvent) => {
    if (canceled || !isSortable(source) || source.index === source.initialIndex) return;
    reorder(String(source.id), source.index);
  };
  const moveByStep = ({ id, label: name }: SortableItem, by: 1 | -1) => {
    const to = latest.indexOf(id) + by;
    if (to < 0 || to >= items.length) return;
    reorder(id, to);
    setLastStep({ button: `${id}:${by}`, announcement: `${name} moved to position ${to + 1} of ${items.length}.` });
  };
  useLayoutEffect(() => {
    // Moving a row loses the focus, so return the focus to the button for its next press.
    if (lastStep) list.current?.querySelector<HTMLElement>(`[data-step="${lastStep.button}"]`)?.focus();
  }, [lastStep]);

  return (
    <DragDropProvider sensors={SENSORS} plugins={PLUGINS} onDragEnd={handleDragEnd}>
      <ul ref={list} aria-label={label} className="divide-y">
        {items.map((item, index) => (
          <SortableRow key={item.id} item={item} index={index} count={items.length} onStep={(by) => moveByStep(item, by)} />
        ))}
      </ul>
      <p aria-live="polite" className="sr-only">
        {lastStep?.announcement}
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
    <li
      ref={ref}
      className={classNames(ROW_CLASSES, 'cursor-grab', isDragging && 'cursor-grabbing rounded-control bg-raised shadow-float')}
    >
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
