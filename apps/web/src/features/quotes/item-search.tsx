import type { ItemChoice } from '@callout/contract/items';
import { formatAmount } from '@callout/domain/money/money-format';
import { getTaxInclusionLabel } from '@callout/domain/tax/tax';
import { useInfiniteQuery } from '@tanstack/react-query';
import { PenLine, Search } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { getReadErrorMessage } from '../../lib/error-messages.ts';
import { getUniqueRows } from '../../lib/query-cache.ts';
import { classNames } from '../../ui/class-names.ts';
import { useDebouncedValue } from '../../ui/debounced-search-field.tsx';
import { FieldError } from '../../ui/field.tsx';
import { itemSearchQueryOptions } from '../suppliers/suppliers-item-search.api.ts';

const SEARCH_DELAY_MS = 200;
const MAX_SEARCH_LENGTH = 200;

interface ItemSearchProps {
  ref: RefObject<HTMLInputElement | null>;
  sectionName: string;
  value: string;
  onValueChange: (value: string) => void;
  error: string | undefined;
  onPick: (item: ItemChoice) => void;
  onAddCustom: (name: string) => void;
}

/** Searches all price lists by name or SKU. Enter adds the active result, initially the first. The last option adds the typed text. */
export function ItemSearch({ ref, sectionName, value, onValueChange, error, onPick, onAddCustom }: ItemSearchProps) {
  const term = value.trim();
  const search = useDebouncedValue(term, SEARCH_DELAY_MS);
  const list = useInfiniteQuery({ ...itemSearchQueryOptions(search), enabled: search !== '' });
  const isCurrent = term !== '' && term === search && !list.isPlaceholderData && (list.isSuccess || list.isError);
  const items = isCurrent && list.data ? getUniqueRows(list.data.pages) : [];
  const [activeIndex, setActiveIndex] = useState(0);
  /** True after the field loses focus. The results then close, so that they don't cover the page. */
  const [isBlurred, setBlurred] = useState(false);
  const isOpen = term !== '' && !isBlurred;
  /** Search term for which Enter was pressed before the results had loaded. */
  const [awaitedTerm, setAwaitedTerm] = useState<string>();
  const baseId = useId();
  const options = useRef<HTMLDivElement>(null);

  const reset = () => {
    onValueChange('');
    setActiveIndex(0);
    setAwaitedTerm(undefined);
    ref.current?.focus();
  };
  const add = (index: number) => {
    const item = items[index];
    if (item) onPick(item);
    else onAddCustom(term);
    reset();
  };
  const status = !isCurrent ? 'Searching…' : list.error ? getReadErrorMessage(list.error) : items.length === 0 ? 'No items found' : '';
  const isAwaited = isCurrent && awaitedTerm === term;
  const latestAdd = useRef(add);
  useEffect(() => {
    latestAdd.current = add;
  });
  useEffect(() => {
    if (isAwaited) latestAdd.current(0);
  }, [isAwaited]);
  useEffect(() => {
    options.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [activeIndex]);

  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && value !== '') reset();
    else if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) {
      if (term === '') setAwaitedTerm(undefined);
      else if (isCurrent) add(activeIndex);
      else setAwaitedTerm(term);
    } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && term !== '') {
      const count = items.length + 1;
      setActiveIndex((activeIndex + (event.key === 'ArrowDown' ? 1 : -1) + count) % count);
    } else return;
    // Keep Enter from submitting the whole form.
    event.preventDefault();
  };
  return (
    <div className="relative" data-item-search-box="">
      {/* The error message stays outside this wrapper. Inside, it would push the icon out of the field. */}
      <div className="relative">
        <Search aria-hidden="true" className="pointer-events-none absolute inset-y-0 left-3 z-10 my-auto size-4.5 text-ink-3" />
        <input
          ref={ref}
          role="combobox"
          type="text"
          data-item-search=""
          data-search=""
          aria-label={`Add an item to ${sectionName}`}
          aria-expanded={isOpen}
          aria-controls={`${baseId}-list`}
          aria-autocomplete="list"
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={error === undefined ? undefined : `${baseId}-error`}
          aria-activedescendant={isOpen && isCurrent ? `${baseId}-${activeIndex}` : undefined}
          placeholder="Search items or type your own"
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="enter"
          maxLength={MAX_SEARCH_LENGTH}
          value={value}
          onFocus={() => setBlurred(false)}
          onBlur={() => setBlurred(true)}
          onChange={({ target }) => {
            setBlurred(false);
            onValueChange(target.value);
            setActiveIndex(0);
            setAwaitedTerm(undefined);
          }}
          onKeyDown={handleKeyDown}
          className="h-11 w-full min-w-0 scroll-mb-72 rounded-control bg-surface pr-3 pl-10 text-lg text-ink ring-2 ring-accent ring-inset outline-none aria-invalid:ring-danger sm:pr-56 lg:h-9 lg:text-base"
        />
        <span className="pointer-events-none absolute inset-y-0 right-3 hidden max-w-52 items-center sm:flex">
          <span className="truncate text-sm text-ink-3">Adds to {sectionName}</span>
        </span>
      </div>
      {isOpen && (
        <div className="absolute inset-x-0 top-full z-30 mt-1 max-h-60 overflow-y-auto overscroll-contain rounded-card bg-raised p-1 shadow-float">
          <p role="status" aria-label="Search" className="px-3 py-2 text-base text-ink-2 empty:hidden">
            {status}
          </p>
          <div ref={options} id={`${baseId}-list`} role="listbox" aria-label="Items" aria-busy={!isCurrent}>
            {items.map((item, index) => (
              <ItemSearchOption
                key={item.id}
                id={`${baseId}-${index}`}
                isActive={index === activeIndex}
                onActivate={() => setActiveIndex(index)}
                onPick={() => add(index)}
              >
                <span className="min-w-0 flex-1">
                  <span className="font-medium [overflow-wrap:anywhere]">{item.name}</span>
                  <span className="text-sm text-ink-3">{` #${item.sku} · ${item.supplier.company_name}`}</span>
                </span>
                <span className="shrink-0 text-sm text-ink-3 max-sm:hidden">{getTaxInclusionLabel(item.tax_inclusive)}</span>
                <span className="w-20 shrink-0 text-right font-medium tabular-nums">{formatAmount(item.selling_price)}</span>
              </ItemSearchOption>
            ))}
            {isCurrent && (
              <ItemSearchOption
                id={`${baseId}-${items.length}`}
                isActive={activeIndex === items.length}
                onActivate={() => setActiveIndex(items.length)}
                onPick={() => add(items.length)}
              >
                <PenLine aria-hidden="true" className="size-4 shrink-0 text-ink-3" />
                <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">Add “{term}” as a custom item</span>
              </ItemSearchOption>
            )}
          </div>
        </div>
      )}
      <FieldError id={baseId} error={error} />
    </div>
  );
}

interface ItemSearchOptionProps {
  id: string;
  isActive: boolean;
  onActivate: () => void;
  onPick: () => void;
  children: React.ReactNode;
}

function ItemSearchOption({ id, isActive, onActivate, onPick, children }: ItemSearchOptionProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- The search field keeps focus and handles the keyboard.
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      tabIndex={-1}
      onPointerMove={onActivate}
      // Keeps focus in the search field when an option is clicked.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onPick}
      className={classNames(
        'flex min-h-11 cursor-default items-center gap-3 rounded-control px-3 py-1.5 text-base lg:min-h-9',
        isActive && 'bg-accent-soft',
      )}
    >
      {children}
      {isActive && (
        <kbd className="hidden shrink-0 rounded bg-surface px-1.5 text-xs text-ink-3 ring-1 ring-line ring-inset lg:inline">Enter</kbd>
      )}
    </div>
  );
}
