import type { ItemChoice } from '@callout/contract/items';
import { formatMoney } from '@callout/domain/money/money-text';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Package } from 'lucide-react';
import { useState } from 'react';
import { newId } from '../../lib/new-id.ts';
import { uniqueRows } from '../../lib/query-cache.ts';
import { QueryView } from '../../lib/query-view.tsx';
import { Button } from '../../ui/button.tsx';
import { useDebounced } from '../../ui/debounced-search-field.tsx';
import { Sheet } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { useProfile } from '../company/company.api.ts';
import { taxWords } from './job-labels.tsx';
import { itemSearchOptions, useAddItem } from './jobs-items.api.ts';

const PAUSE_MS = 250;

interface AddItemSheetProps {
  jobId: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function AddItemSheet(props: AddItemSheetProps) {
  return (
    <Sheet open={props.open} onOpenChange={props.onOpenChange} title="Add Item" size="medium">
      <ItemPicker {...props} />
    </Sheet>
  );
}

/** A press on an item adds one of it. */
function ItemPicker({ jobId, onOpenChange }: AddItemSheetProps) {
  const [typed, setTyped] = useState('');
  const list = useInfiniteQuery(itemSearchOptions(useDebounced(typed.trim(), PAUSE_MS)));
  const add = useAddItem();
  /** One id for each item while the sheet is open: pressed again after a lost answer, it is added once. */
  const [ids] = useState(() => new Map<string, string>());
  const choose = (item: ItemChoice) => {
    const id = ids.get(item.id) ?? newId();
    ids.set(item.id, id);
    add.mutate({ id, job_id: jobId, supplier_item_id: item.id }, { onSuccess: () => onOpenChange(false) });
  };
  return (
    <>
      <SearchField label="Search items" placeholder="Search items..." maxLength={200} value={typed} onChange={setTyped} />
      <div className="mt-3 h-75 overflow-y-auto">
        <QueryView
          query={list}
          skeleton={<SkeletonRows label="Loading..." count={4} className="h-18" />}
          isEmpty={({ pages }) => pages.every(({ rows }) => rows.length === 0)}
          empty={<EmptyState icon={Package} sentence="No items found" />}
        >
          {({ pages }) => (
            <ul aria-label="Items to add" className="divide-y">
              {uniqueRows(pages).map((item) => (
                <li key={item.id}>
                  <ItemButton item={item} busy={add.isPending} onChoose={() => choose(item)} />
                </li>
              ))}
            </ul>
          )}
        </QueryView>
        {list.hasNextPage && (
          <Button wide busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Show more
          </Button>
        )}
      </div>
    </>
  );
}

function ItemButton({ item, busy, onChoose }: { item: ItemChoice; busy: boolean; onChoose: () => void }) {
  const currency = useProfile()?.currency;
  return (
    <button
      type="button"
      disabled={busy}
      onClick={onChoose}
      className="flex w-full items-start justify-between gap-4 rounded-control px-2 py-3 text-left -outline-offset-2 hover:bg-sunken disabled:opacity-55"
    >
      <span className="min-w-0">
        <span className="block text-base font-medium [overflow-wrap:anywhere]">{item.name}</span>
        <span className="block text-sm text-ink-3">{`#${item.sku} · ${item.supplier.company_name}`}</span>
        {item.description && <span className="line-clamp-2 text-sm text-ink-2">{item.description}</span>}
      </span>
      <span className="shrink-0 text-right text-base font-semibold tabular-nums">
        {formatMoney(item.selling_price, currency)}
        <span className="block text-sm font-normal text-ink-3">{taxWords(item)}</span>
      </span>
    </button>
  );
}
