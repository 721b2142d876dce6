import type { CustomerRow } from '@callout/contract/customers';
import { type KeyboardEvent, useCallback } from 'react';
import { centralMessage } from '../../lib/error-messages.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { DESK_UP, useMediaQuery } from '../../ui/use-media-query.ts';
import { VirtualList } from '../../ui/virtual-list.tsx';
import { CustomerListRow, CustomerRowSkeleton } from './customer-row.tsx';

const DESK_ROW = 48;
const PHONE_ROW = 88;

interface CustomersRowsProps {
  rows: CustomerRow[];
  total: number | undefined;
  list: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    isFetchNextPageError: boolean;
    error: Error | null;
    fetchNextPage: () => Promise<unknown>;
  };
}

export function CustomersRows({ rows, total, list }: CustomersRowsProps) {
  const desk = useMediaQuery(DESK_UP);
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list;
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);
  return (
    // The arrow keys are a shortcut beside Tab, which reaches every row as well.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div onKeyDown={moveFocus}>
      <VirtualList
        label="Customers"
        count={rows.length}
        {...(total === undefined ? {} : { total: Math.max(total, rows.length) })}
        rowHeight={desk ? DESK_ROW : PHONE_ROW}
        rowKey={(index) => rows[index]?.id ?? String(index)}
        renderRow={(index) => {
          const customer = rows[index];
          return customer && <CustomerListRow customer={customer} />;
        }}
        onEndNear={loadMore}
      />
      {isFetchingNextPage && <CustomerRowSkeleton />}
      {isFetchNextPageError && (
        <Banner tone="danger" className="m-3" actions={<Button onClick={() => void fetchNextPage()}>Retry</Button>}>
          {centralMessage(list.error)}
        </Banner>
      )}
    </div>
  );
}

/** Up and down walk the rows, as in a mail program; Enter opens the one that has the focus because it is a link. */
function moveFocus(event: KeyboardEvent<HTMLDivElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0 || !(event.target instanceof HTMLElement)) return;
  const item = event.target.closest('li');
  const position = Number(item?.getAttribute('aria-posinset'));
  const next = event.currentTarget.querySelector<HTMLElement>(`li[aria-posinset="${position + step}"] a[data-row]`);
  if (!next) return;
  event.preventDefault();
  next.focus();
}
