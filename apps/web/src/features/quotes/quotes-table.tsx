import type { QuoteRow, QuoteSort } from '@callout/contract/quotes';
import { formatMoney } from '@callout/domain/money/money-format';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { DisplayDate } from '../../lib/display-date.tsx';
import { getReadErrorMessage } from '../../lib/error-messages.ts';
import { MailFailedBadge } from '../../lib/mail-failed-badge.tsx';
import { ListView } from '../../lib/query-view.tsx';
import { classNames } from '../../ui/class-names.ts';
import {
  DataTable,
  type RowLinkProps,
  type TableColumn,
  type TableSorting,
  TWO_LINE_CELL_CLASSES,
  useHoverIntent,
} from '../../ui/data-table.tsx';
import { MoreMenu } from '../../ui/menu.tsx';
import { useCan } from '../company/company.api.ts';
import { getSkeletonRowsProps } from '../customers/skeleton-rows.ts';
import { DeleteQuoteDialog } from './delete-quote-dialog.tsx';
import { formatQuoteCustomer, formatValidUntil, QuoteStatusPill } from './quote-labels.tsx';
import { type QuoteFilter, quoteListQueryOptions, quoteQueryOptions, useDeleteQuote } from './quotes.api.ts';

type QuoteColumn = TableColumn<QuoteRow, QuoteSort>;
const CREATED_COLUMN: QuoteColumn = {
  label: 'Created',
  width: '7rem',
  className: 'tabular-nums',
  cell: ({ created_at: created }) => <DisplayDate instant={created} />,
};

const COLUMNS: readonly QuoteColumn[] = [
  { label: 'Quote title', width: 'minmax(0, 5fr)', sort: 'title', cell: (quote) => <QuoteTitle quote={quote} /> },
  {
    label: 'Customer',
    width: 'minmax(0, 4fr)',
    cell: ({ customer }) => <span className={TWO_LINE_CELL_CLASSES}>{formatQuoteCustomer(customer)}</span>,
  },
  { label: 'Status', width: '5.5rem', cell: ({ shown_status: status }) => <QuoteStatusPill status={status} /> },
  { ...CREATED_COLUMN, wideOnly: true },
  {
    label: 'Valid Until',
    width: '6.25rem',
    sort: 'valid_until',
    className: 'tabular-nums',
    cell: ({ valid_until: day }) => formatValidUntil(day),
  },
  {
    label: 'Total',
    width: '6.5rem',
    sort: 'total_amount',
    className: 'text-right tabular-nums',
    cell: (quote) => <QuoteTotal quote={quote} />,
  },
];

const CUSTOMER_PAGE_COLUMNS = COLUMNS.filter(({ label }) => label !== 'Customer').map((column) =>
  column.label === CREATED_COLUMN.label ? CREATED_COLUMN : column,
);

interface QuotesTableProps {
  filter: QuoteFilter;
  customerId?: string;
  sorting?: TableSorting<QuoteSort>;
  total?: number | undefined;
  empty: ReactNode;
  stickyTopClass?: string;
}

export function QuotesTable({ filter, customerId, sorting, total, empty, stickyTopClass }: QuotesTableProps) {
  const list = useInfiniteQuery(quoteListQueryOptions(customerId === undefined ? filter : { ...filter, customer_id: customerId }));
  const canDelete = useCan('quotes.delete');
  const [quoteToDelete, setQuoteToDelete] = useState<QuoteRow>();
  const [isDeleteDialogOpen, setDeleteDialogOpen] = useState(false);
  const remove = useDeleteQuote();
  const openDeleteDialog = (quote: QuoteRow) => {
    setQuoteToDelete(quote);
    setDeleteDialogOpen(true);
  };
  const menus = {
    renderDesktopActions: (quote: QuoteRow) => <QuoteRowMenu quote={quote} onDelete={() => openDeleteDialog(quote)} className="mr-3" />,
    renderPhoneActions: (quote: QuoteRow) => <QuoteRowMenu quote={quote} onDelete={() => openDeleteDialog(quote)} className="-ml-3 pr-1" />,
  };
  return (
    <>
      <ListView list={list} loading={getSkeletonRowsProps(customerId)} empty={empty}>
        {(rows) => (
          <DataTable
            label="Quotes"
            rows={rows}
            columns={customerId === undefined ? COLUMNS : CUSTOMER_PAGE_COLUMNS}
            renderLink={(quote, props) => <QuoteLink id={quote.id} {...props} />}
            renderCard={(quote) => <QuoteCard quote={quote} showCustomer={customerId === undefined} />}
            rowHeight={{ desktop: 56, phone: 84, narrowDesktop: 68 }}
            paging={list}
            pagingError={getReadErrorMessage(list.error)}
            total={total}
            isOutdated={list.isPlaceholderData}
            {...(canDelete ? menus : {})}
            {...(sorting ? { sorting } : {})}
            {...(stickyTopClass ? { stickyTopClass } : {})}
          />
        )}
      </ListView>
      {quoteToDelete && (
        <DeleteQuoteDialog
          name={`${quoteToDelete.title} (${quoteToDelete.quote_number})`}
          isAccepted={quoteToDelete.status === 'accepted'}
          open={isDeleteDialogOpen}
          onOpenChange={setDeleteDialogOpen}
          busy={remove.isPending}
          onDelete={() => remove.mutateAsync(quoteToDelete)}
        />
      )}
    </>
  );
}

function QuoteRowMenu({ quote, onDelete, className }: { quote: QuoteRow; onDelete: () => void; className: string }) {
  const label = `Actions for ${quote.title}`;
  return (
    <span className={className}>
      <MoreMenu label={label} items={[{ label: 'Delete', icon: Trash2, tone: 'danger', onSelect: onDelete }]} />
    </span>
  );
}

/** Prefetches the quote on hover. Errors are ignored, because the quote page requests the quote again and reports them. */
function QuoteLink({ id, ...props }: RowLinkProps & { id: string }) {
  const queryClient = useQueryClient();
  const hoverProps = useHoverIntent(() => void queryClient.query(quoteQueryOptions(id)).catch(() => undefined));
  return <Link to="/quotes/$id" params={{ id }} {...hoverProps} {...props} />;
}

function QuoteTotal({ quote }: { quote: QuoteRow }) {
  return <span className="font-medium text-ink">{formatMoney(quote.total_amount, quote.currency)}</span>;
}

function QuoteTitle({ quote, children }: { quote: QuoteRow; children?: ReactNode }) {
  return (
    <span className="block min-w-0">
      <span data-name="" className={classNames('block truncate font-medium text-ink', TWO_LINE_CELL_CLASSES)}>
        {quote.title}
      </span>
      <span className="flex items-center gap-2 text-sm text-ink-3 tabular-nums">
        {quote.quote_number}
        {children}
        {quote.is_mail_failed && <MailFailedBadge />}
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
          {showCustomer ? (
            formatQuoteCustomer(quote.customer)
          ) : (
            <>
              <DisplayDate instant={quote.created_at} />
              {` · ${quote.valid_until ? 'until ' : ''}${formatValidUntil(quote.valid_until)}`}
            </>
          )}
        </span>
      </span>
      <span className="flex shrink-0 flex-col items-end gap-x-3 gap-y-1.5 large-text:shrink large-text:flex-row large-text:flex-wrap large-text:items-center">
        <QuoteStatusPill status={quote.shown_status} />
        <span className="text-base tabular-nums">
          <QuoteTotal quote={quote} />
        </span>
      </span>
    </span>
  );
}
