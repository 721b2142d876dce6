import type { InvoiceSummary } from '@callout/contract/invoices';
import { DEBT_AGE_WORDS } from '@callout/domain/invoices/invoice-list';
import { formatMoney } from '@callout/domain/money/money-text';
import { countText } from '@callout/domain/text/count-text';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { centralMessage } from '../../lib/error-messages.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { useProfile } from '../company/company.api.ts';

interface CustomerOutstandingProps {
  customerId: string;
  /** Read by the page's route, beside the customer. */
  query: UseQueryResult<InvoiceSummary>;
}

/** What a customer owes, above everything else on their page; it opens those invoices. Nothing for those who owe nothing. */
export function CustomerOutstanding({ customerId, query: { data, error, isFetching, refetch } }: CustomerOutstandingProps) {
  const currency = useProfile()?.currency;
  if (!data) {
    if (!error) return null;
    return (
      <Banner
        tone="warn"
        className="mb-4"
        actions={
          <Button busy={isFetching} onClick={() => void refetch()}>
            Retry
          </Button>
        }
      >
        What this customer owes could not be loaded. {centralMessage(error)}
      </Banner>
    );
  }
  const { outstanding, ages } = data;
  if (outstanding.count === 0) return null;
  const late = ages.filter(({ age, count }) => age !== 'current' && count > 0);
  const lateCount = late.reduce((sum, { count }) => sum + count, 0);
  const oldest = late.at(-1);
  return (
    <Link
      to="/invoices"
      search={{ customer_id: customerId, filter: 'unpaid' }}
      className="mb-4 flex min-h-16 items-center gap-3 rounded-card bg-surface px-4 py-3 shadow-card hover:bg-sunken lg:px-5"
    >
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap items-baseline gap-x-2">
          <span className="text-xl font-semibold tabular-nums">{formatMoney(outstanding.amount, currency)}</span>
          <span className="text-base text-ink-2">outstanding</span>
        </span>
        {oldest ? (
          <span className="block text-base font-medium text-danger-ink">
            {`${invoices(lateCount)} overdue, ${lateCount === 1 ? '' : 'the oldest '}${inSentence(DEBT_AGE_WORDS[oldest.age])}`}
          </span>
        ) : (
          <span className="block text-base text-ink-2">{invoices(outstanding.count)}, not due yet</span>
        )}
      </span>
      <ChevronRight aria-hidden="true" className="size-5 shrink-0 text-ink-3" />
    </Link>
  );
}

const invoices = (count: number) => countText(count, 'invoice');
const inSentence = (words: string) => words.charAt(0).toLowerCase() + words.slice(1);
