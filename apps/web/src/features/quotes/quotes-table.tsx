import type { QuoteRow, QuoteSort } from '@callout/contract/quotes';
import { formatMoney } from '@callout/domain/money/money-text';
import { formatDate } from '@callout/domain/time/date-format';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Ellipsis, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { centralMessage } from '../../lib/error-messages.ts';
import { MailFailedMark } from '../../lib/mail-failed-mark.tsx';
import { ListView } from '../../lib/query-view.tsx';
import { companyTimeZone } from '../../lib/time-zone.ts';
import { IconButton } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { type Column, DataTable, type RowLink, type Sorting, TWO_LINES, useIntent } from '../../ui/data-table.tsx';
import { Menu } from '../../ui/menu.tsx';
import { useCan, useProfile } from '../company/company.api.ts';
import { loadingRows } from '../customers/loading-rows.ts';
import { DeleteQuoteDialog } from './delete-quote-dialog.tsx';
import { QuoteStatusPill, quoteCustomer, validUntil } from './quote-labels.tsx';
import { type QuoteFilter, quoteOptions, quotesListOptions, useDeleteQuote } from './quotes.api.ts';

const createdOn = ({ created_at: created }: QuoteRow) => formatDate(created, companyTimeZone());

const CREATED: Column<QuoteRow, QuoteSort> = { label: 'Created', width: '7rem', className: 'tabular-nums', cell: createdOn };

const COLUMNS: readonly Column<QuoteRow, QuoteSort>[] = [
  { label: 'Quote title', width: 'minmax(0, 5fr)', sort: 'title', cell: (quote) => <QuoteTitle quote={quote} /> },
  { label: 'Customer', width: 'minmax(0, 4fr)', cell: ({ customer }) => <span className={TWO_LINES}>{quoteCustomer(customer)}</span> },
  { label: 'Status', width: '5.5rem', cell: ({ shown_status: status }) => <QuoteStatusPill status={status} /> },
  { ...CREATED, wideOnly: true },
  {
    label: 'Valid Until',
    width: '6.25rem',
    sort: 'valid_until',
    className: 'tabular-nums',
    cell: ({ valid_until: day }) => validUntil(day),
  },
  {
    label: 'Total',
    width: '6.5rem',
    sort: 'total_amount',
    className: 'text-right tabular-nums',
    cell: (quote) => <Total quote={quote} />,
  },
];

const OF_CUSTOMER = COLUMNS.filter(({ label }) => label !== 'Customer').map((column) =>
  column.label === CREATED.label ? CREATED : column,
);

interface QuotesTableProps {
  filter: QuoteFilter;
  /** Only this customer's. */
  customerId?: string;
  sorting?: Sorting<QuoteSort>;
  total?: number | undefined;
  empty: ReactNode;
  headTop?: string;
}

export function QuotesTable({ filter, customerId, sorting, total, empty, headTop }: QuotesTableProps) {
  const list = useInfiniteQuery(quotesListOptions(customerId === undefined ? filter : { ...filter, customer_id: customerId }));
  const mayDelete = useCan('quotes.delete');
  const [asked, setAsked] = useState<QuoteRow>();
  const [isAsking, setAsking] = useState(false);
  const remove = useDeleteQuote();
  const ask = (quote: QuoteRow) => {
    setAsked(quote);
    setAsking(true);
  };
  const menus = {
    renderDeskAside: (quote: QuoteRow) => <RowMenu quote={quote} onDelete={() => ask(quote)} className="mr-3" />,
    renderPhoneAside: (quote: QuoteRow) => <RowMenu quote={quote} onDelete={() => ask(quote)} className="-ml-3 pr-1" />,
  };
  return (
    <>
      <ListView list={list} loading={loadingRows(customerId)} empty={empty}>
        {(rows) => (
          <DataTable
            label="Quotes"
            rows={rows}
            columns={customerId === undefined ? COLUMNS : OF_CUSTOMER}
            renderLink={(quote, props) => <QuoteLink id={quote.id} {...props} />}
            renderCard={(quote) => <QuoteCard quote={quote} showCustomer={customerId === undefined} />}
            rowHeight={{ desk: 56, phone: 84, narrowDesk: 68 }}
            paging={list}
            pagingError={centralMessage(list.error)}
            total={total}
            isOld={list.isPlaceholderData}
            {...(mayDelete ? menus : {})}
            {...(sorting ? { sorting } : {})}
            {...(headTop ? { headTop } : {})}
          />
        )}
      </ListView>
      {asked && (
        <DeleteQuoteDialog
          name={`${asked.title} (${asked.quote_number})`}
          isAccepted={asked.status === 'accepted'}
          open={isAsking}
          onOpenChange={setAsking}
          busy={remove.isPending}
          onDelete={() => remove.mutateAsync(asked)}
        />
      )}
    </>
  );
}

function RowMenu({ quote, onDelete, className }: { quote: QuoteRow; onDelete: () => void; className: string }) {
  const label = `Actions for ${quote.title}`;
  return (
    <span className={className}>
      <Menu
        label={label}
        trigger={
          <IconButton label={label}>
            <Ellipsis aria-hidden="true" />
          </IconButton>
        }
        items={[{ label: 'Delete', icon: Trash2, tone: 'danger', onSelect: onDelete }]}
      />
    </span>
  );
}

/** Reads the quote ahead while the pointer rests on the row. A guess: when it fails, the page itself asks again and says so. */
function QuoteLink({ id, ...props }: RowLink & { id: string }) {
  const queryClient = useQueryClient();
  const readAhead = useIntent(() => void queryClient.query(quoteOptions(id)).catch(() => undefined));
  return <Link to="/quotes/$id" params={{ id }} {...readAhead} {...props} />;
}

function Total({ quote }: { quote: QuoteRow }) {
  return <span className="font-medium text-ink">{formatMoney(quote.total_amount, useProfile()?.currency)}</span>;
}

function QuoteTitle({ quote, children }: { quote: QuoteRow; children?: ReactNode }) {
  return (
    <span className="block min-w-0">
      <span data-name="" className={classes('block truncate font-medium text-ink', TWO_LINES)}>
        {quote.title}
      </span>
      <span className="flex items-center gap-2 text-sm text-ink-3 tabular-nums">
        {quote.quote_number}
        {children}
        {quote.is_mail_failed && <MailFailedMark />}
      </span>
    </span>
  );
}

function QuoteCard({ quote, showCustomer }: { quote: QuoteRow; showCustomer: boolean }) {
  return (
    <span className="flex flex-wrap items-center gap-x-3">
      <span className="min-w-0 flex-1 basis-28">
        <QuoteTitle quote={quote} />
        <span className="block truncate text-sm text-ink-2">
          {showCustomer
            ? quoteCustomer(quote.customer)
            : `${createdOn(quote)} · ${quote.valid_until ? 'until ' : ''}${validUntil(quote.valid_until)}`}
        </span>
      </span>
      <span className="flex shrink-0 flex-col items-end gap-x-3 gap-y-1.5 large-text:shrink large-text:flex-row large-text:flex-wrap large-text:items-center">
        <QuoteStatusPill status={quote.shown_status} />
        <span className="text-base tabular-nums">
          <Total quote={quote} />
        </span>
      </span>
    </span>
  );
}
