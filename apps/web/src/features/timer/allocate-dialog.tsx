import type { ItemChoice } from '@callout/contract/items';
import type { Job } from '@callout/contract/jobs';
import { formatLowerPriceError } from '@callout/domain/jobs/line-price';
import { isDecimalAmount, isStorableAmount } from '@callout/domain/money/amount';
import { getCurrencySymbol } from '@callout/domain/money/currency';
import { formatAmount, formatHourlyRate, formatMoney } from '@callout/domain/money/money-format';
import { formatElapsedTime } from '@callout/domain/timer/elapsed-time';
import { calculateTimeCost, calculateUnitPrice, hasTimePrice, parseAllocationQuantity } from '@callout/domain/timer/timer';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import { type ReactNode, type Ref, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { createId } from '../../lib/create-id.ts';
import { getFieldErrors, hasErrorCode } from '../../lib/error-messages.ts';
import { Button } from '../../ui/button.tsx';
import { CheckboxField } from '../../ui/choice-fields.tsx';
import { DecimalField } from '../../ui/decimal-field.tsx';
import { normalizeDecimal } from '../../ui/decimal-string.ts';
import { Sheet } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useCan } from '../company/company.api.ts';
import { ItemPicker } from '../jobs/item-picker.tsx';
import { itemSearchQueryOptions } from '../suppliers/suppliers-item-search.api.ts';
import { useElapsedSeconds } from './server-clock.ts';
import { useAllocateTime } from './timer-commands.api.ts';

interface AllocateDialogProps {
  job: Job;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Bills the unbilled time as one line: the chosen item, or labor typed by hand. Remounted each time it opens, which resets the fields. */
export function AllocateDialog({ job, open, onOpenChange }: AllocateDialogProps) {
  const { currency } = job;
  const seconds = Math.max(0, useElapsedSeconds(job.timer) - job.timer.allocated_seconds);
  const [id, setId] = useState(createId);
  const [item, setItem] = useState<ItemChoice | null>(null);
  const [typed, setTypedLine] = useState<TypedLine | null>(null);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [quantityText, setQuantityText] = useState('1');
  const quantityField = useRef<HTMLInputElement>(null);
  const rateField = useRef<HTMLInputElement>(null);
  const allocate = useAllocateTime();
  const canLowerRate = useCan('payments.manage');
  const { hourly_rate: jobRate } = job.timer;
  const hasJobRate = hasTimePrice(job);
  const laborLine: TypedLine = { name: 'Labour', rate: hasJobRate ? jobRate : '', isTaxInclusive: true };
  const isPriceListEmpty = useIsPriceListEmpty();
  const typedLine = typed ?? (isPriceListEmpty && !item ? laborLine : null);
  const typedRate = typedLine && parseRate(typedLine.rate);
  const rate = typedLine ? (typedRate ?? '0') : jobRate;
  const hasRate = typedLine ? typedRate !== null : hasJobRate;
  const total = calculateTimeCost(seconds, rate);
  const changeTypedLine = (changes: Partial<TypedLine>) => {
    if (typedLine) setTypedLine({ ...typedLine, ...changes });
    setErrors({});
  };
  const billAsLabor = () => {
    flushSync(() => setTypedLine(laborLine));
    // The pressed button is gone, and the focus with it.
    rateField.current?.focus();
  };
  const submit = () => {
    const parsed = parseAllocationQuantity(normalizeDecimal(quantityText));
    const invalid = typedLine ? findTypedLineErrors(typedLine, typedRate, canLowerRate ? '0' : jobRate) : {};
    setErrors(invalid);
    if (Object.keys(invalid).length > 0 || !(item || typedLine)) return;
    if ('error' in parsed) {
      quantityField.current?.focus();
      return;
    }
    const line = typedLine && { name: typedLine.name, hourly_rate: rate, tax_inclusive: typedLine.isTaxInclusive };
    allocate.mutate(
      { id, job_id: job.id, supplier_item_id: item?.id ?? null, ...line, ...parsed },
      {
        onSuccess: () => onOpenChange(false),
        onError: (failure) => {
          setErrors(getFieldErrors(failure));
          // An earlier attempt was saved as another item, so what is left needs its own id.
          if (hasErrorCode(failure, 'ID_TAKEN')) setId(createId());
        },
      },
    );
  };
  const selected = { currency, total, quantityText, onQuantityChange: setQuantityText, quantityField, busy: allocate.isPending };
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title="Allocate Time Cost"
      size="medium"
      actions={
        <>
          <Button disabled={allocate.isPending} onClick={() => onOpenChange(false)}>
            Cancel
          </Button>
          <Button tone="primary" disabled={!item && !typedLine} busy={allocate.isPending} onClick={submit}>
            {allocate.isPending ? 'Processing...' : 'Allocate Time Cost'}
          </Button>
        </>
      }
    >
      <dl className="mb-4 grid grid-cols-2 gap-4 rounded-control bg-sunken px-4 py-3 tabular-nums">
        <LabeledValue label="Time spent" value={formatElapsedTime(seconds)} />
        {hasRate ? (
          <LabeledValue label={`Cost at ${formatHourlyRate(rate, currency)}`} value={formatMoney(total, currency)} />
        ) : (
          <LabeledValue label="Cost" value="No hourly rate yet" />
        )}
      </dl>
      {item && (
        <SelectedLine
          {...selected}
          onClear={() => setItem(null)}
          title={
            <p className="min-w-0 [overflow-wrap:anywhere]">
              <span className="block text-base font-medium">{item.name}</span>
              <span className="block text-sm text-ink-3">{`#${item.sku} · ${item.supplier.company_name}`}</span>
            </p>
          }
        />
      )}
      {typedLine && (
        <SelectedLine
          {...selected}
          onClear={isPriceListEmpty ? undefined : () => setTypedLine(null)}
          title={<p className="text-base font-medium">Not from your price list</p>}
        >
          <TypedLineFields
            currency={currency}
            line={typedLine}
            rateField={rateField}
            errors={errors}
            busy={allocate.isPending}
            onChange={changeTypedLine}
          />
        </SelectedLine>
      )}
      {!item && !typedLine && (
        <>
          <Button fullWidth className="mb-3" onClick={billAsLabor}>
            <Pencil aria-hidden="true" />
            {hasJobRate ? `Bill as Labour at ${formatHourlyRate(jobRate, currency)}` : 'Bill as Labour'}
          </Button>
          <ItemPicker height={200} onPick={setItem} />
        </>
      )}
    </Sheet>
  );
}

/** Returns true if there is no item to choose, so that labor is the only choice. False until the price list has loaded. */
function useIsPriceListEmpty(): boolean {
  const { data } = useInfiniteQuery(itemSearchQueryOptions(''));
  return data?.pages.every(({ rows }) => rows.length === 0) ?? false;
}

/** A line that isn't in the price list. */
interface TypedLine {
  name: string;
  rate: string;
  isTaxInclusive: boolean;
}

function parseRate(text: string): string | null {
  const rate = normalizeDecimal(text);
  return isDecimalAmount(rate) && isStorableAmount(rate) ? rate : null;
}

/** Uses the same wording as the server, which validates the line again. */
function findTypedLineErrors({ name, rate }: TypedLine, parsedRate: string | null, minRate: string): Readonly<Record<string, string>> {
  const rateError = findRateError(rate, parsedRate, minRate);
  return { ...(name.trim() === '' && { name: 'Name is required' }), ...(rateError !== undefined && { hourly_rate: rateError }) };
}

function findRateError(typed: string, rate: string | null, minRate: string): string | undefined {
  if (typed.trim() === '') return 'Hourly rate is required';
  if (rate === null) return 'Hourly rate must be 0 or more, with up to 2 decimal places';
  return Number(rate) < Number(minRate) ? formatLowerPriceError('hourly rate', formatAmount(minRate)) : undefined;
}

interface TypedLineFieldsProps {
  currency: Job['currency'];
  line: TypedLine;
  rateField: Ref<HTMLInputElement>;
  errors: Readonly<Record<string, string>>;
  busy: boolean;
  onChange: (changes: Partial<TypedLine>) => void;
}

function TypedLineFields({ currency, line, rateField, errors, busy, onChange }: TypedLineFieldsProps) {
  return (
    <div className="mt-4 grid items-start gap-4 sm:grid-cols-2">
      <TextField
        label="Name"
        maxLength={200}
        value={line.name}
        error={errors['name']}
        disabled={busy}
        onChange={({ target }) => onChange({ name: target.value })}
      />
      <DecimalField
        ref={rateField}
        label="Hourly rate"
        step="1"
        leading={getCurrencySymbol(currency)}
        trailing="/hr"
        value={line.rate}
        error={errors['hourly_rate']}
        disabled={busy}
        onChange={({ target }) => onChange({ rate: target.value })}
      />
      <CheckboxField
        label="Price includes GST"
        checked={line.isTaxInclusive}
        disabled={busy}
        className="sm:col-span-2"
        onChange={({ target }) => onChange({ isTaxInclusive: target.checked })}
      />
    </div>
  );
}

interface SelectedLineProps {
  currency: Job['currency'];
  title: ReactNode;
  total: string;
  quantityText: string;
  onQuantityChange: (text: string) => void;
  quantityField: Ref<HTMLInputElement>;
  /** Undefined if there is nothing else to choose. */
  onClear: (() => void) | undefined;
  busy: boolean;
  children?: ReactNode;
}

function SelectedLine({
  currency,
  title,
  total,
  quantityText,
  onQuantityChange,
  quantityField,
  onClear,
  busy,
  children,
}: SelectedLineProps) {
  const parsed = parseAllocationQuantity(normalizeDecimal(quantityText));
  const unitPrice = 'quantity' in parsed ? formatMoney(calculateUnitPrice(total, parsed.quantity), currency) : '–';
  return (
    <div className="rounded-control p-4 ring-1 ring-line ring-inset">
      <div className="flex items-start justify-between gap-4">
        {title}
        {onClear && (
          <Button disabled={busy} onClick={onClear}>
            Change
          </Button>
        )}
      </div>
      {children}
      <div className="mt-4 grid grid-cols-3 items-start gap-4">
        <DecimalField
          ref={quantityField}
          label="Quantity"
          step="1"
          value={quantityText}
          error={'error' in parsed ? parsed.error : undefined}
          disabled={busy}
          onChange={({ target }) => onQuantityChange(target.value)}
          onBlur={() => 'quantity' in parsed && onQuantityChange(String(parsed.quantity))}
        />
        <dl className="col-span-2 grid grid-cols-2 gap-4 text-right tabular-nums">
          <LabeledValue label="Unit price" value={unitPrice} />
          <LabeledValue label="Total" value={formatMoney(total, currency)} />
        </dl>
      </div>
    </div>
  );
}

function LabeledValue({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt className="text-sm text-ink-3">{label}</dt>
      <dd className="text-lg font-semibold">{value}</dd>
    </div>
  );
}
