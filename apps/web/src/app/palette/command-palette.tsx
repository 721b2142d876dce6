import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { useCan, useProfile } from '../../features/company/company.api.ts';
import { customerListQueryOptions } from '../../features/customers/customers.api.ts';
import { invoicesListQueryOptions } from '../../features/invoices/invoices-list.api.ts';
import { jobSearchQueryOptions } from '../../features/jobs/jobs.api.ts';
import { quoteSearchQueryOptions } from '../../features/quotes/quotes.api.ts';
import { itemSearchQueryOptions } from '../../features/suppliers/suppliers-item-search.api.ts';
import { getReadErrorMessage } from '../../lib/error-messages.ts';
import { NO_CONNECTION_MESSAGE } from '../../lib/request.ts';
import { Button, Spinner } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { useDebouncedValue } from '../../ui/debounced-search-field.tsx';
import { useCloseOnBack } from '../../ui/use-close-on-back.ts';
import { useMenu } from '../menu.ts';
import { buildPaletteGroups, type PaletteGroup, type PaletteItem, recordMatchers, type SearchResults } from './palette-items.ts';

const MAX_RESULTS = 6;
const MIN_TERM_LENGTH = 2;
const SEARCH_DEBOUNCE_MS = 150;

/** Dialog that opens pages, finds records and creates new records. Its code loads when the palette first opens. */
export function CommandPalette({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  useCloseOnBack(open, () => onOpenChange(false));
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-60 bg-scrim transition-opacity duration-120 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Dialog.Popup
          aria-label="Search or go to"
          className="fixed inset-x-3 top-[calc(var(--top-bar-height)+env(safe-area-inset-top)+0.5rem)] z-60 mx-auto flex max-h-[min(32rem,80dvh)] max-w-xl flex-col overflow-clip rounded-card bg-raised shadow-float transition duration-120 data-ending-style:scale-98 data-ending-style:opacity-0 data-starting-style:scale-98 data-starting-style:opacity-0 md:top-[max(12vh,var(--top-bar-height)+0.5rem)]"
        >
          <PaletteBody onClose={() => onOpenChange(false)} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/**
 * Sends all searches in parallel when typing pauses. Enter opens the first result, so until the new results arrive, only previous results
 * that still match the term are shown.
 */
function useRecordSearch(typed: string): { found: SearchResults; isSearching: boolean; errorText: string | undefined; retry: () => void } {
  const term = typed.trim();
  const search = useDebouncedValue(term, SEARCH_DEBOUNCE_MS);
  const canViewRecords = useCan('work.view');
  const enabled = canViewRecords && search.length >= MIN_TERM_LENGTH;
  const canViewInvoices = useCan('payments.manage');
  const customerQuery = useInfiniteQuery({ ...customerListQueryOptions({ search, sort: 'name', order: 'asc' }), enabled });
  const jobQuery = useQuery({ ...jobSearchQueryOptions(search), enabled });
  const quoteQuery = useQuery({ ...quoteSearchQueryOptions(search), enabled });
  const invoiceQuery = useInfiniteQuery({ ...invoicesListQueryOptions(buildInvoiceSearch(search)), enabled: enabled && canViewInvoices });
  const itemQuery = useInfiniteQuery({ ...itemSearchQueryOptions(search), enabled });
  const isStale = search !== term;
  const customers = useVisibleRows(
    term,
    customerQuery.data?.pages[0]?.rows,
    isStale || customerQuery.isPlaceholderData,
    recordMatchers.customer,
  );
  const jobs = useVisibleRows(term, jobQuery.data?.rows, isStale || jobQuery.isPlaceholderData, recordMatchers.job);
  const quotes = useVisibleRows(term, quoteQuery.data?.rows, isStale || quoteQuery.isPlaceholderData, recordMatchers.quote);
  const invoices = useVisibleRows(
    term,
    invoiceQuery.data?.pages[0]?.rows,
    isStale || invoiceQuery.isPlaceholderData,
    recordMatchers.invoice,
  );
  const items = useVisibleRows(term, itemQuery.data?.pages[0]?.rows, isStale || itemQuery.isPlaceholderData, recordMatchers.item);
  const found = useMemo(() => ({ customers, jobs, quotes, invoices, items }), [customers, jobs, quotes, invoices, items]);
  const isSearchable = canViewRecords && term.length >= MIN_TERM_LENGTH;
  const queries = [customerQuery, jobQuery, quoteQuery, invoiceQuery, itemQuery];
  const isSearching = isSearchable && (isStale || queries.some(({ isFetching }) => isFetching));
  const failed = queries.filter(({ error, fetchStatus }) => error || fetchStatus === 'paused');
  const errorText = isSearchable && !isSearching && failed[0] ? formatSearchError(failed[0].error) : undefined;
  return { found, isSearching, errorText, retry: () => failed.forEach(({ refetch }) => void refetch()) };
}

const formatSearchError = (error: Error | null) => (error ? getReadErrorMessage(error) : NO_CONNECTION_MESSAGE);

const buildInvoiceSearch = (search: string) => ({ search: search.replace(/^#/, ''), sort: 'invoice_number', order: 'desc' }) as const;

function useVisibleRows<Row>(
  term: string,
  rows: readonly Row[] | undefined,
  isStale: boolean,
  matches: (row: Row, term: string) => boolean,
): readonly Row[] {
  return useMemo(
    () => (term.length >= MIN_TERM_LENGTH ? (rows ?? []).filter((row) => !isStale || matches(row, term)).slice(0, MAX_RESULTS) : []),
    [term, rows, isStale, matches],
  );
}

function PaletteBody({ onClose }: { onClose: () => void }) {
  const router = useRouter();
  const menu = useMenu();
  const role = useProfile()?.role;
  const [term, setTerm] = useState('');
  const { found, isSearching, errorText, retry } = useRecordSearch(term);
  const groups = useMemo(() => buildPaletteGroups({ term, menu, role, found }), [term, menu, role, found]);
  const openItem = (item: PaletteItem) => {
    onClose();
    router.history.push(item.href);
  };
  /** The term for which Enter was pressed before any result arrived. Once results arrive, the first one opens automatically. */
  const pendingEnterTerm = useRef<string>(undefined);
  const openFirst = useEffectEvent(() => {
    if (pendingEnterTerm.current !== term) return;
    pendingEnterTerm.current = undefined;
    const first = groups[0]?.items[0];
    if (first) openItem(first);
  });
  useEffect(() => {
    if (!isSearching) openFirst();
  }, [isSearching]);
  return (
    <Autocomplete.Root
      inline
      open
      items={groups}
      filter={null}
      autoHighlight="always"
      keepHighlight
      value={term}
      onValueChange={setTerm}
      itemToStringValue={(item: PaletteItem) => item.label}
    >
      <div className="flex items-center gap-3 border-b px-4">
        {isSearching ? <Spinner className="text-ink-3" /> : <Search aria-hidden="true" className="size-4 text-ink-3" />}
        <Autocomplete.Input
          aria-label="Search or go to"
          onKeyDown={(event) => {
            if (event.key === 'Enter' && groups.length === 0) pendingEnterTerm.current = term;
          }}
          placeholder={role === undefined ? 'Go to…' : 'Find customers, jobs, quotes, invoices, items…'}
          className="h-13 min-w-0 flex-1 bg-transparent text-lg outline-none"
        />
      </div>
      <Autocomplete.Empty className="px-4 text-base text-ink-3 not-empty:py-8">
        {isSearching ? 'Searching…' : errorText === undefined && 'No results. Try a different search.'}
      </Autocomplete.Empty>
      {errorText !== undefined && (
        <div role="alert" className="flex flex-wrap items-center justify-between gap-3 px-4 py-3 text-base text-ink-2">
          <p className="min-w-0 flex-1 basis-56">{errorText}</p>
          <Button onClick={retry}>Retry</Button>
        </div>
      )}
      <Autocomplete.List className="overflow-y-auto overscroll-contain p-2 empty:hidden">
        {(group: PaletteGroup) => (
          <Autocomplete.Group key={group.value} items={group.items} className="pb-1">
            <Autocomplete.GroupLabel className="px-3 py-1.5 text-xs font-medium text-ink-3">{group.value}</Autocomplete.GroupLabel>
            <Autocomplete.Collection>
              {(item: PaletteItem) => <PaletteRow key={item.id} item={item} onOpen={openItem} />}
            </Autocomplete.Collection>
          </Autocomplete.Group>
        )}
      </Autocomplete.List>
    </Autocomplete.Root>
  );
}

function PaletteRow({ item, onOpen }: { item: PaletteItem; onOpen: (item: PaletteItem) => void }) {
  const { icon: Icon } = item;
  return (
    <Autocomplete.Item
      value={item}
      onClick={() => onOpen(item)}
      className="flex min-h-11 cursor-pointer items-center gap-3 rounded-control px-3 text-base outline-none select-none data-highlighted:bg-accent-soft data-highlighted:text-accent-ink lg:min-h-9"
    >
      <Icon aria-hidden="true" className="size-4 shrink-0 opacity-70" />
      <span className="min-w-0 py-1">
        <span className="flex items-baseline gap-3">
          <span className={classNames('truncate font-medium', item.detail && 'max-w-2/3 shrink-0')}>{item.label}</span>
          {item.detail && <span className="truncate text-sm opacity-75">{item.detail}</span>}
        </span>
        {item.matchReason && <span className="block truncate text-sm opacity-75">{item.matchReason}</span>}
      </span>
    </Autocomplete.Item>
  );
}
