import type { PaymentRow, PaymentSummary } from '@callout/contract/payments';
import { NO_CUSTOMER_LABEL } from '@callout/domain/customers/customer';
import {
  formatPaidInvoice,
  formatPaymentMethod,
  PAYMENT_METHOD_LABELS,
  PAYMENT_METHODS,
  type PaymentSort,
} from '@callout/domain/invoices/invoice';
import { isZeroAmount } from '@callout/domain/money/money';
import { formatAmount, formatMoney } from '@callout/domain/money/money-format';
import { pluralize } from '@callout/domain/text/count-format';
import { formatCivilDate } from '@callout/domain/time/date-format';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Banknote, Download, SearchX } from 'lucide-react';
import { getReadErrorMessage } from '../../lib/error-messages.ts';
import { withoutEmptyValues } from '../../lib/list-filter.ts';
import { SortSelect } from '../../lib/list-toolbar.tsx';
import { CappedTotalsNote, LabeledAmount } from '../../lib/list-totals.tsx';
import { PeriodFilter } from '../../lib/period-filter.tsx';
import { ListView, QueryView } from '../../lib/query-view.tsx';
import { useToday } from '../../lib/use-today.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { DataTable, type TableColumn } from '../../ui/data-table.tsx';
import { DebouncedSearchField } from '../../ui/debounced-search-field.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { AnchorButton, LinkButton } from '../../ui/link-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { useCompanyTimeZone, useProfile } from '../company/company.api.ts';
import {
  buildPaymentCsvUrl,
  fromSearchParams,
  PAYMENT_SORT_CHOICES,
  type PaymentListFilter,
  type PaymentSearchParams,
  toSearchParams,
  withoutSort,
  withSort,
} from './payment-list-filter.ts';
import { paymentSummaryQueryOptions, paymentsListQueryOptions } from './payments.api.ts';

interface PaymentListPageProps {
  search: PaymentSearchParams;
  onSearch: (search: PaymentSearchParams) => void;
}

/** Lists all money received, with or without an invoice. */
export function PaymentListPage({ search, onSearch }: PaymentListPageProps) {
  const filter = fromSearchParams(search);
  const onFilter = (next: PaymentListFilter) => onSearch(toSearchParams(next));
  const list = useInfiniteQuery(paymentsListQueryOptions(filter));
  const summaryQuery = useQuery(paymentSummaryQueryOptions(withoutSort(filter)));
  const isEmpty = list.data?.pages[0]?.rows.length === 0;
  const isFiltered = Object.keys(withoutSort(filter)).length > 0;
  return (
    <>
      <PageHeader
        title="Payments"
        actions={
          <>
            <LinkButton to="/invoices">Invoices</LinkButton>
            {!isEmpty && (
              <AnchorButton href={buildPaymentCsvUrl(filter)} download="payments.csv">
                <Download aria-hidden="true" />
                Export CSV
              </AnchorButton>
            )}
          </>
        }
      />
      {(!isEmpty || isFiltered) && <PaymentListToolbar filter={filter} onFilter={onFilter} />}
      {/* If loading fails, the list displays the error, so the totals don't repeat it. */}
      {!isEmpty && (summaryQuery.data || list.data || list.isFetching) && (
        <div className="mb-2">
          <QueryView query={summaryQuery} isInCard skeleton={<p className="h-5 max-sm:h-10.5" />}>
            {(summary) => <PaymentListTotals summary={summary} isOutdated={summaryQuery.isPlaceholderData} />}
          </QueryView>
        </div>
      )}
      <ListView
        list={list}
        loading={{ label: 'Loading payments', count: 9, className: 'h-26 lg:h-14' }}
        empty={<PaymentsEmptyState filter={filter} isFiltered={isFiltered} onFilter={onFilter} />}
      >
        {(rows) => (
          <DataTable
            label="Payments"
            rows={rows}
            columns={COLUMNS}
            renderLink={(payment, props) => <Link to="/jobs/$id/payment" params={{ id: payment.job_id }} {...props} />}
            renderCard={(payment) => <PaymentCard payment={payment} />}
            rowHeight={{ desktop: 56, phone: 104 }}
            sorting={{ sort: filter.sort, order: filter.order, onSort: (sort) => onFilter(withSort(filter, sort)) }}
            paging={list}
            pagingError={getReadErrorMessage(list.error)}
            total={summaryQuery.data?.is_capped ? undefined : summaryQuery.data?.entries}
            isOutdated={list.isPlaceholderData}
          />
        )}
      </ListView>
    </>
  );
}

interface FilterProps {
  filter: PaymentListFilter;
  onFilter: (filter: PaymentListFilter) => void;
}

const METHOD_CHOICES = [
  { value: '', label: 'All methods' },
  ...PAYMENT_METHODS.map((value) => ({ value, label: PAYMENT_METHOD_LABELS[value] })),
];

function PaymentListToolbar({ filter, onFilter }: FilterProps) {
  const today = useToday(useCompanyTimeZone());
  const setFilter = (change: PaymentSearchParams) => onFilter(withoutEmptyValues({ ...filter, ...change }) as PaymentListFilter);
  return (
    <div className="mb-3 flex flex-wrap items-center gap-2">
      <DebouncedSearchField
        label="Search payments"
        placeholder="Search payments..."
        maxLength={200}
        value={filter.search ?? ''}
        onChange={(term) => setFilter({ search: term })}
        className="flex-1 basis-full sm:basis-36 lg:max-w-xs lg:min-w-56"
      />
      <SelectField
        label="Method"
        hideLabel
        className="flex-1 basis-32 lg:max-w-44"
        choices={METHOD_CHOICES}
        value={filter.method ?? ''}
        onChange={({ target }) => setFilter({ method: PAYMENT_METHODS.find((method) => method === target.value) })}
      />
      <PeriodFilter filter={filter} onFilter={onFilter} today={today} />
      <SortSelect choices={PAYMENT_SORT_CHOICES} filter={filter} onFilter={onFilter} className="flex-1 basis-40 lg:hidden" />
    </div>
  );
}

function PaymentListTotals({ summary, isOutdated }: { summary: PaymentSummary; isOutdated: boolean }) {
  const currency = useProfile()?.currency;
  if (summary.is_capped) return <CappedTotalsNote noun="payments" />;
  const { entries, reversals } = summary;
  const count = [pluralize(entries - reversals, 'payment'), ...(reversals > 0 ? [pluralize(reversals, 'reversal')] : [])];
  return (
    <dl
      aria-label="List totals"
      className={classNames(
        'flex flex-wrap content-start gap-x-5 gap-y-0.5 text-sm text-ink-2 tabular-nums transition-opacity duration-120 max-sm:min-h-10.5',
        isOutdated && 'opacity-60',
      )}
    >
      <div className="flex gap-1.5">
        <dt className="sr-only">Number</dt>
        <dd>{count.join(', ')}</dd>
      </div>
      <LabeledAmount label="Received" amount={formatMoney(summary.amount, currency)} />
      {!isZeroAmount(summary.fee) && <LabeledAmount label="PayPal fees, in addition" amount={formatMoney(summary.fee, currency)} />}
    </dl>
  );
}

const formatCustomer = ({ customer_name }: PaymentRow) => customer_name ?? NO_CUSTOMER_LABEL;

/** Displays the amount with the fee that was paid in addition. A reversed payment isn't crossed out, because the total includes it. */
function ReceivedAmount({ payment: { amount, fee } }: { payment: PaymentRow }) {
  return (
    <span className="block tabular-nums">
      <span className="block font-medium text-ink">{formatAmount(amount)}</span>
      {!isZeroAmount(fee) && <span className="block text-sm text-ink-2">{formatAmount(fee)} fee</span>}
    </span>
  );
}

const COLUMNS: readonly TableColumn<PaymentRow, PaymentSort>[] = [
  {
    label: 'Date',
    width: '8rem',
    sort: 'paid_on',
    className: 'tabular-nums',
    cell: ({ paid_on }) => (
      <span data-name="" className="text-ink">
        {formatCivilDate(paid_on)}
      </span>
    ),
  },
  {
    label: 'Customer',
    width: 'minmax(0, 3fr)',
    sort: 'customer',
    cell: (payment) => <span className="line-clamp-2 whitespace-normal [overflow-wrap:anywhere] text-ink">{formatCustomer(payment)}</span>,
  },
  {
    label: 'Job',
    width: 'minmax(0, 4fr)',
    wideOnly: true,
    cell: ({ job_title, job_number, note }) => (
      <span className="block min-w-0">
        <span className="block truncate">{job_title}</span>
        <span className="block truncate text-sm text-ink-3 tabular-nums">{[`#${job_number}`, note].filter(Boolean).join(' · ')}</span>
      </span>
    ),
  },
  {
    label: 'Invoice',
    width: '8.5rem',
    className: 'tabular-nums',
    cell: (payment) => <span className="whitespace-normal">{formatPaidInvoice(payment) || '–'}</span>,
  },
  {
    label: 'Method',
    width: '11.5rem',
    cell: (payment) => (
      <span className="block min-w-0">
        <span className="block truncate">{formatPaymentMethod(payment)}</span>
        <span className="block truncate text-sm text-ink-3">{payment.recorded_by}</span>
      </span>
    ),
  },
  { label: 'Amount', width: '7rem', sort: 'amount', className: 'text-right', cell: (row) => <ReceivedAmount payment={row} /> },
];

function PaymentCard({ payment }: { payment: PaymentRow }) {
  return (
    <span className="flex min-w-0 flex-col gap-1 pr-2">
      <span className="flex items-start justify-between gap-3 large-text:flex-wrap">
        <span className="min-w-0 truncate text-base font-medium text-ink">{formatCustomer(payment)}</span>
        <span className="shrink-0 text-right text-base">
          <ReceivedAmount payment={payment} />
        </span>
      </span>
      <span className="-mt-1 truncate text-sm text-ink-2">
        {[formatPaidInvoice(payment) || `#${payment.job_number}`, payment.job_title].join(' · ')}
      </span>
      <span data-name="" className="truncate text-sm text-ink-2 tabular-nums">
        {[formatCivilDate(payment.paid_on), formatPaymentMethod(payment), payment.note].filter(Boolean).join(' · ')}
      </span>
    </span>
  );
}

function PaymentsEmptyState({ filter: { sort, order, search }, isFiltered, onFilter }: FilterProps & { isFiltered: boolean }) {
  if (!isFiltered)
    return <EmptyState icon={Banknote} message="No payments yet" hint="Record a payment on a job's payment page, and it appears here." />;
  return (
    <EmptyState
      icon={SearchX}
      message="No payments found"
      hint={search ? `Nothing matches “${search}”.` : 'No payments match these filters.'}
      action={
        <Button tone="primary" onClick={() => onFilter({ sort, order })}>
          Clear search and filters
        </Button>
      }
    />
  );
}
