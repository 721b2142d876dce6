import type { FixedPriceChoice } from '@callout/contract/job-line-input';
import type { Job } from '@callout/contract/jobs';
import { getFixedPrice } from '@callout/domain/jobs/job-price';
import { formatMoney } from '@callout/domain/money/money-format';
import { useQueryClient } from '@tanstack/react-query';
import { hasErrorCode } from '../../lib/error-messages.ts';
import { Button } from '../../ui/button.tsx';
import { Sheet } from '../../ui/dialog.tsx';
import { usePrompt } from '../../ui/use-prompt.ts';
import { useCan, useProfile } from '../company/company.api.ts';
import { jobQueryOptions } from './jobs.api.ts';
import { type NewLine, type NewLines, useAddJobItems } from './jobs-items.api.ts';
import { useLargeQuantityPrompt } from './large-quantity-prompt.tsx';

/**
 * Adds lines to a job. Asks first if a quantity is very large, or if the lines would be the first of a job with a fixed amount. Staff who
 * may not manage payments aren't asked about the fixed amount: their items come on top. `dialogs` must be rendered.
 */
export function useAddLines(job: Job) {
  const queryClient = useQueryClient();
  const add = useAddJobItems(job);
  const canReplace = useCan('payments.manage');
  const currency = useProfile()?.currency;
  const largeQuantity = useLargeQuantityPrompt();
  const choice = usePrompt<null, FixedPriceChoice | null>();
  const amount = job.items.length === 0 ? getFixedPrice(job) : null;
  const fixedPrice = amount === null ? null : formatMoney(amount, currency);
  const chooseFixedPrice = async () => (canReplace ? choice.ask(null) : 'keep');

  /** Lines that an earlier attempt has added count as added, even if the person has corrected a value since. A toast says so. */
  const send = async (added: NewLines): Promise<Job> => {
    try {
      return (await add.mutateAsync(added)).saved;
    } catch (error) {
      if (!hasErrorCode(error, 'ID_TAKEN')) throw error;
      return queryClient.query(jobQueryOptions(job.id));
    }
  };

  /** Throws if the person cancels or the request fails, so that forms keep what was typed. */
  const addLines = async (lines: NewLine[]): Promise<Job> => {
    for (const { quantity = 1 } of lines) if (!(await largeQuantity.confirm(quantity))) throw new Error('Canceled');
    if (fixedPrice === null) return send({ job_id: job.id, lines });
    const fixed_price = await chooseFixedPrice();
    if (fixed_price === null) throw new Error('Canceled');
    return send({ job_id: job.id, lines, fixed_price });
  };
  return {
    addLines,
    busy: add.isPending,
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
            <Button fullWidth onClick={() => choice.answer('replace')}>{`The items replace the fixed ${fixedPrice ?? ''}`}</Button>
            <Button fullWidth onClick={() => choice.answer('keep')}>
              The items come on top
            </Button>
            <Button fullWidth tone="quiet" onClick={() => choice.answer(null)}>
              Cancel
            </Button>
          </div>
        </Sheet>
      </>
    ),
  };
}
