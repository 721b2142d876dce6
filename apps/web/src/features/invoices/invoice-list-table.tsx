import type { InvoiceRow } from '@callout/contract/invoices';
import { isUnpaidStatus } from '@callout/domain/invoices/invoice';
import type { InvoiceSort } from '@callout/domain/invoices/invoice-list';
import { formatAmount } from '@callout/domain/money/money-format';
import { formatCivilDate } from '@callout/domain/time/date-format';
import { toLocalDate } from '@callout/domain/time/zoned-time';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Copy, Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { getReadErrorMessage } from '../../lib/error-messages.ts';
import { MailFailedBadge } from '../../lib/mail-failed-badge.tsx';
import { ListView } from '../../lib/query-view.tsx';
import { getCompanyTimeZone } from '../../lib/time-zone.ts';
import { classNames } from '../../ui/class-names.ts';
import { DataTable, type TableColumn, type TableSorting } from '../../ui/data-table.tsx';
import { type MenuItemProvider, MoreMenu } from '../../ui/menu.tsx';
import { toast } from '../../ui/toast.ts';
import { buildInvoicePdfUrl, formatDayCount, formatSuccessor, InvoiceStatusPill, NotSentNote } from './invoice-labels.tsx';
import { useInvoiceRowCommands } from './invoice-row-commands.ts';

const isCreditNote = ({ kind }: InvoiceRow) => kind === 'credit_note';
const isSettled = (invoice: InvoiceRow) => isCreditNote(invoice) || !isUnpaidStatus(invoice.shown_status);

/** Formats a date as 'Oct 5', or as 'Oct 5, 2025' if it isn't in the current year. */
function formatShortDate(civilDate: string): string {
  const date = formatCivilDate(civilDate);
  const year = toLocalDate(new Date().toISOString(), getCompanyTimeZone()).slice(0, 4);
  return date.endsWith(year) ? date.slice(0, -', yyyy'.length) : date;
}

/** Returns 'Nov 20' or 'Immediately', or an empty string for a credit note. */
function formatDueDate(invoice: InvoiceRow): string {
  if (isCreditNote(invoice)) return '';
  return invoice.due_on === null ? 'Immediately' : formatShortDate(invoice.due_on);
}

/** Displays '36 days late' (in red), 'today' or 'in 5 days'. Renders nothing unless the invoice is due or overdue. */
function InvoiceLateness({ invoice }: { invoice: InvoiceRow }) {
  const { due_on, late_after, days_late, shown_status } = invoice;
  if (shown_status === 'overdue') return <span className="font-medium text-danger-ink">{formatDayCount(days_late)} late</span>;
  // Show no countdown if the invoice isn't late after its due date: because that is the booking date, or because it was sent later.
  if (shown_status !== 'due' || due_on !== late_after) return null;
  return days_late === 0 ? 'today' : `in ${formatDayCount(-days_late)}`;
}

/**
 * Displays the amount, which is negative for a credit note and crossed out if it doesn't count in the total. For a partly paid invoice, the
 * balance is shown below.
 */
function InvoiceAmount({ invoice }: { invoice: InvoiceRow }) {
  const { total_amount: total, paid_amount: paid, balance } = invoice;
  const isNegative = isCreditNote(invoice) && !total.startsWith('-') && Number(total) !== 0;
  const isPartlyPaid = !isSettled(invoice) && Number(paid) > 0;
  return (
    <span className="block tabular-nums">
      <span
        className={classNames(
          'block',
          isSettled(invoice) ? 'text-ink-3' : 'font-medium text-ink',
          invoice.shown_status === 'replaced' && 'line-through',
        )}
      >
        {isNegative && '-'}
        {formatAmount(total)}
      </span>
      {isPartlyPaid && <span className="block text-sm text-ink-2">{formatAmount(balance)} left</span>}
    </span>
  );
}

function InvoiceNumberCell({ invoice }: { invoice: InvoiceRow }) {
  return (
    <span className="block min-w-0">
      <span data-name="" className={classNames('block truncate font-medium tabular-nums', isSettled(invoice) ? 'text-ink-2' : 'text-ink')}>
        {invoice.invoice_number}
      </span>
      {invoice.is_mail_failed ? (
        <span className="block text-sm">
          <MailFailedBadge />
        </span>
      ) : (
        <NotSentNote invoice={invoice} />
      )}
    </span>
  );
}

const COLUMNS: readonly TableColumn<InvoiceRow, InvoiceSort>[] = [
  { label: 'Invoice', width: '8.5rem', sort: 'invoice_number', cell: (invoice) => <InvoiceNumberCell invoice={invoice} /> },
  {
    label: 'Customer',
    width: 'minmax(0, 3fr)',
    sort: 'customer',
    cell: (invoice) => (
      <span className={classNames('line-clamp-2 whitespace-normal [overflow-wrap:anywhere]', !isSettled(invoice) && 'text-ink')}>
        {invoice.customer_name}
      </span>
    ),
  },
  {
    label: 'Job',
    width: 'minmax(0, 4fr)',
    wideOnly: true,
    cell: (invoice) => (
      <span className="block min-w-0">
        <span className={classNames('block truncate', !isSettled(invoice) && 'text-ink')}>{invoice.title}</span>
        {/* The job number comes last, because it is the part that may be cut off if the line is too long. */}
        <span className="block truncate text-sm text-ink-3 tabular-nums">
          {[formatSuccessor(invoice), `#${invoice.job_number}`].filter(Boolean).join(' · ')}
        </span>
      </span>
    ),
  },
  { label: 'Issued', width: '6rem', className: 'tabular-nums', wideOnly: true, cell: ({ issued_on: day }) => formatShortDate(day) },
  {
    label: 'Due',
    width: '7rem',
    sort: 'late_after',
    className: 'tabular-nums',
    cell: (invoice) => (
      <>
        <span className="block">{formatDueDate(invoice)}</span>
        <span className="block text-sm">
          <InvoiceLateness invoice={invoice} />
        </span>
      </>
    ),
  },
  { label: 'Status', width: '6rem', cell: (invoice) => <InvoiceStatusPill invoice={invoice} /> },
  { label: 'Amount', width: '6.5rem', sort: 'total_amount', className: 'text-right', cell: (row) => <InvoiceAmount invoice={row} /> },
];

interface InvoiceListTableProps {
  list: UseInfiniteQueryResult<InfiniteData<{ rows: InvoiceRow[]; next_cursor: string | null }>>;
  sorting: TableSorting<InvoiceSort>;
  total: number | undefined;
  empty: ReactNode;
}

export function InvoiceListTable({ list, sorting, total, empty }: InvoiceListTableProps) {
  return (
    <ListView list={list} loading={{ label: 'Loading invoices', count: 9, className: 'h-26 lg:h-14' }} empty={empty}>
      {(rows) => (
        <DataTable
          label="Invoices"
          rows={rows}
          columns={COLUMNS}
          renderLink={(invoice, props) => <Link to="/jobs/$id/payment" params={{ id: invoice.job_id }} {...props} />}
          renderCard={(invoice) => <InvoiceCard invoice={invoice} />}
          renderDesktopActions={(invoice) => <InvoiceRowMenu invoice={invoice} className="mr-3" />}
          renderPhoneActions={(invoice) => <InvoiceRowMenu invoice={invoice} className="-ml-3 pr-1" />}
          rowHeight={{ desktop: 56, phone: 104 }}
          sorting={sorting}
          paging={list}
          pagingError={getReadErrorMessage(list.error)}
          total={total}
          isOutdated={list.isPlaceholderData}
        />
      )}
    </ListView>
  );
}

function InvoiceCard({ invoice }: { invoice: InvoiceRow }) {
  return (
    <span className="flex min-w-0 flex-col gap-1 pr-2">
      <span className="flex items-start justify-between gap-3 large-text:flex-wrap">
        <span className={classNames('min-w-0 truncate text-base', isSettled(invoice) ? 'text-ink-2' : 'font-medium text-ink')}>
          {invoice.customer_name}
        </span>
        <span className="shrink-0 text-right text-base">
          <InvoiceAmount invoice={invoice} />
        </span>
      </span>
      <span className="-mt-1 truncate text-sm text-ink-2">
        <span data-name="" className="tabular-nums">
          {invoice.invoice_number}
        </span>
        {` · ${invoice.title}`}
      </span>
      <span className="flex flex-wrap items-center gap-x-2 text-sm text-ink-2 tabular-nums">
        <InvoiceStatusPill invoice={invoice} />
        <span>
          {formatDueDate(invoice)} <InvoiceLateness invoice={invoice} />
        </span>
        {invoice.is_mail_failed ? <MailFailedBadge /> : <NotSentNote invoice={invoice} />}
      </span>
    </span>
  );
}

const provideRowMenuItems =
  (invoice: InvoiceRow): MenuItemProvider =>
  (renderMenu) => <InvoiceRowMenuItems invoice={invoice}>{renderMenu}</InvoiceRowMenuItems>;

function InvoiceRowMenu({ invoice, className }: { invoice: InvoiceRow; className: string }) {
  return (
    <span className={className}>
      <MoreMenu label={`More actions for ${invoice.invoice_number}`} items={provideRowMenuItems(invoice)} />
    </span>
  );
}

function InvoiceRowMenuItems({ invoice, children: renderMenu }: { invoice: InvoiceRow; children: Parameters<MenuItemProvider>[0] }) {
  const { invoice_number: number } = invoice;
  const commands = useInvoiceRowCommands(invoice);
  return renderMenu([
    ...commands,
    { label: 'Download PDF', icon: Download, onSelect: () => downloadFile(buildInvoicePdfUrl(invoice), `${number}.pdf`) },
    { label: 'Copy invoice number', icon: Copy, onSelect: () => void copyInvoiceNumber(number) },
  ]);
}

/** Downloads a file by clicking a temporary link, because menu items can't be links. */
function downloadFile(url: string, name: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
}

const COPY_TOAST_OPTIONS = { subject: 'copy-invoice-number' };

async function copyInvoiceNumber(number: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(number);
    toast.success('Invoice number copied', COPY_TOAST_OPTIONS);
  } catch {
    toast.error(`Your browser blocked copying. The number is ${number}.`, COPY_TOAST_OPTIONS);
  }
}
