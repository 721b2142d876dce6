import type { ItemChoice } from '@callout/contract/items';
import { formatMoney } from '@callout/domain/money/money-format';
import { pluralize } from '@callout/domain/text/count-format';
import { AlignLeft, ArrowDown, ArrowUp, BookmarkPlus, ChevronDown, ChevronRight, CopyPlus, PencilLine, Plus, Trash2 } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useId, useRef, useState } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { SwitchField } from '../../ui/choice-fields.tsx';
import { classNames } from '../../ui/class-names.ts';
import { FieldError } from '../../ui/field.tsx';
import { type MenuItem, MoreMenu } from '../../ui/menu.tsx';
import { TextAreaField, TextField } from '../../ui/text-field.tsx';
import { ItemSearch } from './item-search.tsx';
import type { QuoteLineRow, QuoteSectionRow } from './quote-form.ts';
import { type LineErrors, SectionLine } from './section-line.tsx';
import type { LineActions } from './use-line-actions.ts';

export interface SectionErrors {
  readonly name: string | undefined;
  readonly description: string | undefined;
}

export interface SectionCardProps {
  section: QuoteSectionRow;
  items: readonly QuoteLineRow[];
  total: string;
  currency: string | null | undefined;
  actions: LineActions;
  lineErrors: ReadonlyMap<string, LineErrors>;
  sectionErrors: SectionErrors | undefined;
  moveTargets: string;
  /** True for the section that contains the item search and has a ring around it. */
  isActive: boolean;
  isExpanded: boolean;
  isFirst: boolean;
  isLast: boolean;
  grabbedId: string | undefined;
  searchField: RefObject<HTMLInputElement | null>;
  /** Shared by all sections, so that the search term survives a change of the active section. */
  searchTerm: string;
  onSearchTermChange: (term: string) => void;
  searchError: string | undefined;
  onActivate: (id: string) => void;
  onToggle: (id: string) => void;
  onSaveTemplate: (section: QuoteSectionRow) => void;
  onGrabKey: (id: string, event: KeyboardEvent) => void;
  onDrop: () => void;
  onEnter: (id: string, cell: 'quantity' | 'unit_price') => void;
  onPickItem: (item: ItemChoice, sectionId: string) => void;
  onAddCustomItem: (name: string, sectionId: string) => void;
}

const focusField = (field: HTMLElement | null) => field?.focus();

export function SectionCard(props: SectionCardProps) {
  const { section, items, total, currency, actions, lineErrors, moveTargets, sectionErrors, isActive, isExpanded, searchField } = props;
  const { id, name } = section;
  const [isRenaming, setRenaming] = useState(false);
  const [isDescribing, setDescribing] = useState(false);
  const shouldRefocus = useRef(false);
  const heading = useId();
  const optionalHint = props.isFirst && props.isLast ? 'Included as the only section' : 'Optional for the customer';
  const hint = !isExpanded ? pluralize(items.length, 'item') : section.always_required ? 'Always included' : optionalHint;
  return (
    <section
      aria-labelledby={heading}
      data-drag-list={id}
      data-active={isActive || undefined}
      className={classNames('rounded-card bg-surface shadow-card', isActive && isExpanded && 'ring-2 ring-accent')}
    >
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 py-1.5 pr-1.5 pl-1.5 lg:flex-nowrap">
        <div className="flex min-w-0 flex-1 basis-60 items-center gap-1">
          <IconButton
            label={isExpanded ? `Collapse ${name}` : `Expand ${name}`}
            aria-expanded={isExpanded}
            onClick={() => props.onToggle(id)}
          >
            {isExpanded ? <ChevronDown aria-hidden="true" /> : <ChevronRight aria-hidden="true" />}
          </IconButton>
          {isRenaming ? (
            <RenameSectionField
              name={name}
              onDone={(renamed, isByKey) => {
                setRenaming(false);
                shouldRefocus.current = isByKey;
                if (renamed !== undefined) actions.updateSection(id, { name: renamed });
              }}
            />
          ) : (
            <div className="min-w-0 flex-1">
              <h2 id={heading} className="inline text-lg font-semibold [overflow-wrap:anywhere]">
                <button
                  ref={(button) => {
                    // The rename field had focus and has been removed, so focus the button instead.
                    if (shouldRefocus.current) button?.focus();
                    shouldRefocus.current = false;
                  }}
                  type="button"
                  title="Rename"
                  data-wrong={sectionErrors?.name === undefined ? undefined : ''}
                  aria-describedby={sectionErrors?.name === undefined ? undefined : `${heading}-error`}
                  onClick={() => setRenaming(true)}
                  className="rounded text-left hover:underline"
                >
                  {name || 'Unnamed section'}
                </button>
              </h2>{' '}
              <span className="text-sm text-ink-3 lg:ml-1">{hint}</span>
              <FieldError id={heading} error={sectionErrors?.name} />
            </div>
          )}
        </div>
        <div className="flex flex-wrap items-center gap-x-3 max-lg:w-full max-lg:pl-[clamp(0.5rem,100vw-20rem,2.75rem)] lg:flex-nowrap">
          <SwitchField
            label="Required"
            aria-label={`${name} is required`}
            checked={section.always_required}
            onChange={({ target }) => actions.updateSection(id, { always_required: target.checked })}
            className="[&>label]:flex-row-reverse [&>label]:gap-2 [&>label]:text-sm"
          />
          <span className="flex-1 text-right lg:min-w-24 text-base font-semibold tabular-nums">{formatMoney(total, currency)}</span>
          <MoreMenu
            label={`Actions for section ${name}`}
            items={buildSectionMenu(
              props,
              () => setRenaming(true),
              () => setDescribing(true),
            )}
          />
        </div>
      </header>
      {isExpanded && (
        <>
          {(isDescribing || section.description !== '' || sectionErrors?.description !== undefined) && (
            <div className="px-3 pb-2 lg:pl-9">
              <TextAreaField
                label={`Description of ${name}`}
                hideLabel
                placeholder="Describe this section for your customer"
                rows={1}
                maxLength={2000}
                ref={isDescribing ? focusField : undefined}
                value={section.description}
                error={sectionErrors?.description}
                data-wrong={sectionErrors?.description === undefined ? undefined : ''}
                onChange={({ target }) => actions.updateSection(id, { description: target.value })}
                onBlur={() => setDescribing(false)}
                className="[&_textarea]:field-sizing-content [&_textarea]:resize-none [&_textarea]:min-h-9 [&_textarea]:text-ink-2 [&_textarea:not(:hover,:focus)]:ring-transparent"
              />
            </div>
          )}
          {items.length === 0 ? (
            <p className="border-t px-4 py-3 text-base text-ink-3 lg:pl-12">No items in this section</p>
          ) : (
            <ul aria-label={`Items in ${name}`} className="max-h-[500px] divide-y overflow-y-auto overscroll-contain border-t">
              {items.map((item) => (
                <SectionLine
                  key={item.id}
                  line={item}
                  actions={actions}
                  errors={lineErrors.get(item.id)}
                  moveTargets={moveTargets}
                  isGrabbed={props.grabbedId === item.id}
                  onGrabKey={props.onGrabKey}
                  onDrop={props.onDrop}
                  onEnter={props.onEnter}
                />
              ))}
            </ul>
          )}
          <div className="border-t p-2 lg:p-2.5">
            {isActive ? (
              <ItemSearch
                ref={searchField}
                sectionName={name}
                value={props.searchTerm}
                onValueChange={props.onSearchTermChange}
                error={props.searchError}
                onPick={(item) => props.onPickItem(item, id)}
                onAddCustom={(text) => props.onAddCustomItem(text, id)}
              />
            ) : (
              <button
                type="button"
                onClick={() => props.onActivate(id)}
                aria-label={`Add an item to ${name}`}
                className="flex h-11 w-full items-center gap-2 rounded-control px-3 text-left text-base text-ink-3 hover:bg-sunken hover:text-ink lg:h-9"
              >
                <Plus aria-hidden="true" className="size-4.5" />
                Add an item
              </button>
            )}
          </div>
        </>
      )}
    </section>
  );
}

function buildSectionMenu(
  { section, actions, isFirst, isLast, onSaveTemplate }: SectionCardProps,
  rename: () => void,
  describe: () => void,
): MenuItem[] {
  const { id, description } = section;
  return [
    { label: 'Rename', icon: PencilLine, onSelect: rename },
    ...(description === '' ? [{ label: 'Add description', icon: AlignLeft, onSelect: describe }] : []),
    ...(isFirst ? [] : [{ label: 'Move section up', icon: ArrowUp, onSelect: () => actions.moveSection(id, -1) }]),
    ...(isLast ? [] : [{ label: 'Move section down', icon: ArrowDown, onSelect: () => actions.moveSection(id, 1) }]),
    { label: 'Duplicate section', icon: CopyPlus, onSelect: () => actions.duplicateSection(id) },
    { label: 'Save as template', icon: BookmarkPlus, onSelect: () => onSaveTemplate(section) },
    { label: 'Remove section', icon: Trash2, tone: 'danger', onSelect: () => actions.removeSection(id) },
  ];
}

export const BLANK_SECTION_NAME_ERROR = 'Please enter a section name';

/** Calls `onDone` with the new name, or with undefined to keep the old name. */
function RenameSectionField({ name, onDone }: { name: string; onDone: (name: string | undefined, isByKey: boolean) => void }) {
  const [typed, setTyped] = useState(name);
  const [error, setError] = useState<string>();
  const isDone = useRef(false);
  const finish = (renamed: string | undefined, isByKey: boolean) => {
    if (isDone.current) return;
    isDone.current = true;
    onDone(renamed, isByKey);
  };
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') finish(undefined, true);
    // Ctrl+S and Cmd+S save the quote, so the typed name must be applied first.
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 's') finish(typed.trim() || undefined, true);
    if (event.key !== 'Enter') return;
    event.preventDefault();
    if (typed.trim() === '') setError(BLANK_SECTION_NAME_ERROR);
    else finish(typed.trim(), true);
  };
  return (
    <TextField
      label="Section name"
      hideLabel
      ref={focusField}
      maxLength={200}
      value={typed}
      error={error}
      onChange={({ target }) => {
        setTyped(target.value);
        setError(undefined);
      }}
      onKeyDown={handleKeyDown}
      onBlur={() => finish(typed.trim() || undefined, false)}
      className="max-w-md flex-1"
    />
  );
}
