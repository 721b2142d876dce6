import { MAX_QUANTITY } from '@callout/domain/jobs/quantity';
import { isDecimalAmount } from '@callout/domain/money/amount';
import { formatAmount } from '@callout/domain/money/money-format';
import { getTaxInclusionLabel } from '@callout/domain/tax/tax';
import { ArrowDown, ArrowUp, CornerDownRight, GripVertical, Minus, PencilLine, Plus, X } from 'lucide-react';
import { type ComponentProps, type KeyboardEvent, memo, useId, useState } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { CheckboxField } from '../../ui/choice-fields.tsx';
import { classNames } from '../../ui/class-names.ts';
import { normalizeDecimal, stepDecimal } from '../../ui/decimal-string.ts';
import { CONTROL_CLASSES, FieldError } from '../../ui/field.tsx';
import { type MenuItem, MoreMenu } from '../../ui/menu.tsx';
import { StatusPill } from '../../ui/status-pill.tsx';
import { TextAreaField, TextField } from '../../ui/text-field.tsx';
import { calculateRowTotal } from './quote-figures.ts';
import type { QuoteLineRow } from './quote-form.ts';
import type { LineActions } from './use-line-actions.ts';

export const LINE_GRID_CLASSES =
  'lg:grid lg:items-center lg:gap-x-2.5 lg:grid-cols-[1.75rem_minmax(0,1fr)_6.25rem_6.5rem_3.75rem_5.5rem_auto]';

export interface LineErrors {
  readonly name?: string | undefined;
  readonly quantity?: string | undefined;
  readonly unit_price?: string | undefined;
}

interface SectionLineProps {
  line: QuoteLineRow;
  actions: LineActions;
  errors: LineErrors | undefined;
  /** Sections that the line can move to, each as '<id> <name>', separated by line breaks. A string, so that memo can compare it. */
  moveTargets: string;
  isGrabbed: boolean;
  onGrabKey: (id: string, event: KeyboardEvent) => void;
  onDrop: () => void;
  onEnter: (id: string, cell: 'quantity' | 'unit_price') => void;
}

export const SectionLine = memo(LineItemRow, hasSameProps);

/** Compares the line by value, because the form returns a new copy on every render. */
function hasSameProps(previous: SectionLineProps, next: SectionLineProps): boolean {
  const { line, errors, ...rest } = previous;
  const { line: nextLine, errors: nextErrors, ...nextRest } = next;
  return isShallowEqual(line, nextLine) && isShallowEqual(errors ?? {}, nextErrors ?? {}) && isShallowEqual(rest, nextRest);
}

function isShallowEqual(one: object, other: object): boolean {
  const entries = Object.entries(one);
  return entries.length === Object.keys(other).length && entries.every(([key, value]) => Object.is(value, Reflect.get(other, key)));
}

/** Focuses a moved line's menu, because moving re-creates the row. If the section is collapsed, focuses the section's first button. */
function focusMovedLine(id: string, sectionId: string): void {
  requestAnimationFrame(() => {
    const menu = document.querySelector<HTMLElement>(`[data-drag-row="${id}"] [aria-haspopup=menu]`);
    (menu ?? document.querySelector<HTMLElement>(`[data-drag-list="${sectionId}"] button`))?.focus();
  });
}

function LineItemRow({ line, actions, errors, moveTargets, isGrabbed, onGrabKey, onDrop, onEnter }: SectionLineProps) {
  const { id, name, sku } = line;
  const [isOpen, setOpen] = useState(false);
  const total = calculateRowTotal(line);
  const sections = moveTargets === '' ? [] : moveTargets.split('\n').map((text) => ({ id: text.slice(0, 36), name: text.slice(37) }));
  const menu: MenuItem[] = [
    { label: isOpen ? 'Close details' : 'Edit details', icon: PencilLine, onSelect: () => setOpen(!isOpen) },
    { label: 'Move up', icon: ArrowUp, onSelect: () => actions.moveItemOneStep(id, -1) },
    { label: 'Move down', icon: ArrowDown, onSelect: () => actions.moveItemOneStep(id, 1) },
    ...sections.map((section) => ({
      label: `Move to ${section.name}`,
      icon: CornerDownRight,
      onSelect: () => {
        actions.moveItemToEnd(id, section.id);
        focusMovedLine(id, section.id);
      },
    })),
  ];
  return (
    <li
      data-drag-row={id}
      className={classNames(
        // Skips layout and paint for lines out of view, because a quote can have hundreds of lines.
        'px-3 py-2 [contain-intrinsic-size:auto_2.75rem] [content-visibility:auto] data-dragged:opacity-40 lg:py-1 lg:pr-1.5',
        isGrabbed && 'relative z-10 bg-accent-soft outline-2 -outline-offset-2 outline-accent',
      )}
    >
      <div className={classNames('grid grid-cols-[minmax(0,1fr)_auto] gap-x-2 gap-y-1.5', LINE_GRID_CLASSES)}>
        <button
          type="button"
          data-grip={id}
          data-drags=""
          aria-label={`Move ${name}`}
          aria-pressed={isGrabbed}
          aria-describedby="quote-move-help"
          title="Drag to move, or press Space and use the arrow keys"
          onKeyDown={(event) => onGrabKey(id, event)}
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
          <QuantityCell line={line} error={errors?.quantity} onChange={actions.updateItem} onBlur={actions.validate} onEnter={onEnter} />
          <PriceCell line={line} error={errors?.unit_price} onChange={actions.updateItem} onBlur={actions.validate} onEnter={onEnter} />
          <span className="flex min-w-fit flex-1 flex-col-reverse items-end lg:contents">
            <span className="text-sm text-ink-3">{getTaxInclusionLabel(line.tax_inclusive)}</span>
            <span className="text-right text-base font-medium tabular-nums">{total === null ? '–' : formatAmount(total)}</span>
          </span>
        </div>
        <div className="-mr-2 flex max-lg:col-start-2 max-lg:row-start-1 lg:mr-0">
          <MoreMenu label={`Actions for ${name}`} className="lg:w-8!" items={menu} />
          <IconButton
            label={`Remove ${name}`}
            data-removes=""
            onClick={({ currentTarget }) => {
              focusAdjacentLine(currentTarget);
              actions.removeItem(id);
            }}
            className="lg:w-8!"
          >
            <X aria-hidden="true" />
          </IconButton>
        </div>
      </div>
      {errors && <LineFieldErrors id={id} errors={errors} />}
      {(isOpen || errors?.name) && <LineDetails line={line} error={errors?.name} onChange={actions.updateItem} />}
    </li>
  );
}

/** Moves focus to the adjacent row, because the pressed button is removed with its own row. */
function focusAdjacentLine(button: Element): void {
  const row = button.closest('[data-drag-row]');
  const sibling = row?.nextElementSibling ?? row?.previousElementSibling;
  const target = sibling?.querySelector<HTMLElement>('[data-removes]') ?? row?.closest('section')?.querySelector<HTMLElement>('button');
  target?.focus({ preventScroll: true });
}

function LineFieldErrors({ id, errors: { quantity, unit_price: price } }: { id: string; errors: LineErrors }) {
  return (
    <div className="lg:pl-9">
      <FieldError id={`${id}-quantity`} error={quantity} />
      <FieldError id={`${id}-price`} error={price} />
    </div>
  );
}

interface LineCellProps {
  line: QuoteLineRow;
  error: string | undefined;
  onChange: LineActions['updateItem'];
  onBlur: LineActions['validate'];
  onEnter: SectionLineProps['onEnter'];
}

const incrementQuantity = (quantity: string) => stepDecimal(quantity, '1', 1) ?? '1';
function decrementQuantity(quantity: string): string {
  const less = stepDecimal(quantity, '1', -1) ?? '1';
  return Number(less) < 1 ? '1' : less;
}

/** Quantity field with plus and minus buttons, which change it by one but never below 1. Fractions have to be typed. */
function QuantityCell({ line: { id, name, quantity }, error, onChange, onBlur, onEnter }: LineCellProps) {
  const amount = Number(quantity);
  const set = (next: string) => onChange(id, { quantity: next });
  const stepByKey = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    set(event.key === 'ArrowUp' ? incrementQuantity(quantity) : decrementQuantity(quantity));
  };
  return (
    <div
      className={classNames(
        'flex w-33 shrink-0 items-center rounded-control ring-1 ring-inset lg:w-full',
        error ? 'ring-2 ring-danger' : 'ring-line',
      )}
    >
      <IconButton
        label={`Decrease quantity of ${name}`}
        disabled={!(amount > 1)}
        onClick={() => set(decrementQuantity(quantity))}
        className="lg:w-7.5! [&_svg]:size-4! lg:[&_svg]:size-3.5!"
      >
        <Minus aria-hidden="true" />
      </IconButton>
      <DecimalInput
        label={`Quantity of ${name}`}
        cell="quantity"
        value={quantity}
        errorId={error === undefined ? undefined : `${id}-quantity-error`}
        onValue={set}
        onBlur={() => onBlur(id, 'quantity')}
        onEnter={() => onEnter(id, 'quantity')}
        onKeyDown={stepByKey}
        className="h-11 w-full min-w-0 flex-1 rounded-control bg-transparent text-center text-lg tabular-nums -outline-offset-2 lg:h-9 lg:text-base"
      />
      <IconButton
        label={`Increase quantity of ${name}`}
        disabled={amount >= MAX_QUANTITY}
        onClick={() => set(incrementQuantity(quantity))}
        className="lg:w-7.5! [&_svg]:size-4! lg:[&_svg]:size-3.5!"
      >
        <Plus aria-hidden="true" />
      </IconButton>
    </div>
  );
}

function PriceCell({ line: { id, name, unit_price: price }, error, onChange, onBlur, onEnter }: LineCellProps) {
  return (
    <DecimalInput
      label={`Unit price of ${name}`}
      cell="unit_price"
      value={price}
      format={(text) => (isDecimalAmount(text) ? formatAmount(text) : text)}
      errorId={error === undefined ? undefined : `${id}-price-error`}
      onValue={(next) => onChange(id, { unit_price: next })}
      onBlur={() => onBlur(id, 'unit_price')}
      onEnter={() => onEnter(id, 'unit_price')}
      className={classNames(CONTROL_CLASSES, 'h-11 text-right tabular-nums max-lg:w-27 max-lg:shrink-0 max-lg:px-2 lg:h-9')}
    />
  );
}

interface DecimalInputProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange'> {
  label: string;
  cell: 'quantity' | 'unit_price';
  value: string;
  format?: (value: string) => string;
  errorId: string | undefined;
  onValue: (value: string) => void;
  onBlur: () => void;
  onEnter: () => void;
}

const identity = (text: string) => text;

/** Stores '$1,250.50' as '1250.50' on every keystroke, so that the save shortcut saves the displayed value. */
function DecimalInput({ label, cell, value, format = identity, errorId, onValue, onBlur, onEnter, onKeyDown, ...rest }: DecimalInputProps) {
  const [typed, setTyped] = useState<string>();
  // Not every browser blurs the field when plus or minus is clicked, so show `typed` only if it still matches `value`.
  const isTyped = typed !== undefined && normalizeDecimal(typed.trim()) === value;
  return (
    <input
      {...rest}
      data-cell={cell}
      aria-label={label}
      aria-invalid={errorId !== undefined || undefined}
      aria-describedby={errorId}
      inputMode="decimal"
      autoComplete="off"
      value={isTyped ? typed : format(value)}
      onFocus={(event) => event.currentTarget.select()}
      onBlur={() => {
        setTyped(undefined);
        onBlur();
      }}
      onChange={({ target }) => {
        setTyped(target.value);
        onValue(normalizeDecimal(target.value.trim()));
      }}
      onKeyDown={(event) => {
        if (event.key.startsWith('Arrow')) setTyped(undefined);
        onKeyDown?.(event);
        if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
        // Keep Enter from submitting the whole form.
        event.preventDefault();
        setTyped(undefined);
        onEnter();
      }}
    />
  );
}

/** Shows fields that rarely change. Hidden until the line is expanded. */
function LineDetails({ line, error, onChange }: { line: QuoteLineRow; error: string | undefined; onChange: LineActions['updateItem'] }) {
  const base = useId();
  const change = (part: Partial<QuoteLineRow>) => onChange(line.id, part);
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
