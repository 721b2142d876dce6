import type { InvoiceSummary } from '@callout/contract/invoices';
import { isZeroAmount, subtractMoney, sumMoney } from '@callout/domain/money/money';
import { formatMoney } from '@callout/domain/money/money-format';
import { pluralize } from '@callout/domain/text/count-format';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Banknote, Download, HandCoins, ReceiptText, SearchX } from 'lucide-react';
import { CappedTotalsNote, LabeledAmount } from '../../lib/list-totals.tsx';
import { QueryView } from '../../lib/query-view.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { AnchorButton, LinkButton } from '../../ui/link-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { useProfile } from '../company/company.api.ts';
import {
  buildInvoiceCsvUrl,
  fromSearchParams,
  getActiveTab,
  type InvoiceListFilter,
  type InvoiceSearchParams,
  isFiltered,
  toSearchParams,
  withAge,
  withoutSort,
  withoutTabAndAge,
  withSort,
  withTab,
} from './invoice-list-filter.ts';
import { InvoiceListTable } from './invoice-list-table.tsx';
import { InvoiceListToolbar } from './invoice-list-toolbar.tsx';
import { invoiceSummaryQueryOptions, invoicesListQueryOptions } from './invoices-list.api.ts';
import { OutstandingStrip, OutstandingStripSkeleton } from './outstanding-strip.tsx';
import { useInvoiceToday } from './use-invoice-today.ts';

interface InvoiceListPageProps {
  search: InvoiceSearchParams;
  onSearch: (search: InvoiceSearchParams) => void;
}

export function InvoiceListPage({ search, onSearch }: InvoiceListPageProps) {
  const filter = fromSearchParams(search);
  const onFilter = (next: InvoiceListFilter) => onSearch(toSearchParams(next));
  const criteria = withoutSort(filter);
  const today = useInvoiceToday();
  const list = useInfiniteQuery(invoicesListQueryOptions(filter));
  const stripQuery = useQuery(invoiceSummaryQueryOptions(withoutTabAndAge(criteria)));
  const totalsQuery = useQuery(invoiceSummaryQueryOptions(criteria));
  const rows = list.data?.pages[0]?.rows;
  const rowCount = totalsQuery.data?.filters[filter.filter ?? 'all'] ?? undefined;
  const isEmpty = rows?.length === 0;
  const hasNoInvoices = isEmpty && !isFiltered(filter);
  return (
    <>
      <PageHeader
        title="Invoices"
        actions={
          <>
            <LinkButton to="/invoices/payments">
              <Banknote aria-hidden="true" className="max-sm:hidden" />
              Payments
            </LinkButton>
            <LinkButton to="/invoices/debtors">
              <HandCoins aria-hidden="true" className="max-sm:hidden" />
              Who owes us
            </LinkButton>
            {!isEmpty && (
              <AnchorButton href={buildInvoiceCsvUrl(filter)} download="invoices.csv">
                <Download aria-hidden="true" className="max-sm:hidden" />
                Export CSV
              </AnchorButton>
            )}
          </>
        }
      />
      {/* If loading fails, the list displays the error, so the strip doesn't repeat it. */}
      {!hasNoInvoices && (stripQuery.data || list.data || list.isFetching) && (
        <QueryView query={stripQuery} isInCard skeleton={<OutstandingStripSkeleton />}>
          {(summary) => (
            <OutstandingStrip
              summary={summary}
              age={filter.age}
              isUnpaidSelected={filter.filter === 'unpaid'}
              onAgeChange={(age) => onFilter(withAge(filter, age))}
              onUnpaidToggle={() => onFilter(withTab(filter, filter.filter === 'unpaid' ? undefined : 'unpaid'))}
            />
          )}
        </QueryView>
      )}
      {!hasNoInvoices && (
        <InvoiceListToolbar
          filter={filter}
          onFilter={onFilter}
          counts={stripQuery.data?.filters}
          today={today}
          // `rows` may still belong to the previous filter, so take the name from a row of the filtered customer.
          customerName={rows?.find(({ customer_id }) => customer_id === filter.customer_id)?.customer_name}
        />
      )}
      {/* Without a tab or an age, the strip reads the same totals and displays the error. */}
      {!isEmpty && (totalsQuery.data || (!stripQuery.error && (list.data || list.isFetching))) && (
        <div className="mb-2">
          <QueryView query={totalsQuery} isInCard skeleton={<p className="h-5 max-sm:h-10.5" />}>
            {(summary) => <InvoiceListTotals summary={summary} isOutdated={totalsQuery.isPlaceholderData} />}
          </QueryView>
        </div>
      )}
      <InvoiceListTable
        list={list}
        sorting={{ ...filter, onSort: (sort) => onFilter(withSort(filter, sort)) }}
        total={rowCount}
        empty={<InvoicesEmptyState filter={filter} onFilter={onFilter} />}
      />
    </>
  );
}

interface InvoiceListTotalsProps {
  summary: InvoiceSummary;
  isOutdated: boolean;
}

/** Displays the totals of the invoices below. */
function InvoiceListTotals({ summary, isOutdated }: InvoiceListTotalsProps) {
  const currency = useProfile()?.currency;
  const { total, paid, overpaid, outstanding } = summary;
  if (summary.is_capped) return <CappedTotalsNote noun="invoices" />;
  const count = [pluralize(total.invoices, 'invoice'), ...(total.credit_notes > 0 ? [pluralize(total.credit_notes, 'credit note')] : [])];
  const note = getTotalsNote(summary);
  return (
    <div className={classNames('text-sm text-ink-2 tabular-nums transition-opacity duration-120', isOutdated && 'opacity-60')}>
      <dl
        aria-label="List totals"
        className="flex flex-wrap gap-x-5 gap-y-0.5 max-sm:grid max-sm:grid-cols-[repeat(auto-fit,minmax(min(10rem,100%),1fr))]"
      >
        <div className="flex gap-1.5">
          <dt className="sr-only">Number</dt>
          <dd>{count.join(', ')}</dd>
        </div>
        <LabeledAmount label="Total" amount={formatMoney(total.amount, currency)} />
        <LabeledAmount label="GST" amount={formatMoney(total.tax_amount, currency)} />
        <LabeledAmount label="Paid" amount={formatMoney(paid, currency)} />
        <LabeledAmount label="Outstanding" amount={formatMoney(outstanding.amount, currency)} />
        {!isZeroAmount(overpaid) && <LabeledAmount label="Overpaid" amount={formatMoney(overpaid, currency)} />}
      </dl>
      {note && <p className="text-ink-3">{note}</p>}
    </div>
  );
}

/** Explains why the totals don't add up: a canceled invoice or its credit note may be outside of the list. */
function getTotalsNote({ total, paid, overpaid, outstanding }: InvoiceSummary): string | undefined {
  if (!isZeroAmount(subtractMoney(sumMoney([paid, outstanding.amount]), sumMoney([total.amount, overpaid]))))
    return 'Total counts every document on its own date. Paid and Outstanding are as of today, without canceled invoices.';
  return total.credit_notes > 0 ? 'Credit notes are subtracted from the total.' : undefined;
}

function InvoicesEmptyState({ filter, onFilter }: { filter: InvoiceListFilter; onFilter: (filter: InvoiceListFilter) => void }) {
  const { sort, order, search } = filter;
  if (!isFiltered(filter)) {
    return (
      <EmptyState
        icon={ReceiptText}
        message="No invoices yet"
        hint="Send an invoice for a completed job, and what you're owed appears here."
        action={
          <LinkButton to="/jobs" search={{ status: 'complete' }} tone="primary">
            Completed jobs
          </LinkButton>
        }
      />
    );
  }
  const isUnpaid = getActiveTab(filter) === 'unpaid' || filter.filter === 'overdue';
  const isOnlyCriterion = Object.keys(withoutSort(filter)).length === 1;
  return (
    <EmptyState
      icon={SearchX}
      message="No invoices found"
      hint={
        search
          ? `Nothing matches “${search}”.`
          : isUnpaid && isOnlyCriterion
            ? 'Nobody owes you anything here.'
            : 'No invoices match these filters.'
      }
      action={
        <Button tone="primary" onClick={() => onFilter({ sort, order })}>
          Clear search and filters
        </Button>
      }
    />
  );
}
