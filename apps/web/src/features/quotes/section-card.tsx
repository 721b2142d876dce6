import type { ItemChoice } from '@callout/contract/items';
import { formatMoney } from '@callout/domain/money/money-text';
import { countText } from '@callout/domain/text/count-text';
import {
  AlignLeft,
  ArrowDown,
  ArrowUp,
  BookmarkPlus,
  ChevronDown,
  ChevronRight,
  CopyPlus,
  Ellipsis,
  PencilLine,
  Plus,
  Trash2,
} from 'lucide-react';
import { type KeyboardEvent, type RefObject, useId, useRef, useState } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { SwitchField } from '../../ui/choice-fields.tsx';
import { classes } from '../../ui/classes.ts';
import { FieldError } from '../../ui/field.tsx';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { TextAreaField, TextField } from '../../ui/text-field.tsx';
import { ItemSearch } from './item-search.tsx';
import type { LineRow, SectionRow } from './quote-form.ts';
import { type LineErrors, SectionLine } from './section-line.tsx';
import type { LineActions } from './use-line-actions.ts';

export interface SectionErrors {
  readonly name: string | undefined;
  readonly description: string | undefined;
}

export interface SectionCardProps {
  section: SectionRow;
  items: readonly LineRow[];
  total: string;
  currency: string | null | undefined;
  actions: LineActions;
  errors: ReadonlyMap<string, LineErrors>;
  /** Of its name and its description. */
  ownErrors: SectionErrors | undefined;
  targets: string;
  /** The item search stands at its foot. */
  isActive: boolean;
  isOpen: boolean;
  isFirst: boolean;
  isLast: boolean;
  grabbedId: string | undefined;
  searchField: RefObject<HTMLInputElement | null>;
  /** What is typed into the search; it goes along from section to section. */
  term: string;
  onTerm: (term: string) => void;
  termProblem: string | undefined;
  onActivate: (id: string) => void;
  onToggle: (id: string) => void;
  onSaveTemplate: (section: SectionRow) => void;
  onGrab: (id: string, event: KeyboardEvent) => void;
  onDrop: () => void;
  onEnter: (id: string, cell: 'quantity' | 'unit_price') => void;
  onPick: (item: ItemChoice, sectionId: string) => void;
  onCustom: (name: string, sectionId: string) => void;
}

/** Opened by a press, to be typed into. */
const focusOnce = (field: HTMLElement | null) => field?.focus();

/** A section with its items. The one that the search adds to has a ring. */
export function SectionCard(props: SectionCardProps) {
  const { section, items, total, currency, actions, errors, targets, ownErrors, isActive, isOpen, grabbedId, searchField } = props;
  const { id, name } = section;
  const [isRenaming, setRenaming] = useState(false);
  const [isDescribing, setDescribing] = useState(false);
  const isRefocusing = useRef(false);
  const heading = useId();
  // A section alone is the whole quote, whatever its switch says.
  const isOption = !section.always_required && !(props.isFirst && props.isLast);
  const about = !isOpen ? countText(items.length, 'item') : isOption ? 'Optional for the customer' : 'Always included';
  return (
    <section
      aria-labelledby={heading}
      data-drag-list={id}
      data-active={isActive || undefined}
      className={classes('rounded-card bg-surface shadow-card', isActive && isOpen && 'ring-2 ring-accent')}
    >
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 py-1.5 pr-1.5 pl-1.5 lg:flex-nowrap">
        <div className="flex min-w-0 flex-1 basis-60 items-center gap-1">
          <IconButton label={isOpen ? `Collapse ${name}` : `Expand ${name}`} aria-expanded={isOpen} onClick={() => props.onToggle(id)}>
            {isOpen ? <ChevronDown aria-hidden="true" /> : <ChevronRight aria-hidden="true" />}
          </IconButton>
          {isRenaming ? (
            <RenameField
              name={name}
              onDone={(renamed, isByKey) => {
                setRenaming(false);
                isRefocusing.current = isByKey;
                if (renamed !== undefined) actions.changeSection(id, { name: renamed });
              }}
            />
          ) : (
            <div className="min-w-0 flex-1">
              <h2 id={heading} className="inline text-lg font-semibold [overflow-wrap:anywhere]">
                <button
                  ref={(button) => {
                    // The field that had the focus is gone.
                    if (isRefocusing.current) button?.focus();
                    isRefocusing.current = false;
                  }}
                  type="button"
                  title="Rename"
                  data-wrong={ownErrors?.name === undefined ? undefined : ''}
                  aria-describedby={ownErrors?.name === undefined ? undefined : `${heading}-error`}
                  onClick={() => setRenaming(true)}
                  className="rounded text-left hover:underline"
                >
                  {name || 'Unnamed section'}
                </button>
              </h2>{' '}
              <span className="text-sm text-ink-3 lg:ml-1">{about}</span>
              <FieldError id={heading} error={ownErrors?.name} />
            </div>
          )}
        </div>
        <div className="flex flex-wrap items-center gap-x-3 max-lg:w-full max-lg:pl-[clamp(0.5rem,100vw-20rem,2.75rem)] lg:flex-nowrap">
          <SwitchField
            label="Required"
            aria-label={`${name} is required`}
            checked={section.always_required}
            onChange={({ target }) => actions.changeSection(id, { always_required: target.checked })}
            className="[&>label]:flex-row-reverse [&>label]:gap-2 [&>label]:text-sm"
          />
          <span className="flex-1 text-right lg:min-w-24 text-base font-semibold tabular-nums">{formatMoney(total, currency)}</span>
          <Menu
            label={`Actions for section ${name}`}
            trigger={
              <IconButton label={`Actions for section ${name}`}>
                <Ellipsis aria-hidden="true" />
              </IconButton>
            }
            items={menuOf(
              props,
              () => setRenaming(true),
              () => setDescribing(true),
            )}
          />
        </div>
      </header>
      {isOpen && (
        <>
          {(isDescribing || section.description !== '' || ownErrors?.description !== undefined) && (
            <div className="px-3 pb-2 lg:pl-9">
              <TextAreaField
                label={`Description of ${name}`}
                hideLabel
                placeholder="What this section covers, for the customer"
                rows={1}
                maxLength={2000}
                ref={isDescribing ? focusOnce : undefined}
                value={section.description}
                error={ownErrors?.description}
                data-wrong={ownErrors?.description === undefined ? undefined : ''}
                onChange={({ target }) => actions.changeSection(id, { description: target.value })}
                onBlur={() => setDescribing(false)}
                className="[&_textarea]:field-sizing-content [&_textarea]:resize-none [&_textarea]:min-h-9 [&_textarea]:text-ink-2 [&_textarea:not(:hover,:focus)]:ring-transparent"
              />
            </div>
          )}
          {items.length === 0 ? (
            <p className="border-t px-4 py-3 text-base text-ink-3 lg:pl-12">No items in this section</p>
          ) : (
            <ul aria-label={`Items of ${name}`} className="max-h-[500px] divide-y overflow-y-auto overscroll-contain border-t">
              {items.map((item) => (
                <SectionLine
                  key={item.id}
                  line={item}
                  actions={actions}
                  errors={errors.get(item.id)}
                  targets={targets}
                  isGrabbed={grabbedId === item.id}
                  onGrab={props.onGrab}
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
                typed={props.term}
                onType={props.onTerm}
                problem={props.termProblem}
                onPick={(item) => props.onPick(item, id)}
                onCustom={(text) => props.onCustom(text, id)}
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

function menuOf(
  { section, actions, isFirst, isLast, onSaveTemplate }: SectionCardProps,
  rename: () => void,
  describe: () => void,
): MenuItem[] {
  const { id, description } = section;
  return [
    { label: 'Rename', icon: PencilLine, onSelect: rename },
    ...(description === '' ? [{ label: 'Add description', icon: AlignLeft, onSelect: describe }] : []),
    ...(isFirst ? [] : [{ label: 'Move section up', icon: ArrowUp, onSelect: () => actions.stepSection(id, -1) }]),
    ...(isLast ? [] : [{ label: 'Move section down', icon: ArrowDown, onSelect: () => actions.stepSection(id, 1) }]),
    { label: 'Duplicate section', icon: CopyPlus, onSelect: () => actions.duplicateSection(id) },
    { label: 'Save as template', icon: BookmarkPlus, onSelect: () => onSaveTemplate(section) },
    { label: 'Remove section', icon: Trash2, tone: 'danger', onSelect: () => actions.removeSection(id) },
  ];
}

export const BLANK_SECTION = 'Please enter a section name';

/** Ends with the new name, or with nothing when the old one stays. */
function RenameField({ name, onDone }: { name: string; onDone: (name: string | undefined, isByKey: boolean) => void }) {
  const [typed, setTyped] = useState(name);
  const [error, setError] = useState<string>();
  const isDone = useRef(false);
  const finish = (renamed: string | undefined, isByKey: boolean) => {
    if (isDone.current) return;
    isDone.current = true;
    onDone(renamed, isByKey);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape') finish(undefined, true);
    // Ctrl or Cmd with S saves the quote, with this name.
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 's') finish(typed.trim() || undefined, true);
    if (event.key !== 'Enter') return;
    event.preventDefault();
    if (typed.trim() === '') setError(BLANK_SECTION);
    else finish(typed.trim(), true);
  };
  return (
    <TextField
      label="Section name"
      hideLabel
      ref={focusOnce}
      maxLength={200}
      value={typed}
      error={error}
      onChange={({ target }) => {
        setTyped(target.value);
        setError(undefined);
      }}
      onKeyDown={press}
      onBlur={() => finish(typed.trim() || undefined, false)}
      className="max-w-md flex-1"
    />
  );
}
