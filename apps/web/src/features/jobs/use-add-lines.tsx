import type { FixedPriceChoice } from '@callout/contract/job-line-input';
import type { Job } from '@callout/contract/jobs';
import { getFixedPrice } from '@callout/domain/jobs/job-price';
import { calculateLinePrice, NO_DISCOUNT } from '@callout/domain/jobs/line-price';
import { formatMoney } from '@callout/domain/money/money-format';
import { calculateTaxTotals, type TaxedLine } from '@callout/domain/tax/tax';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { Button } from '../../ui/button.tsx';
import { Sheet } from '../../ui/dialog.tsx';
import { useDialogSubject } from '../../ui/use-dialog-subject.ts';
import { usePrompt } from '../../ui/use-prompt.ts';
import { useCan } from '../company/company.api.ts';
import { findCachedItem } from '../suppliers/suppliers-item-search.api.ts';
import { buildItem, type NewLine, useAddJobItems } from './jobs-items.api.ts';
import { useLargeQuantityPrompt } from './large-quantity-prompt.tsx';

/** The formatted amount that the customer would pay after each choice. Empty if the price of a line isn't known. */
type ChoiceTotals = Partial<Record<FixedPriceChoice, string>>;

/** Returns the new lines' prices. Returns undefined if the price of an item isn't cached, which only the server then knows. */
function findLinePrices(queryClient: QueryClient, lines: readonly NewLine[]): TaxedLine[] | undefined {
  const priced = lines.flatMap(({ supplier_item_id, unit_price, tax_inclusive, quantity = 1 }) => {
    const item = findCachedItem(queryClient, supplier_item_id);
    const price = unit_price ?? item?.selling_price;
    const isInclusive = tax_inclusive ?? item?.tax_inclusive;
    if (price === undefined || isInclusive === undefined) return [];
    const { total_price } = calculateLinePrice({ unit_price: price, quantity: String(quantity), ...NO_DISCOUNT });
    return [{ total: total_price, tax_inclusive: isInclusive }];
  });
  return priced.length === lines.length ? priced : undefined;
}

function ChoiceTotal({ id, total }: { id: string; total: string | undefined }) {
  return (
    <p id={id} className="mb-2 text-center text-sm text-ink-2 tabular-nums empty:hidden">
      {total && `The customer pays ${total}`}
    </p>
  );
}

/**
 * Adds lines to a job. Asks first if a quantity is very large, or if the lines would be the first of a job with a fixed amount. Staff who
 * may not manage payments aren't asked about the fixed amount: their items come on top. `dialogs` must be rendered.
 */
export function useAddLines(job: Job) {
  const queryClient = useQueryClient();
  const { add, isPending } = useAddJobItems(job);
  const canReplace = useCan('payments.manage');
  const { currency } = job;
  const largeQuantity = useLargeQuantityPrompt();
  const choice = usePrompt<ChoiceTotals, FixedPriceChoice | null>();
  const totals = useDialogSubject(choice.subject).subject;
  const [replaceId, keepId] = [useId(), useId()];
  const amount = job.items.length === 0 ? getFixedPrice(job) : null;
  const fixedPrice = amount === null ? null : formatMoney(amount, currency);
  const chooseFixedPrice = async (lines: readonly NewLine[], fixed: string) => {
    if (!canReplace) return 'keep';
    const added = findLinePrices(queryClient, lines);
    const formatTotal = (priced: readonly TaxedLine[]) => formatMoney(calculateTaxTotals(priced, job.tax_rate).total_amount, currency);
    return choice.ask(added ? { replace: formatTotal(added), keep: formatTotal([...added, { total: fixed, tax_inclusive: true }]) } : {});
  };

  /** Returns null if the person cancels. */
  const addLines = async (lines: NewLine[]): Promise<unknown> => {
    for (const { quantity = 1 } of lines) if (!(await largeQuantity.confirm(quantity))) return null;
    const items = lines.flatMap((line) => buildItem(line, findCachedItem(queryClient, line.supplier_item_id)) ?? []);
    if (amount === null) return add({ job_id: job.id, lines }, items);
    const fixed_price = await chooseFixedPrice(lines, amount);
    if (fixed_price === null) return null;
    return add({ job_id: job.id, lines, fixed_price }, items);
  };
  return {
    addLines,
    busy: isPending,
    note: fixedPrice !== null && !canReplace ? `The items come on top of the fixed ${fixedPrice}.` : null,
    dialogs: (
      <>
        {largeQuantity.dialog}
        <Sheet
          open={choice.isOpen}
          onOpenChange={(open) => open || choice.answer(null)}
          title="This job has a fixed price"
          description="What should the customer pay?"
          isAlertDialog
        >
          <div className="grid gap-2">
            <Button
              fullWidth
              aria-describedby={replaceId}
              onClick={() => choice.answer('replace')}
            >{`The items replace the fixed ${fixedPrice ?? ''}`}</Button>
            <ChoiceTotal id={replaceId} total={totals?.replace} />
            <Button fullWidth aria-describedby={keepId} onClick={() => choice.answer('keep')}>
              The items come on top
            </Button>
            <ChoiceTotal id={keepId} total={totals?.keep} />
            <Button fullWidth tone="quiet" onClick={() => choice.answer(null)}>
              Cancel
            </Button>
          </div>
        </Sheet>
      </>
    ),
  };
}
