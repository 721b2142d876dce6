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
import { classNames } from '../../ui/class-names.ts';
import { FieldError } from '../../ui/field.tsx';
import { toast } from '../../ui/toast.ts';
import { FINE_POINTER_QUERY } from '../../ui/use-browser-state.ts';
import { useLazyModule } from '../../ui/use-lazy-module.ts';
import { AddSectionForm } from './add-section.tsx';
import type { QuoteFigures } from './quote-figures.ts';
import { type QuoteFormValues, type QuoteSectionRow, toTemplateInput } from './quote-form.ts';
import { findItemPosition, groupItemsBySection, type QuoteLines } from './quote-lines.ts';
import { useSaveTemplate } from './quotes.api.ts';
import { SectionCard, type SectionErrors } from './section-card.tsx';
import { LINE_GRID_CLASSES, type LineErrors } from './section-line.tsx';
import type { LineActions } from './use-line-actions.ts';

export interface SectionEditorHandle {
  /** Returns true and displays an error if typed text hasn't been added yet, because saving would lose the text. */
  rejectUnaddedText: () => boolean;
}

interface SectionEditorProps {
  ref: Ref<SectionEditorHandle>;
  isVisible: boolean;
  lines: QuoteLines;
  figures: QuoteFigures;
  actions: LineActions;
  errors: FieldErrors<QuoteFormValues>;
  /** Each increase focuses the first invalid section or item. */
  submitCount: number;
  currency: string | null | undefined;
}

export function SectionEditor({ ref, isVisible, lines, figures, actions, errors, submitCount, currency }: SectionEditorProps) {
  const { sections, items } = lines;
  const root = useRef<HTMLDivElement>(null);
  const searchField = useRef<HTMLInputElement>(null);
  const [chosenId, setChosenId] = useState<string>();
  const [collapsedIds, setCollapsedIds] = useState<ReadonlySet<string>>(new Set());
  const activeId = sections.find(({ id }) => id === chosenId)?.id ?? sections[0]?.id;
  const groups = groupItemsBySection(lines);
  const lineErrors = useMemo(() => groupErrorsByLine(items, errors), [items, errors]);
  const sectionErrors = useMemo(() => groupErrorsBySection(sections, errors), [sections, errors]);
  const { grabbedId, announcement, handleGrabKey, drop } = useKeyboardMove(root, actions, lines);

  const [searchTerm, setSearchTerm] = useState('');
  const [newName, setNewName] = useState('');
  const nameField = useRef<HTMLInputElement>(null);
  /** The field with the unadded text that blocked the last save. */
  const [unaddedField, setUnaddedField] = useState<'searchTerm' | 'name'>();
  const shouldFocus = useRef(false);
  const getUnaddedError = (field: typeof unaddedField, text: string) =>
    unaddedField === field ? `Add or clear “${text.trim()}” first` : undefined;

  const expandSection = useCallback((id: string) => setCollapsedIds((now) => new Set([...now].filter((other) => other !== id))), []);
  const toggleSection = useCallback(
    (id: string) => setCollapsedIds((now) => (now.has(id) ? new Set([...now].filter((other) => other !== id)) : new Set(now).add(id))),
    [],
  );
  const activateSection = useCallback((id: string) => {
    // Renders synchronously, so that the search field exists before it's focused.
    flushSync(() => setChosenId(id));
    searchField.current?.focus();
  }, []);
  const focusNextCell = useCallback(
    (id: string, cell: 'quantity' | 'unit_price') => {
      const row = root.current?.querySelector(`[data-drag-row="${id}"]`);
      const next = row?.nextElementSibling?.querySelector<HTMLElement>(`[data-cell="${cell}"]`);
      const section = findItemPosition(actions.getLines(), id)?.sectionId;
      if (next) next.focus();
      else if (section !== undefined) activateSection(section);
    },
    [actions, activateSection],
  );
  const addCustomItem = useCallback(
    (name: string, sectionId: string) => {
      const id = actions.addCustomItem(name, sectionId);
      // A custom item has no price yet, so focus its price field.
      requestAnimationFrame(() => root.current?.querySelector<HTMLElement>(`[data-drag-row="${id}"] [data-cell="unit_price"]`)?.focus());
    },
    [actions],
  );
  const addSection = (name: string) => revealSection(actions.addSection(name));
  const revealSection = (id: string) => {
    flushSync(() => setChosenId(id));
    if (window.matchMedia(FINE_POINTER_QUERY).matches) searchField.current?.focus();
    else root.current?.querySelector(`[data-drag-list="${id}"]`)?.scrollIntoView({ block: 'nearest' });
  };
  const saveTemplate = useSaveSectionAsTemplate(actions);

  useImperativeHandle(ref, () => ({
    rejectUnaddedText: () => {
      const field = searchTerm.trim() !== '' ? 'searchTerm' : newName.trim() !== '' ? 'name' : undefined;
      setUnaddedField(field);
      if (field === 'searchTerm' && activeId !== undefined) expandSection(activeId);
      shouldFocus.current = field !== undefined;
      return field !== undefined;
    },
  }));
  useEffect(() => {
    // Runs after every render until the tab and the section that contain the field are open, then focuses the field.
    const field = unaddedField === 'searchTerm' ? searchField.current : nameField.current;
    if (!shouldFocus.current || !isVisible || !field) return;
    shouldFocus.current = false;
    field.focus();
  });

  useEffect(() => {
    if (submitCount === 0) return;
    const invalidSection = sections.find(({ id }) => sectionErrors.has(id));
    if (invalidSection) {
      expandSection(invalidSection.id);
      requestAnimationFrame(() =>
        root.current?.querySelector<HTMLElement>(`[data-drag-list="${invalidSection.id}"] [data-wrong]`)?.focus(),
      );
      return;
    }
    const line = actions.getLines().items.find(({ id }) => lineErrors.has(id));
    if (!line) return;
    expandSection(findItemPosition(actions.getLines(), line.id)?.sectionId ?? '');
    // Wait one frame for the section to expand.
    requestAnimationFrame(() => root.current?.querySelector<HTMLElement>(`[data-drag-row="${line.id}"] [aria-invalid=true]`)?.focus());
    // oxlint-disable-next-line react/exhaustive-deps -- Runs only after a failed save, not whenever an error changes.
  }, [submitCount]);

  const listError = errors.items?.message ?? errors.items?.root?.message ?? errors.sections?.message ?? errors.sections?.root?.message;
  return (
    <div ref={root}>
      <div aria-hidden="true" className={classNames('hidden px-3 pb-1.5 text-sm text-ink-3 lg:pr-1.5', LINE_GRID_CLASSES)}>
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
            lineErrors={lineErrors}
            sectionErrors={sectionErrors.get(section.id)}
            moveTargets={encodeMoveTargets(sections, section.id)}
            isActive={section.id === activeId}
            isExpanded={!collapsedIds.has(section.id)}
            isFirst={index === 0}
            isLast={index === sections.length - 1}
            grabbedId={grabbedId}
            searchField={searchField}
            searchTerm={searchTerm}
            onSearchTermChange={(typed) => {
              setSearchTerm(typed);
              setUnaddedField(undefined);
            }}
            searchError={getUnaddedError('searchTerm', searchTerm)}
            onActivate={activateSection}
            onToggle={toggleSection}
            onSaveTemplate={saveTemplate}
            onGrabKey={handleGrabKey}
            onDrop={drop}
            onEnter={focusNextCell}
            onPickItem={actions.addPriceListItem satisfies (item: ItemChoice, sectionId: string) => string}
            onAddCustomItem={addCustomItem}
          />
        ))}
      </div>
      <FieldError id="quote-sections" error={listError} />
      <AddSectionForm
        ref={nameField}
        name={newName}
        onNameChange={(typed) => {
          setNewName(typed);
          setUnaddedField(undefined);
        }}
        unaddedError={getUnaddedError('name', newName)}
        onAdd={addSection}
        onInsert={(template) => revealSection(actions.insertTemplate(template))}
      />
      <p id="quote-move-help" hidden>
        Press Space to pick up the item, the arrow keys to move it, Space again to drop it, or Escape to cancel.
      </p>
      <p aria-live="polite" className="sr-only">
        {announcement}
      </p>
      <LazyRowDragging root={root} lines={lines} collapsedIds={collapsedIds} actions={actions} />
    </div>
  );
}

/** Encodes all sections except the current one for `SectionLineProps.moveTargets`. */
const encodeMoveTargets = (sections: readonly QuoteSectionRow[], currentId: string) =>
  sections
    .filter(({ id }) => id !== currentId)
    .map(({ id, name }) => `${id} ${name}`)
    .join('\n');

function groupErrorsBySection(sections: QuoteLines['sections'], errors: FieldErrors<QuoteFormValues>): ReadonlyMap<string, SectionErrors> {
  const found = sections.flatMap(({ id }, index): [string, SectionErrors][] => {
    const error = errors.sections?.[index];
    return error ? [[id, { name: error.name?.message, description: error.description?.message }]] : [];
  });
  return new Map(found);
}

function groupErrorsByLine(items: QuoteLines['items'], errors: FieldErrors<QuoteFormValues>): ReadonlyMap<string, LineErrors> {
  const found = items.flatMap(({ id }, index): [string, LineErrors][] => {
    const error = errors.items?.[index];
    if (!error) return [];
    return [[id, { name: error.name?.message, quantity: error.quantity?.message, unit_price: error.unit_price?.message }]];
  });
  return new Map(found);
}

interface LazyRowDraggingProps {
  root: React.RefObject<HTMLDivElement | null>;
  lines: QuoteLines;
  collapsedIds: ReadonlySet<string>;
  actions: LineActions;
}

/** Loads the large drag code on the first pointer or scroll event, because nothing can be dragged earlier. */
function LazyRowDragging({ root, lines, collapsedIds, actions }: LazyRowDraggingProps) {
  const [isPointerActive, setPointerActive] = useState(false);
  useEffect(() => {
    const controller = new AbortController();
    for (const event of ['pointermove', 'pointerdown', 'scroll']) {
      window.addEventListener(event, () => setPointerActive(true), { once: true, passive: true, signal: controller.signal });
    }
    return () => controller.abort();
  }, []);
  const module = useLazyModule(() => import('../../ui/row-drag-layer.tsx'), isPointerActive);
  const layout = lines.items.map(({ id, section_id: section }) => `${id} ${section} ${collapsedIds.has(section)}`).join('\n');
  const getRowLabel = (rowId: string) => lines.items.find(({ id }) => id === rowId)?.name ?? '';
  return module ? <module.RowDragLayer container={root} layoutKey={layout} getLabel={getRowLabel} onMove={actions.moveItem} /> : null;
}

/** Moves items by keyboard. Space on a handle picks up an item, arrow keys move it, even across sections, and Escape cancels. */
function useKeyboardMove(root: React.RefObject<HTMLElement | null>, actions: LineActions, lines: QuoteLines) {
  const [grabbed, setGrabbed] = useState<{ id: string; before: QuoteLines }>();
  const [announcement, setAnnouncement] = useState('');
  const isMoving = useRef(false);
  const latestGrabbed = useRef(grabbed);
  useLayoutEffect(() => {
    latestGrabbed.current = grabbed;
  });
  const announce = useCallback(
    (id: string, what: string) => {
      const now = actions.getLines();
      const name = now.items.find((item) => item.id === id)?.name ?? '';
      const itemPosition = findItemPosition(now, id);
      const section = now.sections.find((other) => other.id === itemPosition?.sectionId)?.name;
      setAnnouncement(`${name} ${what} position ${(itemPosition?.position ?? 0) + 1} of ${section}.`);
    },
    [actions],
  );
  const handleGrabKey = useCallback(
    (id: string, event: KeyboardEvent) => {
      const current = latestGrabbed.current;
      const direction = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : undefined;
      if (event.key === ' ' || event.key === 'Enter') {
        setGrabbed(current ? undefined : { id, before: actions.getLines() });
        announce(id, current ? 'dropped at' : 'picked up at');
      } else if (current && event.key === 'Escape') {
        actions.setLines(current.before);
        setGrabbed(undefined);
        announce(id, 'returned to');
      } else if (current && direction) {
        const before = actions.getLines().items;
        actions.moveItemOneStep(id, direction);
        isMoving.current = actions.getLines().items !== before;
        announce(id, 'moved to');
      } else return;
      event.preventDefault();
    },
    [actions, announce],
  );
  const drop = useCallback(() => {
    // Ignore the brief loss of focus while a row moves, which must not drop the row.
    if (!isMoving.current) setGrabbed(undefined);
  }, []);
  useLayoutEffect(() => {
    if (!isMoving.current || !latestGrabbed.current) return;
    root.current?.querySelector<HTMLElement>(`[data-grip="${latestGrabbed.current.id}"]`)?.focus();
    isMoving.current = false;
  }, [lines, root]);
  return { grabbedId: grabbed?.id, announcement, handleGrabKey, drop };
}

function useSaveSectionAsTemplate(actions: LineActions) {
  const { mutate } = useSaveTemplate();
  return useCallback(
    (section: QuoteSectionRow) => {
      const found = toTemplateInput(section, actions.getLines().items);
      if ('template' in found) mutate(found.template);
      else toast.error(`Failed to save template: ${found.error}`);
    },
    [actions, mutate],
  );
}
