import type { InvoiceSummary } from '@callout/contract/invoices';
import { DEBT_AGE_LABELS } from '@callout/domain/invoices/invoice-list';
import { formatMoney } from '@callout/domain/money/money-format';
import { pluralize } from '@callout/domain/text/count-format';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { getReadErrorMessage } from '../../lib/error-messages.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { useProfile } from '../company/company.api.ts';
import { formatUnsentCount } from './invoice-labels.tsx';

interface CustomerOutstandingProps {
  customerId: string;
  /** Passed in by the route, which starts it together with the customer's query to load both in parallel. */
  query: UseQueryResult<InvoiceSummary>;
}

/** Links to the customer's unpaid invoices. Renders nothing if the customer has none. */
export function CustomerOutstandingLink({ customerId, query: { data, error, isFetching, refetch } }: CustomerOutstandingProps) {
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
        Couldn't load what this customer owes. {getReadErrorMessage(error)}
      </Banner>
    );
  }
  const { outstanding, ages } = data;
  if (outstanding.count === 0) return null;
  const overdueAges = ages.filter(({ age, count }) => age !== 'current' && count > 0);
  const overdueCount = overdueAges.reduce((sum, { count }) => sum + count, 0);
  const oldestAge = overdueAges.at(-1);
  const unsentText = formatUnsentCount(outstanding.count, outstanding.unsent);
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
        {oldestAge ? (
          <span className="block text-base font-medium text-danger-ink">
            {`${formatInvoiceCount(overdueCount)} overdue, ${overdueCount === 1 ? '' : 'the oldest '}${lowercaseFirst(DEBT_AGE_LABELS[oldestAge.age])}`}
          </span>
        ) : (
          outstanding.unsent < outstanding.count && (
            <span className="block text-base text-ink-2">{formatInvoiceCount(outstanding.count)}, not due yet</span>
          )
        )}
        {unsentText && <span className="block text-base text-warn-ink">{unsentText}</span>}
      </span>
      <ChevronRight aria-hidden="true" className="size-5 shrink-0 text-ink-3" />
    </Link>
  );
}

/** Returns undefined if the customer owes nothing. */
export function formatDebtWarning({ outstanding: { amount, count } }: InvoiceSummary, currency: string | null | undefined) {
  if (count === 0) return undefined;
  const stay = count === 1 ? 'which stays' : 'which stay';
  return `They owe ${formatMoney(amount, currency)} on ${formatInvoiceCount(count)}, ${stay} under this name but can no longer be emailed.`;
}

const formatInvoiceCount = (count: number) => pluralize(count, 'invoice');
const lowercaseFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
