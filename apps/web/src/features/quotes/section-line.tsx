import { MAX_QUANTITY } from '@callout/domain/jobs/quantity';
import { isAmount } from '@callout/domain/money/amount';
import { formatAmount } from '@callout/domain/money/money-text';
import { taxLabel } from '@callout/domain/tax/tax';
import { ArrowDown, ArrowUp, CornerDownRight, Ellipsis, GripVertical, Minus, PencilLine, Plus, X } from 'lucide-react';
import { type ComponentProps, type KeyboardEvent, memo, useId, useState } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { CheckboxField } from '../../ui/choice-fields.tsx';
import { classes } from '../../ui/classes.ts';
import { readDecimal, stepped } from '../../ui/decimal-text.ts';
import { CONTROL, FieldError } from '../../ui/field.tsx';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { StatusPill } from '../../ui/status-pill.tsx';
import { TextAreaField, TextField } from '../../ui/text-field.tsx';
import { totalOfLine } from './quote-figures.ts';
import type { LineRow } from './quote-form.ts';
import type { LineActions } from './use-line-actions.ts';

/** One grid for the lines and the heading above them. */
export const LINE_GRID = 'lg:grid lg:items-center lg:gap-x-2.5 lg:grid-cols-[1.75rem_minmax(0,1fr)_6.25rem_6.5rem_3.75rem_5.5rem_auto]';

export interface LineErrors {
  readonly name?: string | undefined;
  readonly quantity?: string | undefined;
  readonly unit_price?: string | undefined;
}

interface SectionLineProps {
  line: LineRow;
  actions: LineActions;
  errors: LineErrors | undefined;
  /** The other sections as lines of id, space and name: text, so that an unchanged line is not rendered again. */
  targets: string;
  isGrabbed: boolean;
  onGrab: (id: string, event: KeyboardEvent) => void;
  onDrop: () => void;
  /** Enter in a quantity or a price. */
  onEnter: (id: string, cell: 'quantity' | 'unit_price') => void;
}

export const SectionLine = memo(Line, isSameLine);

/** The form hands out copies of its values. */
function isSameLine(one: SectionLineProps, other: SectionLineProps): boolean {
  const { line, errors, ...rest } = one;
  const { line: otherLine, errors: otherErrors, ...otherRest } = other;
  return isShallowEqual(line, otherLine) && isShallowEqual(errors ?? {}, otherErrors ?? {}) && isShallowEqual(rest, otherRest);
}

function isShallowEqual(one: object, other: object): boolean {
  const entries = Object.entries(one);
  return entries.length === Object.keys(other).length && entries.every(([key, value]) => Object.is(value, Reflect.get(other, key)));
}

/** The row is another one now: its menu goes on there, or at its section when that is collapsed. */
function focusMoved(id: string, sectionId: string): void {
  requestAnimationFrame(() => {
    const menu = document.querySelector<HTMLElement>(`[data-drag-row="${id}"] [aria-haspopup=menu]`);
    (menu ?? document.querySelector<HTMLElement>(`[data-drag-list="${sectionId}"] button`))?.focus();
  });
}

function Line({ line, actions, errors, targets, isGrabbed, onGrab, onDrop, onEnter }: SectionLineProps) {
  const { id, name, sku } = line;
  const [isOpen, setOpen] = useState(false);
  const total = totalOfLine(line);
  const sections = targets === '' ? [] : targets.split('\n').map((text) => ({ id: text.slice(0, 36), name: text.slice(37) }));
  const menu: MenuItem[] = [
    { label: isOpen ? 'Close details' : 'Edit details', icon: PencilLine, onSelect: () => setOpen(!isOpen) },
    { label: 'Move up', icon: ArrowUp, onSelect: () => actions.step(id, -1) },
    { label: 'Move down', icon: ArrowDown, onSelect: () => actions.step(id, 1) },
    ...sections.map((section) => ({
      label: `Move to ${section.name}`,
      icon: CornerDownRight,
      onSelect: () => {
        actions.moveToEnd(id, section.id);
        focusMoved(id, section.id);
      },
    })),
  ];
  return (
    <li
      data-drag-row={id}
      className={classes(
        // Of hundreds of lines only those in view are laid out and painted.
        'px-3 py-2 [contain-intrinsic-size:auto_2.75rem] [content-visibility:auto] data-dragged:opacity-40 lg:py-1 lg:pr-1.5',
        isGrabbed && 'relative z-10 bg-accent-soft outline-2 -outline-offset-2 outline-accent',
      )}
    >
      <div className={classes('grid grid-cols-[minmax(0,1fr)_auto] gap-x-2 gap-y-1.5', LINE_GRID)}>
        <button
          type="button"
          data-grip={id}
          data-drags=""
          aria-label={`Move ${name}`}
          aria-pressed={isGrabbed}
          aria-describedby="quote-move-help"
          title="Drag to move, or press Space and use the arrow keys"
          onKeyDown={(event) => onGrab(id, event)}
          onBlur={onDrop}
          className="hidden h-9 w-7 cursor-grab touch-manipulation items-center justify-center rounded-control text-ink-3 hover:text-ink lg:flex"
        >
          <GripVertical aria-hidden="true" className="size-4" />
        </button>
        <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5 self-center max-lg:pt-1.5">
          <button
            type="button"
            data-drags=""
            aria-expanded={isOpen}
            title={`Edit ${name}`}
            onClick={() => setOpen(!isOpen)}
            className="min-w-0 rounded text-left text-base font-medium select-none [-webkit-touch-callout:none] [overflow-wrap:anywhere] hover:underline"
          >
            {name || 'Unnamed item'}
          </button>
          {line.is_service && <StatusPill text="Service" />}
          {sku && <span className="text-sm text-ink-3">#{sku}</span>}
          {line.description && !isOpen && <span className="line-clamp-2 w-full text-sm text-ink-3">{line.description}</span>}
        </div>
        <div className="contents max-lg:col-span-2 max-lg:row-start-2 max-lg:flex max-lg:flex-wrap max-lg:items-center max-lg:gap-2">
          <QuantityCell line={line} error={errors?.quantity} onChange={actions.change} onLeave={actions.check} onEnter={onEnter} />
          <PriceCell line={line} error={errors?.unit_price} onChange={actions.change} onLeave={actions.check} onEnter={onEnter} />
          <span className="flex min-w-fit flex-1 flex-col-reverse items-end lg:contents">
            <span className="text-sm text-ink-3">{taxLabel(line.tax_inclusive)}</span>
            <span className="text-right text-base font-medium tabular-nums">{total === null ? '–' : formatAmount(total)}</span>
          </span>
        </div>
        <div className="-mr-2 flex max-lg:col-start-2 max-lg:row-start-1 lg:mr-0">
          <Menu
            label={`Actions for ${name}`}
            trigger={
              <IconButton label={`Actions for ${name}`} className="lg:w-8!">
                <Ellipsis aria-hidden="true" />
              </IconButton>
            }
            items={menu}
          />
          <IconButton
            label={`Remove ${name}`}
            data-removes=""
            onClick={({ currentTarget }) => {
              focusBeside(currentTarget);
              actions.remove(id);
            }}
            className="lg:w-8!"
          >
            <X aria-hidden="true" />
          </IconButton>
        </div>
      </div>
      {errors && <LineProblem id={id} errors={errors} />}
      {(isOpen || errors?.name) && <LineDetails line={line} error={errors?.name} onChange={actions.change} />}
    </li>
  );
}

/** The pressed button goes with its row: the keyboard goes on at the next one. */
function focusBeside(button: Element): void {
  const row = button.closest('[data-drag-row]');
  const beside = row?.nextElementSibling ?? row?.previousElementSibling;
  const next = beside?.querySelector<HTMLElement>('[data-removes]') ?? row?.closest('section')?.querySelector<HTMLElement>('button');
  next?.focus({ preventScroll: true });
}

function LineProblem({ id, errors: { quantity, unit_price: price } }: { id: string; errors: LineErrors }) {
  return (
    <div className="lg:pl-9">
      <FieldError id={`${id}-quantity`} error={quantity} />
      <FieldError id={`${id}-price`} error={price} />
    </div>
  );
}

interface CellProps {
  line: LineRow;
  error: string | undefined;
  onChange: LineActions['change'];
  onLeave: LineActions['check'];
  onEnter: SectionLineProps['onEnter'];
}

const oneMore = (quantity: string) => stepped(quantity, '1', 1) ?? '1';
function oneLess(quantity: string): string {
  const less = stepped(quantity, '1', -1) ?? '1';
  return Number(less) < 1 ? '1' : less;
}

/** Plus and minus step by one, never below 1; decimals are typed. */
function QuantityCell({ line: { id, name, quantity }, error, onChange, onLeave, onEnter }: CellProps) {
  const amount = Number(quantity);
  const set = (next: string) => onChange(id, { quantity: next });
  const stepByKey = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    set(event.key === 'ArrowUp' ? oneMore(quantity) : oneLess(quantity));
  };
  return (
    <div
      className={classes(
        'flex w-33 shrink-0 items-center rounded-control ring-1 ring-inset lg:w-full',
        error ? 'ring-2 ring-danger' : 'ring-line',
      )}
    >
      <IconButton
        label={`Decrease quantity of ${name}`}
        disabled={!(amount > 1)}
        onClick={() => set(oneLess(quantity))}
        className="lg:w-7.5! [&_svg]:size-4! lg:[&_svg]:size-3.5!"
      >
        <Minus aria-hidden="true" />
      </IconButton>
      <DecimalInput
        label={`Quantity of ${name}`}
        cell="quantity"
        value={quantity}
        error={error === undefined ? undefined : `${id}-quantity-error`}
        onValue={set}
        onLeave={() => onLeave(id, 'quantity')}
        onEnter={() => onEnter(id, 'quantity')}
        onKeyDown={stepByKey}
        className="h-11 w-full min-w-0 flex-1 rounded-control bg-transparent text-center text-lg tabular-nums -outline-offset-2 lg:h-9 lg:text-base"
      />
      <IconButton
        label={`Increase quantity of ${name}`}
        disabled={amount >= MAX_QUANTITY}
        onClick={() => set(oneMore(quantity))}
        className="lg:w-7.5! [&_svg]:size-4! lg:[&_svg]:size-3.5!"
      >
        <Plus aria-hidden="true" />
      </IconButton>
    </div>
  );
}

function PriceCell({ line: { id, name, unit_price: price }, error, onChange, onLeave, onEnter }: CellProps) {
  return (
    <DecimalInput
      label={`Unit price of ${name}`}
      cell="unit_price"
      value={price}
      format={(text) => (isAmount(text) ? formatAmount(text) : text)}
      error={error === undefined ? undefined : `${id}-price-error`}
      onValue={(next) => onChange(id, { unit_price: next })}
      onLeave={() => onLeave(id, 'unit_price')}
      onEnter={() => onEnter(id, 'unit_price')}
      className={classes(CONTROL, 'h-11 text-right tabular-nums max-lg:w-27 max-lg:shrink-0 max-lg:px-2 lg:h-9')}
    />
  );
}

interface DecimalInputProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange'> {
  label: string;
  cell: 'quantity' | 'unit_price';
  value: string;
  /** How it shows while it is not being typed. */
  format?: (value: string) => string;
  /** The id of its message. */
  error: string | undefined;
  onValue: (value: string) => void;
  onLeave: () => void;
  onEnter: () => void;
}

const asTyped = (text: string) => text;

/** A number as it is typed: '$1,250.50' is stored as '1250.50' from the first moment, so that saving by key saves what shows. */
function DecimalInput({ label, cell, value, format = asTyped, error, onValue, onLeave, onEnter, onKeyDown, ...input }: DecimalInputProps) {
  const [typed, setTyped] = useState<string>();
  // A step by button may have changed it since: not every browser takes the focus from the field then.
  const isTyped = typed !== undefined && readDecimal(typed.trim()) === value;
  return (
    <input
      {...input}
      data-cell={cell}
      aria-label={label}
      aria-invalid={error !== undefined || undefined}
      aria-describedby={error}
      inputMode="decimal"
      autoComplete="off"
      value={isTyped ? typed : format(value)}
      onFocus={(event) => event.currentTarget.select()}
      onBlur={() => {
        setTyped(undefined);
        onLeave();
      }}
      onChange={({ target }) => {
        setTyped(target.value);
        onValue(readDecimal(target.value.trim()));
      }}
      onKeyDown={(event) => {
        if (event.key.startsWith('Arrow')) setTyped(undefined);
        onKeyDown?.(event);
        if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
        // Enter would send the whole form.
        event.preventDefault();
        setTyped(undefined);
        onEnter();
      }}
    />
  );
}

/** What is seldom changed: name, description, and how the price counts. */
function LineDetails({ line, error, onChange }: { line: LineRow; error: string | undefined; onChange: LineActions['change'] }) {
  const base = useId();
  const change = (part: Partial<LineRow>) => onChange(line.id, part);
  return (
    <div className="grid gap-x-4 gap-y-3 pt-2 pb-2 sm:grid-cols-2 lg:pl-9">
      <TextField
        id={`${base}-name`}
        label="Name"
        error={error}
        maxLength={200}
        value={line.name}
        onChange={({ target }) => change({ name: target.value })}
        className="sm:col-span-2"
      />
      <TextAreaField
        label="Description"
        optional
        rows={2}
        maxLength={2000}
        value={line.description}
        onChange={({ target }) => change({ description: target.value })}
        className="sm:col-span-2"
      />
      <CheckboxField
        label="Price includes GST"
        checked={line.tax_inclusive}
        onChange={({ target }) => change({ tax_inclusive: target.checked })}
      />
      <CheckboxField
        label="This is a service"
        checked={line.is_service}
        onChange={({ target }) => change({ is_service: target.checked })}
      />
    </div>
  );
}
