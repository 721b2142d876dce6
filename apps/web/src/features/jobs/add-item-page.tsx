import type { ItemChoice } from '@callout/contract/items';
import type { Job } from '@callout/contract/jobs';
import { formatMoney } from '@callout/domain/money/money-format';
import { getTaxInclusionLabel } from '@callout/domain/tax/tax';
import { PackageSearch } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { createId } from '../../lib/create-id.ts';
import { QueryView } from '../../lib/query-view.tsx';
import { useServerForm } from '../../lib/use-server-form.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { normalizeDecimal } from '../../ui/decimal-string.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RecordSkeleton } from '../../ui/skeleton.tsx';
import { DESKTOP_UP, FINE_POINTER_QUERY, useMediaQuery } from '../../ui/use-browser-state.ts';
import { usePrompt } from '../../ui/use-prompt.ts';
import { useCan } from '../company/company.api.ts';
import { ItemPicker } from './item-picker.tsx';
import { JobNotFound } from './job-labels.tsx';
import { formatJobNumber, useJob } from './jobs.api.ts';
import { LineTotal, PriceSchema, QuantityField, UnitPriceField } from './line-form.tsx';
import { hasPaidItems, PAID_JOB_NOTE, PaidJobQuestion } from './paid-job-question.tsx';
import { useAddLines } from './use-add-lines.tsx';

interface AddItemPageProps {
  id: string;
  onLeave: () => void;
}

/** Adds an item with a custom quantity and price. Desktops show the item list beside the form; phones show one or the other. */
export function AddItemPage({ id, onLeave }: AddItemPageProps) {
  const query = useJob(id);
  return (
    <QueryView query={query} isInCard skeleton={<RecordSkeleton label="Loading..." fields={4} />} notFound={<JobNotFound />}>
      {(job) => <AddItemView job={job} onLeave={onLeave} />}
    </QueryView>
  );
}

function AddItemView({ job, onLeave }: { job: Job; onLeave: () => void }) {
  const isDesktop = useMediaQuery(DESKTOP_UP);
  const [item, setItem] = useState<ItemChoice>();
  const [quantity, setQuantity] = useState('1');
  const list = useRef<HTMLDivElement>(null);
  const isChoosing = item === undefined;
  useEffect(() => {
    if (isChoosing && window.matchMedia(FINE_POINTER_QUERY).matches) list.current?.querySelector('input')?.focus();
  }, [isChoosing]);
  return (
    <>
      <PageHeader title="Add Item" subtitle={`${formatJobNumber(job.job_number)} · ${job.title}`} />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_minmax(0,24rem)]">
        {/* Phones hide the list instead of unmounting it, so that the Change button returns to the same search. */}
        <Card ref={list} className={item && !isDesktop ? 'hidden' : 'p-4 lg:p-5'}>
          <ItemPicker height="page" pickedIds={item && [item.id]} onPick={setItem} />
        </Card>
        {item ? (
          <AddItemForm
            key={item.id}
            job={job}
            item={item}
            quantity={quantity}
            onQuantityChange={setQuantity}
            onChangeItem={isDesktop ? undefined : () => setItem(undefined)}
            onLeave={onLeave}
          />
        ) : (
          isDesktop && (
            <Card>
              <EmptyState icon={PackageSearch} message="No item selected" hint="Choose one from the list." />
            </Card>
          )
        )}
      </div>
    </>
  );
}

interface AddItemFormProps {
  job: Job;
  item: ItemChoice;
  quantity: string;
  onQuantityChange: (typed: string) => void;
  /** Returns to the item list. Undefined on desktops, where the list is always visible. */
  onChangeItem: (() => void) | undefined;
  onLeave: () => void;
}

function AddItemForm({ job, item, quantity, onQuantityChange, onChangeItem, onLeave }: AddItemFormProps) {
  const { addLines, note, dialogs } = useAddLines(job);
  const isPaid = hasPaidItems(job);
  const canManagePayments = useCan('payments.manage');
  const { currency } = job;
  const mayChange = canManagePayments || !isPaid;
  const taxLabel = getTaxInclusionLabel(item.tax_inclusive);
  const paidQuestion = usePrompt<null, boolean>();
  /** One id per form, so that a retry after a lost response doesn't add a second line. */
  const [id] = useState(createId);
  const element = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (window.matchMedia(FINE_POINTER_QUERY).matches) element.current?.querySelector('input')?.focus();
  }, []);
  const { form, submit, saving } = useServerForm({
    schema: PriceSchema,
    defaultValues: { quantity, unit_price: item.selling_price },
    save: async (line) => {
      if (isPaid && !(await paidQuestion.ask(null))) return null;
      return addLines([{ id, supplier_item_id: item.id, ...line }]);
    },
    onSaved: onLeave,
  });
  const [typedQuantity, typedPrice] = useWatch({ control: form.control, name: ['quantity', 'unit_price'] });
  const getError = (name: 'quantity' | 'unit_price') => form.getFieldState(name, form.formState).error?.message;
  return (
    <Card className="lg:sticky lg:top-[calc(var(--header-height)+1rem)]">
      <form ref={element} noValidate onSubmit={submit} className="grid gap-4 p-4 sm:grid-cols-2 lg:p-5">
        <div className="flex items-start justify-between gap-3 rounded-control bg-sunken px-3.5 py-2.5 sm:col-span-2">
          <div className="min-w-0 [overflow-wrap:anywhere]">
            <p className="text-base font-medium">{item.name}</p>
            <p className="text-sm text-ink-2">{`#${item.sku} · ${item.supplier.company_name}`}</p>
          </div>
          {onChangeItem && <Button onClick={onChangeItem}>Change</Button>}
        </div>
        <QuantityField
          {...form.register('quantity', { onChange: () => onQuantityChange(form.getValues('quantity')) })}
          error={getError('quantity')}
        />
        <UnitPriceField
          currency={currency}
          {...form.register('unit_price', { setValueAs: normalizeDecimal })}
          hint={canManagePayments ? taxLabel : `${taxLabel}, at least ${formatMoney(item.selling_price, currency)}`}
          error={getError('unit_price')}
        />
        <LineTotal currency={currency} quantity={typedQuantity} unit_price={typedPrice} taxInclusive={item.tax_inclusive} />
        {!mayChange && <p className="text-base text-ink-2 sm:col-span-2">{PAID_JOB_NOTE}</p>}
        {note && <p className="text-base text-ink-2 sm:col-span-2">{note}</p>}
        <div className="flex flex-col-reverse gap-2 sm:col-span-2 sm:flex-row sm:justify-end">
          <Button onClick={onLeave}>Cancel</Button>
          <Button type="submit" tone="primary" busy={saving} disabled={!mayChange}>
            {saving ? 'Adding…' : 'Add Item'}
          </Button>
        </div>
      </form>
      {dialogs}
      <PaidJobQuestion
        job={job}
        open={paidQuestion.isOpen}
        onOpenChange={(open) => open || paidQuestion.answer(false)}
        onConfirm={() => paidQuestion.answer(true)}
      />
    </Card>
  );
}
