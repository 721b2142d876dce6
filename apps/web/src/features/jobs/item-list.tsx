import type { ItemChoice } from '@callout/contract/items';
import { formatMoney } from '@callout/domain/money/money-format';
import { getTaxInclusionLabel } from '@callout/domain/tax/tax';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Package } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { getUniqueRows } from '../../lib/query-cache.ts';
import { OfflineSearchNote, QueryView } from '../../lib/query-view.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { useDebouncedValue } from '../../ui/debounced-search-field.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { FINE_POINTER_QUERY } from '../../ui/use-browser-state.ts';
import { useCan, useProfile } from '../company/company.api.ts';
import { itemSearchQueryOptions } from '../suppliers/suppliers-item-search.api.ts';
import type { ItemPickerProps } from './item-picker.tsx';

const SEARCH_DEBOUNCE_MS = 250;
const MAX_SEARCH_LENGTH = 200;

const HEIGHT_CLASSES: Record<ItemPickerProps['height'], string> = { 200: 'h-50', 300: 'h-75', page: 'lg:max-h-[calc(100dvh-15rem)]' };

/** Searches all suppliers' price lists by name or SKU. Enter picks the first match; the arrow keys move through the list. */
export function ItemList({ height, onPick, busy = false, pickedIds, onTypeOwn }: ItemPickerProps) {
  const [typed, setTyped] = useState('');
  const term = typed.trim();
  const search = useDebouncedValue(term, SEARCH_DEBOUNCE_MS);
  const list = useInfiniteQuery(itemSearchQueryOptions(search));
  const picker = useRef<HTMLDivElement>(null);
  // Focus the search field. This component loads after its dialog or page has opened, too late for the initial focus.
  useEffect(() => {
    if (window.matchMedia(FINE_POINTER_QUERY).matches) picker.current?.querySelector('input')?.focus();
  }, []);
  const isStale = list.isPlaceholderData || term !== search;
  const items = list.data ? getUniqueRows(list.data.pages) : [];
  const moveFocus = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    const controls = [...(picker.current?.querySelectorAll<HTMLElement>('input, [data-item]') ?? [])];
    const focused = controls.findIndex((control) => control === document.activeElement);
    controls[focused + (event.key === 'ArrowDown' ? 1 : -1)]?.focus();
  };
  const pickFirst = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    // Keep Enter from also submitting the form around the picker.
    event.preventDefault();
    if (items[0] && term !== '' && !isStale && !busy) onPick(items[0]);
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
      <div className={classNames('mt-3 overflow-y-auto overscroll-contain', HEIGHT_CLASSES[height])}>
        <QueryView
          query={list}
          skeleton={<SkeletonRows label="Loading..." count={4} className="h-18" />}
          isEmpty={({ pages }) => pages.every(({ rows }) => rows.length === 0)}
          empty={
            search === '' ? (
              <EmptyPriceList onTypeOwn={onTypeOwn} />
            ) : (
              <EmptyState
                icon={Package}
                message="No items found"
                action={onTypeOwn && <Button onClick={() => onTypeOwn(search)}>{`Type “${search}” as your own`}</Button>}
              />
            )
          }
        >
          {() => (
            <>
              <OfflineSearchNote query={list} />
              <ul aria-label="Items to add" className={classNames('divide-y transition-opacity duration-120', isStale && 'opacity-60')}>
                {items.map((item) => (
                  <li key={item.id}>
                    <ItemButton
                      item={item}
                      busy={busy}
                      isPicked={pickedIds?.includes(item.id) ?? false}
                      onPick={() => onPick(item)}
                      onKeyDown={moveFocus}
                    />
                  </li>
                ))}
              </ul>
            </>
          )}
        </QueryView>
        {list.hasNextPage && (
          <Button fullWidth className="mt-2" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Show more
          </Button>
        )}
      </div>
    </div>
  );
}

function EmptyPriceList({ onTypeOwn }: Pick<ItemPickerProps, 'onTypeOwn'>) {
  const canEdit = useCan('items.edit');
  const typeButton = onTypeOwn && (
    <Button tone="primary" onClick={() => onTypeOwn('')}>
      Type an item
    </Button>
  );
  return (
    <EmptyState
      icon={Package}
      message="No items found"
      hint={
        canEdit
          ? 'Add what you sell to your price list, then choose it here.'
          : 'Your price list is empty. An admin, manager or accountant can add items to it.'
      }
      action={
        <>
          {typeButton}
          {canEdit && <LinkButton to="/items-services">Items &amp; Services</LinkButton>}
        </>
      }
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
      className={classNames(
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
        <span className="block text-sm font-normal text-ink-3">{getTaxInclusionLabel(item.tax_inclusive)}</span>
      </span>
    </button>
  );
}
