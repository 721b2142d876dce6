import { ArrowDown, ArrowUp } from 'lucide-react';
import { type ReactElement, type ReactNode, useCallback, useEffect, useRef } from 'react';
import { Banner } from './banner.tsx';
import { Button } from './button.tsx';
import { Card } from './card.tsx';
import { classes } from './classes.ts';
import { Skeleton } from './skeleton.tsx';
import { DESK_UP, useMediaQuery, WIDE_UP } from './use-browser-state.ts';
import { VirtualList } from './virtual-list.tsx';

export interface Column<Row, Sort extends string = string> {
  label: string;
  /** A track of the grid: '9.5rem', 'minmax(0, 1fr)'. */
  width: string;
  cell: (row: Row) => ReactNode;
  /** The list can be sorted by it, under this name. */
  sort?: Sort;
  /** Shown only where there is room for everything. */
  wideOnly?: boolean;
  className?: string;
}

export interface Sorting<Sort extends string> {
  sort: Sort;
  order: 'asc' | 'desc';
  onSort: (sort: Sort) => void;
}

/** What a paged read knows of the pages that are still to come. */
interface Paging {
  hasNextPage: boolean;
  /** The next page, or the pages that show are being refetched. */
  isFetching: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  fetchNextPage: (options: { cancelRefetch: boolean }) => Promise<unknown>;
}

/** What makes a link a row. */
export interface RowLink {
  'data-row': '';
  className: string;
  style: { gridTemplateColumns?: string };
  children: ReactNode;
}

interface DataTableProps<Row extends { id: string }, Sort extends string> {
  /** Read aloud as the name of the list. */
  label: string;
  rows: readonly Row[];
  columns: readonly Column<Row, Sort>[];
  /** The link that a row is, around its content. */
  renderLink: (row: Row, props: RowLink) => ReactElement;
  /** The content of a row on a phone. */
  renderCard: (row: Row) => ReactNode;
  /** Beside the link: what can be pressed without opening the row. On a desk it is one or two icon buttons. */
  renderDeskAside?: (row: Row) => ReactNode;
  deskAsideButtons?: 1 | 2;
  renderPhoneAside?: (row: Row) => ReactNode;
  /** Pixels at the usual text size. */
  rowHeight: { desk: number; phone: number; narrowDesk?: number };
  sorting?: Sorting<Sort>;
  paging?: Paging;
  /** Why the next page could not be read. */
  pagingError?: string | undefined;
  total?: number | undefined;
  /** The rows answer the search before this one; the new ones are on their way. */
  isOld?: boolean;
  /** Below the header and whatever else stays in place above the table. */
  headTop?: string;
}

const ROW = 'flex h-full min-w-0 flex-1 scroll-mt-36 -outline-offset-2 px-4 large-text:py-4 lg:px-5';
const DESK_ROW = 'grid items-center gap-x-4 xl:gap-x-5';
/** For names: where columns are narrow they take two lines of a row as high as `narrowDesk`. */
export const TWO_LINES = 'lg:line-clamp-2 lg:whitespace-normal lg:[overflow-wrap:anywhere] xl:line-clamp-1';
/** As wide as the buttons beside a row, so that the columns stand below their heads. */
const HEAD_END = { 1: 'pr-17', 2: 'pr-26' };

/** Rows with a sticky head on a desk, cards on a phone; each is a link. Any number of rows, read page by page. */
export function DataTable<Row extends { id: string }, Sort extends string = never>({
  label,
  rows,
  columns,
  renderLink,
  renderCard,
  renderDeskAside,
  deskAsideButtons = 1,
  renderPhoneAside,
  rowHeight,
  sorting,
  paging,
  pagingError,
  total,
  isOld = false,
  headTop = 'top-(--header-height)',
}: DataTableProps<Row, Sort>) {
  const isDesk = useMediaQuery(DESK_UP);
  const isWide = useMediaQuery(WIDE_UP);
  const deskHeight = isWide ? rowHeight.desk : (rowHeight.narrowDesk ?? rowHeight.desk);
  const shown = columns.filter(({ wideOnly }) => isWide || !wideOnly);
  const tracks = { gridTemplateColumns: shown.map(({ width }) => width).join(' ') };
  const { hasNextPage = false, isFetching = false, isFetchingNextPage = false, isFetchNextPageError = false, fetchNextPage } = paging ?? {};
  // A refetch under way comes first: cancelled for the next page, it would leave a colleague's change unseen.
  const fetchMore = useCallback(() => void fetchNextPage?.({ cancelRefetch: false }), [fetchNextPage]);
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetching && !isFetchNextPageError) fetchMore();
  }, [hasNextPage, isFetching, isFetchNextPageError, fetchMore]);
  const renderRow = (index: number) => {
    const row = rows[index];
    if (!row) return null;
    const cells = shown.map((column) => (
      <span key={column.label} className={classes('truncate text-base text-ink-2', column.className)}>
        {column.cell(row)}
      </span>
    ));
    return (
      <div className="flex h-full items-center border-b bg-surface hover:bg-sunken large-text:flex-wrap">
        {renderLink(row, {
          'data-row': '',
          className: classes(ROW, isDesk ? DESK_ROW : 'flex-col justify-center'),
          style: isDesk ? tracks : {},
          children: isDesk ? cells : renderCard(row),
        })}
        {(isDesk ? renderDeskAside : renderPhoneAside)?.(row)}
      </div>
    );
  };
  return (
    <Card className={classes('overflow-clip transition-opacity duration-120', isOld && 'opacity-60')}>
      {isDesk && (
        <div
          style={tracks}
          className={classes(
            'sticky z-10 h-10 border-b bg-surface text-sm font-medium text-ink-3',
            'pl-5',
            renderDeskAside ? HEAD_END[deskAsideButtons] : 'pr-5',
            DESK_ROW,
            headTop,
          )}
        >
          {shown.map((column) => (
            <span key={column.label} className={column.className}>
              <ColumnHead column={column} sorting={sorting} />
            </span>
          ))}
        </div>
      )}
      <VirtualList
        label={label}
        count={rows.length}
        total={total === undefined ? undefined : Math.max(total, rows.length)}
        rowHeight={isDesk ? deskHeight : rowHeight.phone}
        growsWithLargeText={!isDesk}
        rowKey={(index) => rows[index]?.id ?? String(index)}
        renderRow={renderRow}
        onEndNear={loadMore}
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

function ColumnHead<Row, Sort extends string>({ column, sorting }: { column: Column<Row, Sort>; sorting: Sorting<Sort> | undefined }) {
  const { sort, label } = column;
  if (sort === undefined || !sorting) return label;
  return <SortButton label={label} order={sorting.sort === sort ? sorting.order : undefined} onPress={() => sorting.onSort(sort)} />;
}

interface SortButtonProps {
  label: string;
  order: 'asc' | 'desc' | undefined;
  onPress: () => void;
}

/** `order`: the list is sorted by it this way. */
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

/** Long enough to ignore rows that scroll past the pointer. */
const HOVER_MS = 80;

/** Runs when the pointer or the focus stays on an element, to prefetch what a click will need. */
export function useIntent(run: () => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const cancel = () => clearTimeout(timer.current);
  const start = () => {
    cancel();
    timer.current = setTimeout(run, HOVER_MS);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  return { onPointerEnter: start, onPointerLeave: cancel, onFocus: start, onBlur: cancel };
}
