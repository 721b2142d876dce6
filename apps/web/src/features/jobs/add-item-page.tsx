import { requiredAmount, requiredText } from '@callout/contract/fields';
import type { ItemChoice } from '@callout/contract/items';
import type { Job } from '@callout/contract/jobs';
import { readWholeQuantity } from '@callout/domain/jobs/quantity';
import { isAmount } from '@callout/domain/money/amount';
import { currencySymbol } from '@callout/domain/money/currency';
import { lineTotal } from '@callout/domain/money/money';
import { formatMoney } from '@callout/domain/money/money-text';
import { taxLabel } from '@callout/domain/tax/tax';
import { useQuery } from '@tanstack/react-query';
import { PackageSearch } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { z } from 'zod';
import { newId } from '../../lib/new-id.ts';
import { QueryView } from '../../lib/query-view.tsx';
import { useServerForm } from '../../lib/use-server-form.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DecimalField } from '../../ui/decimal-field.tsx';
import { readDecimal } from '../../ui/decimal-text.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SkeletonRecord } from '../../ui/skeleton.tsx';
import { DESK_UP, HAS_KEYBOARD, useMediaQuery } from '../../ui/use-browser-state.ts';
import { useProfile } from '../company/company.api.ts';
import { ItemPicker } from './item-picker.tsx';
import { JobNotFound } from './job-labels.tsx';
import { jobOptions } from './jobs.api.ts';
import { useAddItem } from './jobs-items.api.ts';

interface AddItemPageProps {
  id: string;
  /** Leads to the job. */
  onLeave: () => void;
}

/** An item with a quantity and price of its own: list and form side by side on a desk, one after the other on a phone. */
export function AddItemPage({ id, onLeave }: AddItemPageProps) {
  const query = useQuery(jobOptions(id));
  return (
    <QueryView query={query} inCard skeleton={<SkeletonRecord label="Loading..." fields={4} />} notFound={<JobNotFound />}>
      {(job) => <AddItem job={job} onLeave={onLeave} />}
    </QueryView>
  );
}

function AddItem({ job, onLeave }: { job: Job; onLeave: () => void }) {
  const isDesk = useMediaQuery(DESK_UP);
  const [item, setItem] = useState<ItemChoice>();
  /** As typed; another item keeps it. */
  const [quantity, setQuantity] = useState('1');
  const list = useRef<HTMLDivElement>(null);
  const isChoosing = item === undefined;
  useEffect(() => {
    if (isChoosing && window.matchMedia(HAS_KEYBOARD).matches) list.current?.querySelector('input')?.focus();
  }, [isChoosing]);
  return (
    <>
      <PageHeader title="Add Item" subtitle={`#${job.job_number} · ${job.title}`} />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_minmax(0,24rem)]">
        {/* On a phone the list is hidden behind the form, so that its search is still there after 'Change'. */}
        <Card ref={list} className={item && !isDesk ? 'hidden' : 'p-4 lg:p-5'}>
          <ItemPicker height="page" pickedId={item?.id} onPick={setItem} />
        </Card>
        {item ? (
          <LineForm
            key={item.id}
            job={job}
            item={item}
            quantity={quantity}
            onQuantity={setQuantity}
            onChange={isDesk ? undefined : () => setItem(undefined)}
            onLeave={onLeave}
          />
        ) : (
          isDesk && (
            <Card>
              <EmptyState icon={PackageSearch} sentence="No item selected" hint="Choose one from the list." />
            </Card>
          )
        )}
      </div>
    </>
  );
}

/** As typed. */
const LineInput = z.object({
  quantity: requiredText('Quantity', 20).transform((text, { addIssue }) => {
    const read = readWholeQuantity(readDecimal(text));
    if ('quantity' in read) return read.quantity;
    if (text !== '') addIssue(read.error);
    return z.NEVER;
  }),
  unit_price: requiredAmount('Unit price'),
});

interface LineFormProps {
  job: Job;
  item: ItemChoice;
  quantity: string;
  onQuantity: (typed: string) => void;
  /** Leads back to the list, where that is not in sight. */
  onChange: (() => void) | undefined;
  onLeave: () => void;
}

function LineForm({ job, item, quantity, onQuantity, onChange, onLeave }: LineFormProps) {
  const currency = useProfile()?.currency;
  const add = useAddItem();
  /** Made once per form: sending again after a lost answer is the same line, not a second one. */
  const [id] = useState(newId);
  const element = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (window.matchMedia(HAS_KEYBOARD).matches) element.current?.querySelector('input')?.focus();
  }, []);
  const { form, submit, saving } = useServerForm({
    schema: LineInput,
    defaultValues: { quantity, unit_price: item.selling_price },
    save: async (line) => (await add.mutateAsync({ id, job_id: job.id, supplier_item_id: item.id, ...line })).job,
    saved: onLeave,
  });
  const errorOf = (name: 'quantity' | 'unit_price') => form.getFieldState(name, form.formState).error?.message;
  return (
    <Card className="lg:sticky lg:top-[calc(var(--header-height)+1rem)]">
      <form ref={element} noValidate onSubmit={submit} className="grid gap-4 p-4 sm:grid-cols-2 lg:p-5">
        <div className="flex items-start justify-between gap-3 rounded-control bg-sunken px-3.5 py-2.5 sm:col-span-2">
          <div className="min-w-0 [overflow-wrap:anywhere]">
            <p className="text-base font-medium">{item.name}</p>
            <p className="text-sm text-ink-2">{`#${item.sku} · ${item.supplier.company_name}`}</p>
          </div>
          {onChange && <Button onClick={onChange}>Change</Button>}
        </div>
        <DecimalField
          {...form.register('quantity', { onChange: () => onQuantity(form.getValues('quantity')) })}
          label="Quantity"
          step="1"
          inputMode="numeric"
          error={errorOf('quantity')}
        />
        <DecimalField
          {...form.register('unit_price', { setValueAs: readDecimal })}
          label="Unit price"
          step="1"
          leading={currencySymbol(currency)}
          hint={taxLabel(item.tax_inclusive)}
          error={errorOf('unit_price')}
        />
        <LineTotal control={form.control} currency={currency} taxInclusive={item.tax_inclusive} />
        <div className="flex flex-col-reverse gap-2 sm:col-span-2 sm:flex-row sm:justify-end">
          <Button onClick={onLeave}>Cancel</Button>
          <Button type="submit" tone="primary" busy={saving}>
            {saving ? 'Adding…' : 'Add Item'}
          </Button>
        </div>
      </form>
    </Card>
  );
}

interface LineTotalProps {
  control: ReturnType<typeof useServerForm<z.input<typeof LineInput>, z.output<typeof LineInput>, Job>>['form']['control'];
  currency: string | null | undefined;
  taxInclusive: boolean;
}

/** What the line will cost, while it is typed. */
function LineTotal({ control, currency, taxInclusive }: LineTotalProps) {
  const [quantity, typedPrice] = useWatch({ control, name: ['quantity', 'unit_price'] });
  const price = readDecimal(typedPrice);
  const read = readWholeQuantity(readDecimal(quantity));
  const total = 'quantity' in read && isAmount(price) ? formatMoney(lineTotal(price, String(read.quantity)), currency) : '–';
  return (
    <p className="flex items-baseline justify-between text-base sm:col-span-2">
      Total
      <span className="text-lg font-semibold tabular-nums">
        {total} <span className="text-sm font-normal text-ink-3">{taxLabel(taxInclusive)}</span>
      </span>
    </p>
  );
}
