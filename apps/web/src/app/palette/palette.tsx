import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { useCan, useProfile } from '../../features/company/company.api.ts';
import { customersListOptions } from '../../features/customers/customers.api.ts';
import { invoicesListOptions } from '../../features/invoices/invoices-list.api.ts';
import { foundJobsOptions } from '../../features/jobs/jobs.api.ts';
import { foundQuotesOptions } from '../../features/quotes/quotes.api.ts';
import { itemSearchOptions } from '../../features/suppliers/suppliers-item-search.api.ts';
import { centralMessage } from '../../lib/error-messages.ts';
import { NO_CONNECTION } from '../../lib/request.ts';
import { Button, Spinner } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { useDebounced } from '../../ui/debounced-search-field.tsx';
import { useBackCloses } from '../../ui/use-back-closes.ts';
import { useMenu } from '../menu.ts';
import { type FoundRecords, type PaletteGroup, type PaletteItem, paletteGroups, stillMatches } from './palette-items.ts';

const MAX_FOUND = 6;
const MIN_LENGTH = 2;
const DEBOUNCE_MS = 150;

/** The command palette: go to a page, find a record, create something. Loaded when it first opens. */
export function Palette({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  useBackCloses(open, () => onOpenChange(false));
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-60 bg-scrim transition-opacity duration-120 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Dialog.Popup
          aria-label="Search or go to"
          className="fixed inset-x-3 top-3 z-60 mx-auto flex max-h-[min(32rem,80dvh)] max-w-xl flex-col overflow-clip rounded-card bg-raised shadow-float transition duration-120 data-ending-style:scale-98 data-ending-style:opacity-0 data-starting-style:scale-98 data-starting-style:opacity-0 md:top-[12vh]"
        >
          <PaletteBody onDone={() => onOpenChange(false)} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/**
 * One round of calls at once when typing pauses. Until the results for the term are there, only those of the previous term that match it
 * too: Enter opens what it shows.
 */
function useFoundRecords(typed: string): { found: FoundRecords; isSearching: boolean; problem: string | undefined; retry: () => void } {
  const term = typed.trim();
  const search = useDebounced(term, DEBOUNCE_MS);
  const seesRecords = useCan('work.view');
  const enabled = seesRecords && search.length >= MIN_LENGTH;
  const seesInvoices = useCan('payments.manage');
  const people = useInfiniteQuery({ ...customersListOptions({ search, sort: 'name', order: 'asc' }), enabled });
  const work = useQuery({ ...foundJobsOptions(search), enabled });
  const offers = useQuery({ ...foundQuotesOptions(search), enabled });
  const bills = useInfiniteQuery({ ...invoicesListOptions(invoiceSearch(search)), enabled: enabled && seesInvoices });
  const prices = useInfiniteQuery({ ...itemSearchOptions(search), enabled });
  const isOld = search !== term;
  const customers = useShownRows(term, people.data?.pages[0]?.rows, isOld || people.isPlaceholderData, stillMatches.customer);
  const jobs = useShownRows(term, work.data?.rows, isOld || work.isPlaceholderData, stillMatches.job);
  const quotes = useShownRows(term, offers.data?.rows, isOld || offers.isPlaceholderData, stillMatches.quote);
  const invoices = useShownRows(term, bills.data?.pages[0]?.rows, isOld || bills.isPlaceholderData, stillMatches.invoice);
  const items = useShownRows(term, prices.data?.pages[0]?.rows, isOld || prices.isPlaceholderData, stillMatches.item);
  const found = useMemo(() => ({ customers, jobs, quotes, invoices, items }), [customers, jobs, quotes, invoices, items]);
  const isLong = seesRecords && term.length >= MIN_LENGTH;
  const queries = [people, work, offers, bills, prices];
  const isSearching = isLong && (isOld || queries.some(({ isFetching }) => isFetching));
  const failed = queries.filter(({ error, fetchStatus }) => error || fetchStatus === 'paused');
  const problem = isLong && !isSearching && failed[0] ? (failed[0].error ? centralMessage(failed[0].error) : NO_CONNECTION) : undefined;
  return { found, isSearching, problem, retry: () => failed.forEach(({ refetch }) => void refetch()) };
}

/** The newest first. */
const invoiceSearch = (search: string) => ({ search: search.replace(/^#/, ''), sort: 'invoice_number', order: 'desc' }) as const;

function useShownRows<Row>(
  term: string,
  rows: readonly Row[] | undefined,
  isOld: boolean,
  matches: (row: Row, term: string) => boolean,
): readonly Row[] {
  return useMemo(
    () => (term.length >= MIN_LENGTH ? (rows ?? []).filter((row) => !isOld || matches(row, term)).slice(0, MAX_FOUND) : []),
    [term, rows, isOld, matches],
  );
}

function PaletteBody({ onDone }: { onDone: () => void }) {
  const router = useRouter();
  const menu = useMenu();
  const role = useProfile()?.role;
  const [term, setTerm] = useState('');
  const { found, isSearching, problem, retry } = useFoundRecords(term);
  const groups = useMemo(() => paletteGroups({ term, menu, role, found }), [term, menu, role, found]);
  const open = (item: PaletteItem) => {
    onDone();
    router.history.push(item.href);
  };
  /** Enter was pressed before there was anything to open: the first result of this term opens when it arrives. */
  const awaited = useRef<string>(undefined);
  const openFirst = useEffectEvent(() => {
    if (awaited.current !== term) return;
    awaited.current = undefined;
    const first = groups[0]?.items[0];
    if (first) open(first);
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
            if (event.key === 'Enter' && groups.length === 0) awaited.current = term;
          }}
          placeholder={role === undefined ? 'Go to…' : 'Find customers, jobs, quotes, invoices, items…'}
          className="h-13 min-w-0 flex-1 bg-transparent text-lg outline-none"
        />
      </div>
      <Autocomplete.Empty className="px-4 text-base text-ink-3 not-empty:py-8">
        {isSearching ? 'Searching…' : problem === undefined && 'No results. Try a different search.'}
      </Autocomplete.Empty>
      {problem !== undefined && (
        <div role="alert" className="flex flex-wrap items-center justify-between gap-3 px-4 py-3 text-base text-ink-2">
          <p className="min-w-0 flex-1 basis-56">{problem}</p>
          <Button onClick={retry}>Retry</Button>
        </div>
      )}
      <Autocomplete.List className="overflow-y-auto overscroll-contain p-2 empty:hidden">
        {(group: PaletteGroup) => (
          <Autocomplete.Group key={group.value} items={group.items} className="pb-1">
            <Autocomplete.GroupLabel className="px-3 py-1.5 text-xs font-medium text-ink-3">{group.value}</Autocomplete.GroupLabel>
            <Autocomplete.Collection>
              {(item: PaletteItem) => <PaletteRow key={item.id} item={item} onOpen={open} />}
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
          <span className={classes('truncate font-medium', item.detail && 'max-w-2/3 shrink-0')}>{item.label}</span>
          {item.detail && <span className="truncate text-sm opacity-75">{item.detail}</span>}
        </span>
        {item.match && <span className="block truncate text-sm opacity-75">{item.match}</span>}
      </span>
    </Autocomplete.Item>
  );
}
