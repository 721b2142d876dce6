import type { InvoiceSummary } from '@callout/contract/invoices';
import { isZero, subtractMoney } from '@callout/domain/money/money';
import { formatMoney } from '@callout/domain/money/money-text';
import { countText } from '@callout/domain/text/count-text';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Download, HandCoins, ReceiptText, SearchX } from 'lucide-react';
import { QueryView } from '../../lib/query-view.tsx';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { AnchorButton, LinkButton } from '../../ui/link-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { useProfile } from '../company/company.api.ts';
import {
  criteriaOf,
  csvUrl,
  type InvoiceListFilter,
  type InvoicesSearch,
  isFiltered,
  readFilter,
  shownTab,
  sortedBy,
  strippedOf,
  withAge,
  withTab,
  writeFilter,
} from './invoice-list-filter.ts';
import { OutstandingStrip, StripSkeleton } from './invoice-list-strip.tsx';
import { InvoiceListTable } from './invoice-list-table.tsx';
import { InvoiceListToolbar } from './invoice-list-toolbar.tsx';
import { invoiceSummaryOptions, invoicesListOptions } from './invoices-list.api.ts';
import { useInvoiceDay } from './use-invoice-day.ts';

interface InvoiceListPageProps {
  search: InvoicesSearch;
  onSearch: (search: InvoicesSearch) => void;
}

/** Everything that was sent, the oldest debt first. */
export function InvoiceListPage({ search, onSearch }: InvoiceListPageProps) {
  const filter = readFilter(search);
  const onFilter = (changed: InvoiceListFilter) => onSearch(writeFilter(changed));
  const criteria = criteriaOf(filter);
  const today = useInvoiceDay();
  const list = useInfiniteQuery(invoicesListOptions(filter));
  const strip = useQuery(invoiceSummaryOptions(strippedOf(criteria)));
  const listed = useQuery(invoiceSummaryOptions(criteria));
  const rows = list.data?.pages[0]?.rows;
  const rowCount = listed.data?.filters[filter.filter ?? 'all'];
  const isEmpty = rows?.length === 0;
  /** There is nothing to sum up, to search or to filter yet. */
  const isUnused = isEmpty && !isFiltered(filter);
  return (
    <>
      <PageHeader
        title="Invoices"
        actions={
          <>
            <LinkButton to="/invoices/debtors">
              <HandCoins aria-hidden="true" />
              Who owes us
            </LinkButton>
            {!isEmpty && (
              <AnchorButton href={csvUrl(filter)} download="invoices.csv">
                <Download aria-hidden="true" />
                Export CSV
              </AnchorButton>
            )}
          </>
        }
      />
      {/* When nothing could be read, the list says so once. */}
      {!isUnused && (strip.data || list.data || list.isFetching) && (
        <QueryView query={strip} inCard skeleton={<StripSkeleton />}>
          {(summary) => (
            <OutstandingStrip
              summary={summary}
              age={filter.age}
              isUnpaid={filter.filter === 'unpaid'}
              onAge={(age) => onFilter(withAge(filter, age))}
              onUnpaid={() => onFilter(withTab(filter, filter.filter === 'unpaid' ? undefined : 'unpaid'))}
            />
          )}
        </QueryView>
      )}
      {!isUnused && (
        <InvoiceListToolbar
          filter={filter}
          onFilter={onFilter}
          counts={strip.data?.filters}
          today={today}
          // The rows may still be those of the filter before.
          customerName={rows?.find(({ customer_id }) => customer_id === filter.customer_id)?.customer_name}
        />
      )}
      {!isEmpty && <ListedTotals summary={listed.data} rowCount={rowCount} isOld={listed.isPlaceholderData} />}
      <InvoiceListTable
        list={list}
        sorting={{ ...filter, onSort: (sort) => onFilter(sortedBy(filter, sort)) }}
        total={rowCount}
        empty={<NoInvoices filter={filter} onFilter={onFilter} />}
      />
    </>
  );
}

interface ListedTotalsProps {
  summary: InvoiceSummary | undefined;
  rowCount: number | undefined;
  isOld: boolean;
}

/** What the rows below come to. Their place is kept while they are read. */
function ListedTotals({ summary, rowCount = 0, isOld }: ListedTotalsProps) {
  const currency = useProfile()?.currency;
  if (!summary) return <p className="mb-2 h-5 max-sm:h-10.5" />;
  const { total, paid, outstanding } = summary;
  const overpaid = subtractMoney(outstanding.amount, subtractMoney(total.amount, paid));
  const isPartial = rowCount > total.count;
  const count = countText(total.count, 'invoice');
  return (
    <div className={classes('mb-2 text-sm text-ink-2 tabular-nums transition-opacity duration-120', isOld && 'opacity-60')}>
      <dl
        aria-label="Totals of the list"
        className="flex flex-wrap gap-x-5 gap-y-0.5 max-sm:grid max-sm:grid-cols-[repeat(auto-fit,minmax(min(10rem,100%),1fr))]"
      >
        <div className="flex gap-1.5">
          <dt className="sr-only">Number</dt>
          <dd>{count}</dd>
        </div>
        <Figure label="Total" amount={formatMoney(total.amount, currency)} />
        <Figure label="Paid" amount={formatMoney(paid, currency)} />
        <Figure label="Outstanding" amount={formatMoney(outstanding.amount, currency)} />
        {!isZero(overpaid) && <Figure label="Overpaid" amount={formatMoney(overpaid, currency)} />}
      </dl>
      {isPartial && <p className="text-ink-3">Replaced or canceled invoices and credit notes aren't counted.</p>}
    </div>
  );
}

function Figure({ label, amount }: { label: string; amount: string }) {
  return (
    <div className="flex flex-wrap gap-x-1.5">
      <dt>{label}</dt>
      <dd className="font-semibold text-ink">{amount}</dd>
    </div>
  );
}

function NoInvoices({ filter, onFilter }: { filter: InvoiceListFilter; onFilter: (filter: InvoiceListFilter) => void }) {
  const { sort, order, search } = filter;
  if (!isFiltered(filter)) {
    return (
      <EmptyState
        icon={ReceiptText}
        sentence="No invoices yet"
        hint="Complete a job and send its invoice. You'll see here what's still owed."
        action={
          <LinkButton to="/jobs" search={{ status: 'complete' }} tone="primary">
            Completed jobs
          </LinkButton>
        }
      />
    );
  }
  const isUnpaid = shownTab(filter) === 'unpaid' || filter.filter === 'overdue';
  const isOnlyTab = Object.keys(criteriaOf(filter)).length === 1;
  return (
    <EmptyState
      icon={SearchX}
      sentence="No invoices found"
      hint={
        search
          ? `Nothing matches “${search}”.`
          : isUnpaid && isOnlyTab
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
