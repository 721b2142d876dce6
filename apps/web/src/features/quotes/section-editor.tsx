import type { ItemChoice } from '@callout/contract/items';
import {
  type KeyboardEvent,
  type Ref,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import type { FieldErrors } from 'react-hook-form';
import { classes } from '../../ui/classes.ts';
import { FieldError } from '../../ui/field.tsx';
import { toast } from '../../ui/toast.ts';
import { HAS_KEYBOARD } from '../../ui/use-browser-state.ts';
import { useLazyModule } from '../../ui/use-lazy-module.ts';
import { AddSection } from './add-section.tsx';
import type { QuoteFigures } from './quote-figures.ts';
import { type QuoteValues, type SectionRow, toTemplateInput } from './quote-form.ts';
import { itemsBySection, positionOf, type QuoteLines } from './quote-lines.ts';
import { useSaveTemplate } from './quotes.api.ts';
import { SectionCard, type SectionErrors } from './section-card.tsx';
import { LINE_GRID, type LineErrors } from './section-line.tsx';
import type { LineActions } from './use-line-actions.ts';

export interface SectionEditorHandle {
  /** Shows what is typed but not added, and tells whether there is anything: a save would drop it. */
  stopAtUnadded: () => boolean;
}

interface SectionEditorProps {
  ref: Ref<SectionEditorHandle>;
  isShown: boolean;
  lines: QuoteLines;
  figures: QuoteFigures;
  actions: LineActions;
  errors: FieldErrors<QuoteValues>;
  /** Counts refused saves: then the first wrong item is shown. */
  refusals: number;
  currency: string | null | undefined;
}

/** The sections of a quote and everything that can be done with them. */
export function SectionEditor({ ref, isShown, lines, figures, actions, errors, refusals, currency }: SectionEditorProps) {
  const { sections, items } = lines;
  const root = useRef<HTMLDivElement>(null);
  const searchField = useRef<HTMLInputElement>(null);
  const [chosenId, setChosenId] = useState<string>();
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const activeId = sections.find(({ id }) => id === chosenId)?.id ?? sections[0]?.id;
  const groups = itemsBySection(lines);
  const lineErrors = useMemo(() => errorsByLine(items, errors), [items, errors]);
  const sectionErrors = useMemo(() => errorsBySection(sections, errors), [sections, errors]);
  const { grabbedId, announcement, grab, drop } = useKeyboardMove(root, actions, lines);

  const [term, setTerm] = useState('');
  const [newName, setNewName] = useState('');
  const nameField = useRef<HTMLInputElement>(null);
  /** What a save was stopped for. */
  const [stoppedAt, setStoppedAt] = useState<'term' | 'name'>();
  const isFocusDue = useRef(false);
  const problemOf = (at: typeof stoppedAt, typed: string) => (stoppedAt === at ? `Add or clear “${typed.trim()}” first` : undefined);

  const open = useCallback((id: string) => setClosed((now) => new Set([...now].filter((other) => other !== id))), []);
  const toggle = useCallback(
    (id: string) => setClosed((now) => (now.has(id) ? new Set([...now].filter((other) => other !== id)) : new Set(now).add(id))),
    [],
  );
  const activate = useCallback((id: string) => {
    // At once, so that the search field is there to be focused.
    flushSync(() => setChosenId(id));
    searchField.current?.focus();
  }, []);
  const focusNextCell = useCallback(
    (id: string, cell: 'quantity' | 'unit_price') => {
      const row = root.current?.querySelector(`[data-drag-row="${id}"]`);
      const next = row?.nextElementSibling?.querySelector<HTMLElement>(`[data-cell="${cell}"]`);
      const section = positionOf(actions.read(), id)?.sectionId;
      if (next) next.focus();
      else if (section !== undefined) activate(section);
    },
    [actions, activate],
  );
  const addCustom = useCallback(
    (name: string, sectionId: string) => {
      const id = actions.addCustom(name, sectionId);
      // Its price is the next thing to type.
      requestAnimationFrame(() => root.current?.querySelector<HTMLElement>(`[data-drag-row="${id}"] [data-cell="unit_price"]`)?.focus());
    },
    [actions],
  );
  const addSection = (name: string) => show(actions.addSection(name));
  const show = (id: string) => {
    flushSync(() => setChosenId(id));
    if (window.matchMedia(HAS_KEYBOARD).matches) searchField.current?.focus();
    else root.current?.querySelector(`[data-drag-list="${id}"]`)?.scrollIntoView({ block: 'nearest' });
  };
  const saveTemplate = useSaveSection(actions);

  useImperativeHandle(ref, () => ({
    stopAtUnadded: () => {
      const at = term.trim() !== '' ? 'term' : newName.trim() !== '' ? 'name' : undefined;
      setStoppedAt(at);
      if (at === 'term' && activeId !== undefined) open(activeId);
      isFocusDue.current = at !== undefined;
      return at !== undefined;
    },
  }));
  useEffect(() => {
    // Its tab and its section have to be open first.
    const field = stoppedAt === 'term' ? searchField.current : nameField.current;
    if (!isFocusDue.current || !isShown || !field) return;
    isFocusDue.current = false;
    field.focus();
  });

  useEffect(() => {
    if (refusals === 0) return;
    const wrongSection = sections.find(({ id }) => sectionErrors.has(id));
    if (wrongSection) {
      open(wrongSection.id);
      requestAnimationFrame(() => root.current?.querySelector<HTMLElement>(`[data-drag-list="${wrongSection.id}"] [data-wrong]`)?.focus());
      return;
    }
    const wrong = actions.read().items.find(({ id }) => lineErrors.has(id));
    if (!wrong) return;
    open(positionOf(actions.read(), wrong.id)?.sectionId ?? '');
    // Once its section shows.
    requestAnimationFrame(() => root.current?.querySelector<HTMLElement>(`[data-drag-row="${wrong.id}"] [aria-invalid=true]`)?.focus());
    // Only when a save was refused, not whenever a message changes.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [refusals]);

  const listError = errors.items?.message ?? errors.items?.root?.message ?? errors.sections?.message ?? errors.sections?.root?.message;
  return (
    <div ref={root}>
      <div aria-hidden="true" className={classes('hidden px-3 pb-1.5 text-sm text-ink-3 lg:pr-1.5', LINE_GRID)}>
        <span />
        <span />
        <span className="text-center">Quantity</span>
        <span className="pr-3 text-right">Unit price</span>
        <span />
        <span className="text-right">Total</span>
        <span className="w-16" />
      </div>
      <div className="space-y-3">
        {sections.map((section, index) => (
          <SectionCard
            key={section.id}
            section={section}
            items={groups.get(section.id) ?? []}
            total={figures.sections.find(({ id }) => id === section.id)?.total ?? '0'}
            currency={currency}
            actions={actions}
            errors={lineErrors}
            ownErrors={sectionErrors.get(section.id)}
            targets={targetsOf(sections, section.id)}
            isActive={section.id === activeId}
            isOpen={!closed.has(section.id)}
            isFirst={index === 0}
            isLast={index === sections.length - 1}
            grabbedId={grabbedId}
            searchField={searchField}
            term={term}
            onTerm={(typed) => {
              setTerm(typed);
              setStoppedAt(undefined);
            }}
            termProblem={problemOf('term', term)}
            onActivate={activate}
            onToggle={toggle}
            onSaveTemplate={saveTemplate}
            onGrab={grab}
            onDrop={drop}
            onEnter={focusNextCell}
            onPick={actions.addFromPriceList satisfies (item: ItemChoice, sectionId: string) => string}
            onCustom={addCustom}
          />
        ))}
      </div>
      <FieldError id="quote-sections" error={listError} />
      <AddSection
        ref={nameField}
        name={newName}
        onName={(typed) => {
          setNewName(typed);
          setStoppedAt(undefined);
        }}
        problem={problemOf('name', newName)}
        onAdd={addSection}
        onInsert={(template) => show(actions.insertTemplate(template))}
      />
      <p id="quote-move-help" hidden>
        Press the space bar to pick up, the arrow keys to move, the space bar again to put down, and Escape to leave it where it was.
      </p>
      <p aria-live="polite" className="sr-only">
        {announcement}
      </p>
      <Dragging root={root} lines={lines} closed={closed} actions={actions} />
    </div>
  );
}

/** The names of the other sections, as `SectionLine` takes them. */
const targetsOf = (sections: readonly SectionRow[], own: string) =>
  sections
    .filter(({ id }) => id !== own)
    .map(({ id, name }) => `${id} ${name}`)
    .join('\n');

function errorsBySection(sections: QuoteLines['sections'], errors: FieldErrors<QuoteValues>): ReadonlyMap<string, SectionErrors> {
  const found = sections.flatMap(({ id }, index): [string, SectionErrors][] => {
    const wrong = errors.sections?.[index];
    return wrong ? [[id, { name: wrong.name?.message, description: wrong.description?.message }]] : [];
  });
  return new Map(found);
}

function errorsByLine(items: QuoteLines['items'], errors: FieldErrors<QuoteValues>): ReadonlyMap<string, LineErrors> {
  const found = items.flatMap(({ id }, index): [string, LineErrors][] => {
    const wrong = errors.items?.[index];
    if (!wrong) return [];
    return [[id, { name: wrong.name?.message, quantity: wrong.quantity?.message, unit_price: wrong.unit_price?.message }]];
  });
  return new Map(found);
}

interface DraggingProps {
  root: React.RefObject<HTMLDivElement | null>;
  lines: QuoteLines;
  /** Sections whose rows are not on the page. */
  closed: ReadonlySet<string>;
  actions: LineActions;
}

/** What moves the rows is heavy and comes with the first sign of a pointer: nothing can be dragged before. */
function Dragging({ root, lines, closed, actions }: DraggingProps) {
  const [hasPointer, setPointer] = useState(false);
  useEffect(() => {
    const stop = new AbortController();
    for (const event of ['pointermove', 'pointerdown', 'scroll']) {
      window.addEventListener(event, () => setPointer(true), { once: true, passive: true, signal: stop.signal });
    }
    return () => stop.abort();
  }, []);
  const file = useLazyModule(() => import('../../ui/row-dragging.tsx'), hasPointer);
  const layout = lines.items.map(({ id, section_id: section }) => `${id} ${section} ${closed.has(section)}`).join('\n');
  const labelOf = (rowId: string) => lines.items.find(({ id }) => id === rowId)?.name ?? '';
  return file ? <file.RowDragging container={root} layout={layout} labelOf={labelOf} onMove={actions.move} /> : null;
}

/** Space on a handle picks an item up, the arrow keys move it through the sections, Escape puts it back. */
function useKeyboardMove(root: React.RefObject<HTMLElement | null>, actions: LineActions, lines: QuoteLines) {
  const [grabbed, setGrabbed] = useState<{ id: string; before: QuoteLines }>();
  const [announcement, setAnnouncement] = useState('');
  const moving = useRef(false);
  const latest = useRef(grabbed);
  useLayoutEffect(() => {
    latest.current = grabbed;
  });
  const announce = useCallback(
    (id: string, what: string) => {
      const now = actions.read();
      const name = now.items.find((item) => item.id === id)?.name ?? '';
      const place = positionOf(now, id);
      const section = now.sections.find((other) => other.id === place?.sectionId)?.name;
      setAnnouncement(`${name} ${what} position ${(place?.position ?? 0) + 1} of ${section}.`);
    },
    [actions],
  );
  const grab = useCallback(
    (id: string, event: KeyboardEvent) => {
      const current = latest.current;
      const direction = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : undefined;
      if (event.key === ' ' || event.key === 'Enter') {
        setGrabbed(current ? undefined : { id, before: actions.read() });
        announce(id, current ? 'dropped at' : 'picked up at');
      } else if (current && event.key === 'Escape') {
        actions.restore(current.before);
        setGrabbed(undefined);
        announce(id, 'returned to');
      } else if (current && direction) {
        const before = actions.read().items;
        actions.step(id, direction);
        moving.current = actions.read().items !== before;
        announce(id, 'moved to');
      } else return;
      event.preventDefault();
    },
    [actions, announce],
  );
  const drop = useCallback(() => {
    // A row that changes its place loses the focus on the way.
    if (!moving.current) setGrabbed(undefined);
  }, []);
  useLayoutEffect(() => {
    if (!moving.current || !latest.current) return;
    root.current?.querySelector<HTMLElement>(`[data-grip="${latest.current.id}"]`)?.focus();
    moving.current = false;
  }, [lines, root]);
  return { grabbedId: grabbed?.id, announcement, grab, drop };
}

function useSaveSection(actions: LineActions) {
  const { mutate } = useSaveTemplate();
  return useCallback(
    (section: SectionRow) => {
      const found = toTemplateInput(section, actions.read().items);
      if ('template' in found) mutate(found.template);
      else toast.error(`Failed to save template: ${found.error}`);
    },
    [actions, mutate],
  );
}
