import { ArrowDown, ArrowUp } from 'lucide-react';
import { type ReactElement, type ReactNode, useCallback, useEffect, useRef } from 'react';
import { Banner } from './banner.tsx';
import { Button } from './button.tsx';
import { Card } from './card.tsx';
import { classNames } from './class-names.ts';
import { Skeleton } from './skeleton.tsx';
import { DESKTOP_UP, useMediaQuery, WIDE_DESKTOP_UP } from './use-browser-state.ts';
import { VirtualList } from './virtual-list.tsx';

export interface TableColumn<Row, Sort extends string = string> {
  label: string;
  /** Grid track size, e.g. '9.5rem' or 'minmax(0, 1fr)'. */
  width: string;
  cell: (row: Row) => ReactNode;
  /** Sort key. A column without one can't be sorted. */
  sort?: Sort;
  /** Displayed only on wide desktops. */
  wideOnly?: boolean;
  className?: string;
}

export interface TableSorting<Sort extends string> {
  sort: Sort;
  order: 'asc' | 'desc';
  onSort: (sort: Sort) => void;
}

/** The part of a paged query that the table needs to load more pages. */
interface TablePaging {
  hasNextPage: boolean;
  /** True while the next page is loading or the loaded pages are being refetched. */
  isFetching: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  fetchNextPage: (options: { cancelRefetch: boolean }) => Promise<unknown>;
}

/** Props that turn a link into a table row. */
export interface RowLinkProps {
  'data-row': '';
  className: string;
  style: { gridTemplateColumns?: string };
  children: ReactNode;
}

interface DataTableProps<Row extends { id: string }, Sort extends string> {
  label: string;
  rows: readonly Row[];
  columns: readonly TableColumn<Row, Sort>[];
  /** Renders a link around the row's content. */
  renderLink: (row: Row, props: RowLinkProps) => ReactElement;
  /** Renders a row's content on phones. */
  renderCard: (row: Row) => ReactNode;
  /** Renders one or two icon buttons beside the row's link on desktop. */
  renderDesktopActions?: (row: Row) => ReactNode;
  desktopActionCount?: 1 | 2;
  renderPhoneActions?: (row: Row) => ReactNode;
  /** In pixels at the default text size. */
  rowHeight: { desktop: number; phone: number; narrowDesktop?: number };
  sorting?: TableSorting<Sort>;
  paging?: TablePaging;
  /** Displayed when the next page fails to load. */
  pagingError?: string | undefined;
  /** Number of rows, including pages that are not loaded yet. Undefined if it isn't known exactly. */
  total?: number | undefined;
  /** True while the rows still belong to the previous search. */
  isOutdated?: boolean;
  /** Offset class that keeps the sticky header below the bars above the table. */
  stickyTopClass?: string;
}

const ROW_CLASSES = 'flex h-full min-w-0 flex-1 scroll-mt-36 -outline-offset-2 px-4 large-text:py-4 lg:px-5';
const DESKTOP_ROW_CLASSES = 'grid items-center gap-x-4 xl:gap-x-5';
/** Wraps names in narrow columns to two lines, so the rows need the `narrowDesktop` height. */
export const TWO_LINE_CELL_CLASSES = 'lg:line-clamp-2 lg:whitespace-normal lg:[overflow-wrap:anywhere] xl:line-clamp-1';
/** Matches the width of the buttons beside a row, so that the headers align with their columns. */
const HEADER_END_PADDING = { 1: 'pr-17', 2: 'pr-26' };

/** Shows rows with a sticky header on desktop and cards on phones, each one a link. Loads more pages while scrolling. */
export function DataTable<Row extends { id: string }, Sort extends string = never>({
  label,
  rows,
  columns,
  renderLink,
  renderCard,
  renderDesktopActions,
  desktopActionCount = 1,
  renderPhoneActions,
  rowHeight,
  sorting,
  paging,
  pagingError,
  total,
  isOutdated = false,
  stickyTopClass = 'top-(--header-height)',
}: DataTableProps<Row, Sort>) {
  const isDesktop = useMediaQuery(DESKTOP_UP);
  const isWide = useMediaQuery(WIDE_DESKTOP_UP);
  const desktopRowHeight = isWide ? rowHeight.desktop : (rowHeight.narrowDesktop ?? rowHeight.desktop);
  const visibleColumns = columns.filter(({ wideOnly }) => isWide || !wideOnly);
  const tracks = { gridTemplateColumns: visibleColumns.map(({ width }) => width).join(' ') };
  const { hasNextPage = false, isFetching = false, isFetchingNextPage = false, isFetchNextPageError = false, fetchNextPage } = paging ?? {};
  // Loading the next page must not cancel a refetch in progress, which may contain a colleague's change.
  const fetchMore = useCallback(() => void fetchNextPage?.({ cancelRefetch: false }), [fetchNextPage]);
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetching && !isFetchNextPageError) fetchMore();
  }, [hasNextPage, isFetching, isFetchNextPageError, fetchMore]);
  const renderRow = (index: number) => {
    const row = rows[index];
    if (!row) return null;
    const cells = visibleColumns.map((column) => (
      <span key={column.label} className={classNames('truncate text-base text-ink-2', column.className)}>
        {column.cell(row)}
      </span>
    ));
    return (
      <div className="flex h-full items-center border-b bg-surface hover:bg-sunken large-text:flex-wrap">
        {renderLink(row, {
          'data-row': '',
          className: classNames(ROW_CLASSES, isDesktop ? DESKTOP_ROW_CLASSES : 'flex-col justify-center'),
          style: isDesktop ? tracks : {},
          children: isDesktop ? cells : renderCard(row),
        })}
        {(isDesktop ? renderDesktopActions : renderPhoneActions)?.(row)}
      </div>
    );
  };
  return (
    <Card className={classNames('overflow-clip transition-opacity duration-120', isOutdated && 'opacity-60')}>
      {isDesktop && (
        <div
          style={tracks}
          className={classNames(
            'sticky z-10 h-10 border-b bg-surface text-sm font-medium text-ink-3',
            'pl-5',
            renderDesktopActions ? HEADER_END_PADDING[desktopActionCount] : 'pr-5',
            DESKTOP_ROW_CLASSES,
            stickyTopClass,
          )}
        >
          {visibleColumns.map((column) => (
            <span key={column.label} className={column.className}>
              <ColumnHeader column={column} sorting={sorting} />
            </span>
          ))}
        </div>
      )}
      <VirtualList
        label={label}
        count={rows.length}
        total={hasNextPage ? total && Math.max(total, rows.length) : rows.length}
        rowHeight={isDesktop ? desktopRowHeight : rowHeight.phone}
        growsWithLargeText={!isDesktop}
        rowKey={(index) => rows[index]?.id ?? String(index)}
        renderRow={renderRow}
        onNearEnd={loadMore}
      />
      {isFetchingNextPage && (
        <div className="flex h-12 items-center px-5">
          <Skeleton className="h-4 w-1/4" />
        </div>
      )}
      {isFetchNextPageError && (
        <Banner tone="danger" className="m-3" actions={<Button onClick={fetchMore}>Retry</Button>}>
          {pagingError}
        </Banner>
      )}
    </Card>
  );
}

function ColumnHeader<R, S extends string>({ column, sorting }: { column: TableColumn<R, S>; sorting: TableSorting<S> | undefined }) {
  const { sort, label } = column;
  if (sort === undefined || !sorting) return label;
  return <SortButton label={label} order={sorting.sort === sort ? sorting.order : undefined} onPress={() => sorting.onSort(sort)} />;
}

interface SortButtonProps {
  label: string;
  order: 'asc' | 'desc' | undefined;
  onPress: () => void;
}

/** `order` is undefined unless the table is sorted by this column. */
function SortButton({ label, order, onPress }: SortButtonProps) {
  const Arrow = order === 'desc' ? ArrowDown : ArrowUp;
  return (
    <button
      type="button"
      onClick={onPress}
      aria-pressed={order !== undefined}
      className="-mx-1.5 inline-flex items-center gap-1 justify-self-start rounded px-1.5 py-1 text-left whitespace-nowrap hover:text-ink aria-pressed:text-ink"
    >
      <span className="sr-only">Sort by </span>
      {label}
      {order && (
        <>
          <Arrow aria-hidden="true" className="size-3.5" />
          <span className="sr-only">{order === 'asc' ? ', ascending' : ', descending'}</span>
        </>
      )}
    </button>
  );
}

/** Long enough to ignore rows that scroll past under the pointer. */
const HOVER_INTENT_DELAY_MS = 80;

/** Calls `run`, usually a prefetch, once the pointer or the focus has rested on an element. */
export function useHoverIntent(run: () => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const cancel = () => clearTimeout(timer.current);
  const start = () => {
    cancel();
    timer.current = setTimeout(run, HOVER_INTENT_DELAY_MS);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  return { onPointerEnter: start, onPointerLeave: cancel, onFocus: start, onBlur: cancel };
}
