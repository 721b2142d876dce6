import type { InvoiceRow } from '@callout/contract/invoices';
import type { InvoiceSort } from '@callout/domain/invoices/invoice-list';
import { formatAmount } from '@callout/domain/money/money-text';
import { formatCivilDate } from '@callout/domain/time/date-format';
import { localDate } from '@callout/domain/time/zoned-time';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Copy, Download, Ellipsis } from 'lucide-react';
import type { ReactNode } from 'react';
import { centralMessage } from '../../lib/error-messages.ts';
import { MailFailedMark } from '../../lib/mail-failed-mark.tsx';
import { ListView } from '../../lib/query-view.tsx';
import { companyTimeZone } from '../../lib/time-zone.ts';
import { IconButton } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { type Column, DataTable, type Sorting } from '../../ui/data-table.tsx';
import { Menu } from '../../ui/menu.tsx';
import { toast } from '../../ui/toast.ts';
import { daysText, InvoiceStatusPill, invoicePdfUrl, successorText } from './invoice-labels.tsx';

const isCreditNote = ({ kind }: InvoiceRow) => kind === 'credit_note';
/** Nobody waits for money from it any more. */
const isSettled = (invoice: InvoiceRow) => isCreditNote(invoice) || !['due', 'overdue'].includes(invoice.shown_status);

/** 'Oct 5'; with its year when that is not this year's. */
function shortDate(day: string): string {
  const date = formatCivilDate(day);
  const year = localDate(new Date().toISOString(), companyTimeZone()).slice(0, 4);
  return date.endsWith(year) ? date.slice(0, -', yyyy'.length) : date;
}

/** 'Nov 20', or 'Immediately'; nothing for a credit note. */
function dueText(invoice: InvoiceRow): string {
  if (isCreditNote(invoice)) return '';
  return invoice.due_on === null ? 'Immediately' : shortDate(invoice.due_on);
}

/** '36 days late' in red, or how long there is time. */
function Lateness({ invoice: { due_on, late_after, days_late, shown_status } }: { invoice: InvoiceRow }) {
  if (shown_status === 'overdue') return <span className="font-medium text-danger-ink">{daysText(days_late)} late</span>;
  // Without payment terms the printed day is that of the booking, and says nothing about lateness.
  if (shown_status !== 'due' || due_on !== late_after) return null;
  return days_late === 0 ? 'today' : `in ${daysText(-days_late)}`;
}

/** A credit note takes its amount back. Of an invoice that is paid in part it says what is left. */
function Amount({ invoice }: { invoice: InvoiceRow }) {
  const { total_amount: total, paid_amount: paid, balance } = invoice;
  const isNegative = isCreditNote(invoice) && !total.startsWith('-') && Number(total) !== 0;
  const isPartlyPaid = !isSettled(invoice) && Number(paid) > 0;
  return (
    <span className="block tabular-nums">
      <span
        className={classes(
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

function InvoiceNumber({ invoice }: { invoice: InvoiceRow }) {
  return (
    <span className="block min-w-0">
      <span data-name="" className={classes('block truncate font-medium tabular-nums', isSettled(invoice) ? 'text-ink-2' : 'text-ink')}>
        {invoice.invoice_number}
      </span>
      {invoice.is_mail_failed && (
        <span className="block text-sm">
          <MailFailedMark />
        </span>
      )}
    </span>
  );
}

const COLUMNS: readonly Column<InvoiceRow, InvoiceSort>[] = [
  { label: 'Invoice', width: '8.5rem', sort: 'invoice_number', cell: (invoice) => <InvoiceNumber invoice={invoice} /> },
  {
    label: 'Customer',
    width: 'minmax(0, 3fr)',
    sort: 'customer',
    cell: (invoice) => (
      <span className={classes('line-clamp-2 whitespace-normal [overflow-wrap:anywhere]', !isSettled(invoice) && 'text-ink')}>
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
        <span className={classes('block truncate', !isSettled(invoice) && 'text-ink')}>{invoice.title}</span>
        {/* Where there is no room for both, the number of the job is cut. */}
        <span className="block truncate text-sm text-ink-3 tabular-nums">
          {[successorText(invoice), `#${invoice.job_number}`].filter(Boolean).join(' · ')}
        </span>
      </span>
    ),
  },
  { label: 'Sent', width: '6rem', className: 'tabular-nums', wideOnly: true, cell: ({ issued_on: day }) => shortDate(day) },
  {
    label: 'Due',
    width: '7rem',
    sort: 'late_after',
    className: 'tabular-nums',
    cell: (invoice) => (
      <>
        <span className="block">{dueText(invoice)}</span>
        <span className="block text-sm">
          <Lateness invoice={invoice} />
        </span>
      </>
    ),
  },
  { label: 'Status', width: '6rem', cell: (invoice) => <InvoiceStatusPill invoice={invoice} /> },
  { label: 'Amount', width: '6.5rem', sort: 'total_amount', className: 'text-right', cell: (invoice) => <Amount invoice={invoice} /> },
];

interface InvoiceListTableProps {
  list: UseInfiniteQueryResult<InfiniteData<{ rows: InvoiceRow[]; next_cursor: string | null }>>;
  sorting: Sorting<InvoiceSort>;
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
          renderDeskAside={(invoice) => <RowMenu invoice={invoice} className="mr-3" />}
          renderPhoneAside={(invoice) => <RowMenu invoice={invoice} className="-ml-3 pr-1" />}
          rowHeight={{ desk: 56, phone: 104 }}
          sorting={sorting}
          paging={list}
          pagingError={centralMessage(list.error)}
          total={total}
          isOld={list.isPlaceholderData}
        />
      )}
    </ListView>
  );
}

function InvoiceCard({ invoice }: { invoice: InvoiceRow }) {
  return (
    <span className="flex min-w-0 flex-col gap-1 pr-2">
      <span className="flex items-start justify-between gap-3 large-text:flex-wrap">
        <span className={classes('min-w-0 truncate text-base', isSettled(invoice) ? 'text-ink-2' : 'font-medium text-ink')}>
          {invoice.customer_name}
        </span>
        <span className="shrink-0 text-right text-base">
          <Amount invoice={invoice} />
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
          {dueText(invoice)} <Lateness invoice={invoice} />
        </span>
        {invoice.is_mail_failed && <MailFailedMark />}
      </span>
    </span>
  );
}

function RowMenu({ invoice, className }: { invoice: InvoiceRow; className: string }) {
  const { invoice_number: number } = invoice;
  const label = `More actions for ${number}`;
  return (
    <span className={className}>
      <Menu
        label={label}
        trigger={
          <IconButton label={label}>
            <Ellipsis aria-hidden="true" />
          </IconButton>
        }
        items={[
          { label: 'Download PDF', icon: Download, onSelect: () => downloadFile(invoicePdfUrl(invoice), `${number}.pdf`) },
          { label: 'Copy invoice number', icon: Copy, onSelect: () => void copyNumber(number) },
        ]}
      />
    </span>
  );
}

/** As a link with `download` does; a menu has no links. */
function downloadFile(url: string, name: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
}

const COPY = { subject: 'copy-invoice-number' };

async function copyNumber(number: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(number);
    toast.success('Invoice number copied', COPY);
  } catch {
    toast.error(`Your browser blocked copying. The number is ${number}.`, COPY);
  }
}
