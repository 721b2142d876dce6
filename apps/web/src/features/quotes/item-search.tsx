import type { ItemChoice } from '@callout/contract/items';
import { formatAmount } from '@callout/domain/money/money-text';
import { taxLabel } from '@callout/domain/tax/tax';
import { useInfiniteQuery } from '@tanstack/react-query';
import { PenLine, Search } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { centralMessage } from '../../lib/error-messages.ts';
import { uniqueRows } from '../../lib/query-cache.ts';
import { classes } from '../../ui/classes.ts';
import { useDebounced } from '../../ui/debounced-search-field.tsx';
import { FieldError } from '../../ui/field.tsx';
import { itemSearchOptions } from '../suppliers/suppliers-item-search.api.ts';

const PAUSE_MS = 200;
const MAX_SEARCH_LENGTH = 200;

interface ItemSearchProps {
  ref: RefObject<HTMLInputElement | null>;
  sectionName: string;
  typed: string;
  onType: (typed: string) => void;
  /** Why what is typed cannot stay there. */
  problem: string | undefined;
  onPick: (item: ItemChoice) => void;
  /** Nothing in the price lists is meant. */
  onCustom: (name: string) => void;
}

/** Finds items of all price lists by name or SKU. Enter adds the marked one, at first the first; what is typed can always be added as it is. */
export function ItemSearch({ ref, sectionName, typed, onType, problem, onPick, onCustom }: ItemSearchProps) {
  const term = typed.trim();
  const search = useDebounced(term, PAUSE_MS);
  const list = useInfiniteQuery({ ...itemSearchOptions(search), enabled: search !== '' });
  const isCurrent = term !== '' && term === search && !list.isPlaceholderData && (list.isSuccess || list.isError);
  const items = isCurrent && list.data ? uniqueRows(list.data.pages) : [];
  const [marked, setMarked] = useState(0);
  /** What was found must not cover the page once somebody works elsewhere. */
  const [isLeft, setLeft] = useState(false);
  const isOpen = term !== '' && !isLeft;
  /** The term for which Enter was pressed before its items were there. */
  const [awaited, setAwaited] = useState<string>();
  const base = useId();
  const options = useRef<HTMLDivElement>(null);

  const start = () => {
    onType('');
    setMarked(0);
    setAwaited(undefined);
    ref.current?.focus();
  };
  const add = (index: number) => {
    const item = items[index];
    if (item) onPick(item);
    else onCustom(term);
    start();
  };
  const status = !isCurrent ? 'Searching…' : list.error ? centralMessage(list.error) : items.length === 0 ? 'No items found' : '';
  const isAwaited = isCurrent && awaited === term;
  const latestAdd = useRef(add);
  useEffect(() => {
    latestAdd.current = add;
  });
  useEffect(() => {
    if (isAwaited) latestAdd.current(0);
  }, [isAwaited]);
  useEffect(() => {
    options.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [marked]);

  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && typed !== '') start();
    else if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) {
      if (term === '') setAwaited(undefined);
      else if (isCurrent) add(marked);
      else setAwaited(term);
    } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && term !== '') {
      const count = items.length + 1;
      setMarked((marked + (event.key === 'ArrowDown' ? 1 : -1) + count) % count);
    } else return;
    // Enter would send the whole form.
    event.preventDefault();
  };
  return (
    <div className="relative" data-item-search-box="">
      <Search aria-hidden="true" className="pointer-events-none absolute inset-y-0 left-3 z-10 my-auto size-4.5 text-ink-3" />
      <input
        ref={ref}
        role="combobox"
        type="text"
        data-item-search=""
        data-search=""
        aria-label={`Add an item to ${sectionName}`}
        aria-expanded={isOpen}
        aria-controls={`${base}-list`}
        aria-autocomplete="list"
        aria-invalid={problem === undefined ? undefined : true}
        aria-describedby={problem === undefined ? undefined : `${base}-error`}
        aria-activedescendant={isOpen && isCurrent ? `${base}-${marked}` : undefined}
        placeholder="Search items or type your own"
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="enter"
        maxLength={MAX_SEARCH_LENGTH}
        value={typed}
        onFocus={() => setLeft(false)}
        onBlur={() => setLeft(true)}
        onChange={({ target }) => {
          setLeft(false);
          onType(target.value);
          setMarked(0);
          setAwaited(undefined);
        }}
        onKeyDown={press}
        className="h-11 w-full min-w-0 scroll-mb-72 rounded-control bg-surface pr-3 pl-10 text-lg text-ink ring-2 ring-accent ring-inset outline-none aria-invalid:ring-danger sm:pr-56 lg:h-9 lg:text-base"
      />
      <span className="pointer-events-none absolute inset-y-0 right-3 hidden max-w-52 items-center sm:flex">
        <span className="truncate text-sm text-ink-3">Adds to {sectionName}</span>
      </span>
      {isOpen && (
        <div className="absolute inset-x-0 top-full z-30 mt-1 max-h-60 overflow-y-auto overscroll-contain rounded-card bg-raised p-1 shadow-float">
          <p role="status" aria-label="Search" className="px-3 py-2 text-base text-ink-2 empty:hidden">
            {status}
          </p>
          <div ref={options} id={`${base}-list`} role="listbox" aria-label="Items" aria-busy={!isCurrent}>
            {items.map((item, index) => (
              <Option
                key={item.id}
                id={`${base}-${index}`}
                isMarked={index === marked}
                onMark={() => setMarked(index)}
                onPick={() => add(index)}
              >
                <span className="min-w-0 flex-1">
                  <span className="font-medium [overflow-wrap:anywhere]">{item.name}</span>
                  <span className="text-sm text-ink-3">{` #${item.sku} · ${item.supplier.company_name}`}</span>
                </span>
                <span className="shrink-0 text-sm text-ink-3 max-sm:hidden">{taxLabel(item.tax_inclusive)}</span>
                <span className="w-20 shrink-0 text-right font-medium tabular-nums">{formatAmount(item.selling_price)}</span>
              </Option>
            ))}
            {isCurrent && (
              <Option
                id={`${base}-${items.length}`}
                isMarked={marked === items.length}
                onMark={() => setMarked(items.length)}
                onPick={() => add(items.length)}
              >
                <PenLine aria-hidden="true" className="size-4 shrink-0 text-ink-3" />
                <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">Add “{term}” as a custom item</span>
              </Option>
            )}
          </div>
        </div>
      )}
      <FieldError id={base} error={problem} />
    </div>
  );
}

interface OptionProps {
  id: string;
  isMarked: boolean;
  onMark: () => void;
  onPick: () => void;
  children: React.ReactNode;
}

function Option({ id, isMarked, onMark, onPick, children }: OptionProps) {
  return (
    // The search field has the focus and the keys.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      id={id}
      role="option"
      aria-selected={isMarked}
      tabIndex={-1}
      onPointerMove={onMark}
      // The search field keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onPick}
      className={classes(
        'flex min-h-11 cursor-default items-center gap-3 rounded-control px-3 py-1.5 text-base lg:min-h-9',
        isMarked && 'bg-accent-soft',
      )}
    >
      {children}
      {isMarked && (
        <kbd className="hidden shrink-0 rounded bg-surface px-1.5 text-xs text-ink-3 ring-1 ring-line ring-inset lg:inline">Enter</kbd>
      )}
    </div>
  );
}
