import type { ItemChoice } from '@callout/contract/items';
import { formatMoney } from '@callout/domain/money/money-text';
import { taxLabel } from '@callout/domain/tax/tax';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Package } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { uniqueRows } from '../../lib/query-cache.ts';
import { QueryView } from '../../lib/query-view.tsx';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { useDebounced } from '../../ui/debounced-search-field.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { HAS_KEYBOARD } from '../../ui/use-browser-state.ts';
import { useCan, useProfile } from '../company/company.api.ts';
import { itemSearchOptions } from '../suppliers/suppliers-item-search.api.ts';
import type { ItemPickerProps } from './item-picker.tsx';

const PAUSE_MS = 250;
const MAX_SEARCH_LENGTH = 200;

const HEIGHTS: Record<ItemPickerProps['height'], string> = { 200: 'h-50', 300: 'h-75', page: 'lg:max-h-[calc(100dvh-15rem)]' };

/** The price lists of all suppliers, searched by name or SKU. Enter picks the first item found, arrow keys move through the list. */
export function ItemList({ height, onPick, busy = false, pickedId }: ItemPickerProps) {
  const [typed, setTyped] = useState('');
  const term = typed.trim();
  const search = useDebounced(term, PAUSE_MS);
  const list = useInfiniteQuery(itemSearchOptions(search));
  const picker = useRef<HTMLDivElement>(null);
  // The list comes later than the dialog or page around it, which has no field to focus until then.
  useEffect(() => {
    if (window.matchMedia(HAS_KEYBOARD).matches) picker.current?.querySelector('input')?.focus();
  }, []);
  const isOld = list.isPlaceholderData || term !== search;
  const items = list.data ? uniqueRows(list.data.pages) : [];
  const moveFocus = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    const controls = [...(picker.current?.querySelectorAll<HTMLElement>('input, [data-item]') ?? [])];
    const focused = controls.findIndex((control) => control === document.activeElement);
    controls[focused + (event.key === 'ArrowDown' ? 1 : -1)]?.focus();
  };
  const pickFirst = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    // Enter would also send the form that the picker may be part of.
    event.preventDefault();
    if (items[0] && term !== '' && !isOld && !busy) onPick(items[0]);
  };
  return (
    <div ref={picker}>
      <SearchField
        label="Search items"
        placeholder="Search items..."
        maxLength={MAX_SEARCH_LENGTH}
        value={typed}
        onChange={setTyped}
        onKeyDown={(event) => {
          moveFocus(event);
          pickFirst(event);
        }}
      />
      <div className={classes('mt-3 overflow-y-auto overscroll-contain', HEIGHTS[height])}>
        <QueryView
          query={list}
          skeleton={<SkeletonRows label="Loading..." count={4} className="h-18" />}
          isEmpty={({ pages }) => pages.every(({ rows }) => rows.length === 0)}
          empty={search === '' ? <NoItems /> : <EmptyState icon={Package} sentence="No items found" />}
        >
          {() => (
            <ul aria-label="Items to add" className={classes('divide-y transition-opacity duration-120', isOld && 'opacity-60')}>
              {items.map((item) => (
                <li key={item.id}>
                  <ItemButton item={item} busy={busy} isPicked={item.id === pickedId} onPick={() => onPick(item)} onKeyDown={moveFocus} />
                </li>
              ))}
            </ul>
          )}
        </QueryView>
        {list.hasNextPage && (
          <Button wide className="mt-2" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Show more
          </Button>
        )}
      </div>
    </div>
  );
}

/** The company has none at all. */
function NoItems() {
  const mayEdit = useCan('items.edit');
  return (
    <EmptyState
      icon={Package}
      sentence="No items found"
      hint={
        mayEdit
          ? 'Add what you sell to your price list first. Then you can choose it here.'
          : 'Your price list is empty. An admin, manager or accountant can add items to it.'
      }
      action={mayEdit && <LinkButton to="/items-services">Items &amp; Services</LinkButton>}
    />
  );
}

interface ItemButtonProps {
  item: ItemChoice;
  busy: boolean;
  isPicked: boolean;
  onPick: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

function ItemButton({ item, busy, isPicked, onPick, onKeyDown }: ItemButtonProps) {
  const currency = useProfile()?.currency;
  return (
    <button
      type="button"
      data-item=""
      disabled={busy}
      aria-pressed={isPicked || undefined}
      onClick={onPick}
      onKeyDown={onKeyDown}
      className={classes(
        'flex min-h-11 w-full items-start justify-between gap-4 rounded-control px-2 py-3 text-left -outline-offset-2 disabled:opacity-55',
        isPicked ? 'bg-accent-soft' : 'hover:bg-sunken',
      )}
    >
      <span className="min-w-0 [overflow-wrap:anywhere]">
        <span className="block text-base font-medium">{item.name}</span>
        <span className="block text-sm text-ink-3">{`#${item.sku} · ${item.supplier.company_name}`}</span>
        {item.description && <span className="line-clamp-2 text-sm text-ink-2">{item.description}</span>}
      </span>
      <span className="shrink-0 text-right text-base font-semibold tabular-nums">
        {formatMoney(item.selling_price, currency)}
        <span className="block text-sm font-normal text-ink-3">{taxLabel(item.tax_inclusive)}</span>
      </span>
    </button>
  );
}
