import type { Job, JobItem } from '@callout/contract/jobs';
import { formatPricedLine } from '@callout/domain/jobs/line-price';
import { getCurrencySymbol } from '@callout/domain/money/currency';
import { useRef, useState } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import type { z } from 'zod';
import { createId } from '../../lib/create-id.ts';
import { useServerForm } from '../../lib/use-server-form.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { CheckboxField } from '../../ui/choice-fields.tsx';
import { DecimalField } from '../../ui/decimal-field.tsx';
import { normalizeDecimal } from '../../ui/decimal-string.ts';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { UnsavedChangesPrompt } from '../../ui/unsaved-changes-prompt.tsx';
import { useCan } from '../company/company.api.ts';
import { getStaleLine, isSameLine, useUpdateJobItem } from './jobs-items.api.ts';
import { useLargeQuantityPrompt } from './large-quantity-prompt.tsx';
import { EditedLineSchema, LineTotal, QuantityField, TAX_CHOICES, UnitPriceField } from './line-form.tsx';
import { SaveToPriceList } from './save-to-price-list.tsx';
import { useAddLines } from './use-add-lines.tsx';

interface EditLineFormProps {
  job: Job;
  item: JobItem;
  /** True if someone else has removed the line. */
  isRemoved: boolean;
  onClose: () => void;
}

/**
 * Changes a line's name, quantity, price, tax and discount. If a colleague has changed it since, saving fails and shows their version. If
 * they have removed it, saving adds a new line.
 */
export function EditLineForm({ job, item, isRemoved, onClose }: EditLineFormProps) {
  const update = useUpdateJobItem(job);
  const { addLines, dialogs } = useAddLines(job);
  const [newId] = useState(createId);
  const canEditItems = useCan('items.edit');
  const largeQuantity = useLargeQuantityPrompt();
  const saveButton = useRef<HTMLButtonElement>(null);
  /** The line that the typed values are based on. After a conflict, the one that the banner shows. */
  const [base, setBase] = useState(item);
  const [hasConflict, setHasConflict] = useState(false);
  const { form, submit, saving, isDirty } = useServerForm({
    schema: EditedLineSchema,
    defaultValues: {
      name: item.name,
      quantity: item.quantity,
      unit_price: item.unit_price,
      tax: item.tax_inclusive ? 'inc' : 'exc',
      is_service: item.is_service,
      discount_percent: item.discount_percent ?? '',
      discount_amount: item.discount_amount ?? '',
    },
    save: async ({ tax, ...typed }): Promise<unknown> => {
      const line = { ...typed, tax_inclusive: tax === 'inc' };
      if (isRemoved) return addLines([{ id: newId, supplier_item_id: item.supplier_item_id, description: item.description, ...line }]);
      if (line.quantity !== Number(item.quantity) && !(await largeQuantity.confirm(line.quantity))) return null;
      return update({ id: item.id, version: isSameLine(item, base) ? item.version : base.version, ...line });
    },
    onSaved: onClose,
    onFailed: (error) => {
      const changed = getStaleLine(error);
      if (!changed) return;
      setBase(changed);
      setHasConflict(true);
    },
  });
  const [quantity, unit_price, tax, discount_percent, discount_amount] = useWatch({
    control: form.control,
    name: ['quantity', 'unit_price', 'tax', 'discount_percent', 'discount_amount'],
  });
  const getError = (field: 'name' | 'quantity' | 'unit_price') => form.getFieldState(field, form.formState).error?.message;
  return (
    <form noValidate onSubmit={submit} className="grid gap-4 sm:grid-cols-6">
      <UnsavedChangesPrompt isDirty={isDirty} saving={saving} isInSheet />
      {isRemoved && (
        <Banner tone="warn" className="sm:col-span-6">
          This item has been removed. You can save your version as a new item.
        </Banner>
      )}
      {hasConflict && !isRemoved && (
        <Banner tone="warn" className="sm:col-span-6">
          {`Someone else has changed this item. It is now: ${formatPricedLine(base)}. Save again to use your values.`}
        </Banner>
      )}
      <TextField
        {...form.register('name')}
        label="Name"
        autoComplete="off"
        maxLength={200}
        error={getError('name')}
        className="sm:col-span-6"
      />
      <QuantityField {...form.register('quantity')} error={getError('quantity')} className="sm:col-span-2" />
      <UnitPriceField
        currency={job.currency}
        {...form.register('unit_price', { setValueAs: normalizeDecimal })}
        error={getError('unit_price')}
        className="sm:col-span-2"
      />
      <SelectField {...form.register('tax')} label="GST" choices={TAX_CHOICES} className="sm:col-span-2" />
      <DiscountFields currency={job.currency} form={form} />
      <CheckboxField {...form.register('is_service')} label="Service" className="sm:col-span-2 sm:pt-6" />
      <div className="sm:col-span-6">
        <LineTotal
          currency={job.currency}
          quantity={quantity}
          unit_price={unit_price}
          discount_percent={discount_percent ?? ''}
          discount_amount={discount_amount ?? ''}
          taxInclusive={tax === 'inc'}
          stored={isRemoved ? undefined : base}
        />
      </div>
      {canEditItems && item.supplier_item_id === null && !isRemoved && (
        <SaveToPriceList job={job} item={item} isDirty={form.formState.isDirty} onListed={() => saveButton.current?.focus()} />
      )}
      <div className="flex flex-wrap gap-2 sm:col-span-6 md:justify-end">
        <Button onClick={onClose} className="max-md:flex-1">
          Cancel
        </Button>
        <Button ref={saveButton} type="submit" tone="primary" busy={saving} className="max-md:flex-1">
          {saving ? 'Saving…' : isRemoved ? 'Save as new item' : 'Save Changes'}
        </Button>
      </div>
      {dialogs}
      {largeQuantity.dialog}
    </form>
  );
}

type DiscountField = 'discount_percent' | 'discount_amount';

const DISCOUNT_TYPES = [
  { value: 'discount_percent', label: 'Percent' },
  { value: 'discount_amount', label: 'Amount' },
] as const satisfies readonly { value: DiscountField; label: string }[];

interface DiscountFieldsProps extends Pick<Job, 'currency'> {
  form: UseFormReturn<z.input<typeof EditedLineSchema>, unknown, z.output<typeof EditedLineSchema>>;
}

/** A discount is a percentage or an amount. Switching the type keeps the typed number. */
function DiscountFields({ currency, form }: DiscountFieldsProps) {
  const [name, setName] = useState<DiscountField>(form.getValues('discount_amount') ? 'discount_amount' : 'discount_percent');
  const isPercent = name === 'discount_percent';
  const changeType = (next: DiscountField) => {
    if (next === name) return;
    setName(next);
    form.setValue(next, form.getValues(name), { shouldDirty: true });
    form.setValue(name, '', { shouldDirty: true });
    form.clearErrors(name);
  };
  return (
    <>
      <DecimalField
        key={name}
        label="Discount"
        optional
        {...form.register(name, { setValueAs: (text: string | null) => normalizeDecimal(text ?? '') })}
        error={form.getFieldState(name, form.formState).error?.message}
        leading={isPercent ? undefined : getCurrencySymbol(currency)}
        trailing={isPercent ? '%' : undefined}
        className="sm:col-span-2"
      />
      <SelectField
        label="Discount type"
        choices={DISCOUNT_TYPES}
        value={name}
        onChange={({ target }) => changeType(target.value === 'discount_amount' ? 'discount_amount' : 'discount_percent')}
        className="sm:col-span-2"
      />
    </>
  );
}
