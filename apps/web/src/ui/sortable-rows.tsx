import {
  Accessibility,
  AutoScroller,
  type DragOverEvent,
  type DragStartEvent,
  Feedback,
  PointerActivationConstraints,
  StyleInjector,
} from '@dnd-kit/dom';
import { DragDropProvider, type DragEndEvent, KeyboardSensor, PointerSensor } from '@dnd-kit/react';
import { isSortable, useSortable } from '@dnd-kit/react/sortable';
import { ArrowDown, ArrowUp, GripVertical } from 'lucide-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { IconButton } from './button.tsx';
import { classes } from './classes.ts';
import { SORTABLE_ROW, type SortableItem, type SortableListProps } from './sortable-list.tsx';

/** Pixels a mouse moves before it drags: a hand that shakes while pressing moves nothing. */
const MOUSE_DISTANCE = 8;
/** A finger that rests this long (ms) drags; one that moves before scrolls the page. */
const TOUCH_DELAY = { value: 200, tolerance: 8 };

const SENSORS = [
  PointerSensor.configure({
    activationConstraints: ({ pointerType }) => [
      pointerType === 'mouse'
        ? new PointerActivationConstraints.Distance({ value: MOUSE_DISTANCE })
        : new PointerActivationConstraints.Delay(TOUCH_DELAY),
    ],
    // By hand the whole row; the handle is what the keyboard and screen readers use.
    activatorElements: (source) => [source.element, source.handle],
  }),
  KeyboardSensor,
];

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
      isSortable(source) ? `${nameOf(source)} is at place ${source.index + 1}.` : undefined,
    dragend: ({ operation: { source }, canceled }: DragEndEvent) =>
      canceled || !isSortable(source)
        ? `${nameOf(source)} is back where it was.`
        : `${nameOf(source)} put down at place ${source.index + 1}.`,
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

function moved(ids: readonly string[], from: number, to: number): readonly string[] {
  const rest = ids.toSpliced(from, 1);
  const id = ids[from];
  return id === undefined ? ids : rest.toSpliced(to, 0, id);
}

export function SortableRows({ label, items, onOrder }: SortableListProps) {
  const list = useRef<HTMLUListElement>(null);
  const [stepped, setStepped] = useState<{ button: string; says: string }>();
  const ids = items.map(({ id }) => id);

  const ended = ({ operation: { source }, canceled }: DragEndEvent) => {
    if (canceled || !isSortable(source) || source.index === source.initialIndex) return;
    onOrder(moved(ids, source.initialIndex, source.index));
  };
  const step = (from: number, by: 1 | -1) => {
    const [item, to] = [items[from], from + by];
    if (!item || to < 0 || to >= items.length) return;
    onOrder(moved(ids, from, to));
    setStepped({ button: `${item.id}:${by}`, says: `${item.label} is at place ${to + 1} of ${items.length}.` });
  };
  useLayoutEffect(() => {
    // A row that changes its place loses the focus on the way: the next press must find the same button.
    if (stepped) list.current?.querySelector<HTMLElement>(`[data-step="${stepped.button}"]`)?.focus();
  }, [stepped]);

  return (
    <DragDropProvider sensors={SENSORS} plugins={PLUGINS} onDragEnd={ended}>
      <ul ref={list} aria-label={label} className="divide-y">
        {items.map((item, index) => (
          <SortableRow key={item.id} item={item} index={index} count={items.length} onStep={(by) => step(index, by)} />
        ))}
      </ul>
      <p aria-live="polite" className="sr-only">
        {stepped?.says}
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
      <span className="min-w-0 flex-1 truncate">{label}</span>
      <IconButton label={`Move ${label} up`} data-step={`${id}:-1`} aria-disabled={index === 0} onClick={() => onStep(-1)}>
        <ArrowUp aria-hidden="true" />
      </IconButton>
      <IconButton label={`Move ${label} down`} data-step={`${id}:1`} aria-disabled={index === count - 1} onClick={() => onStep(1)}>
        <ArrowDown aria-hidden="true" />
      </IconButton>
    </li>
  );
}
