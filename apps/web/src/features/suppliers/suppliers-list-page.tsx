import type { ItemRow } from '@callout/contract/items';
import type { SupplierRow } from '@callout/contract/suppliers';
import { formatCappedCount } from '@callout/domain/text/count-format';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { ChevronRight, Package, Plus, SearchX, Truck } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { getReadErrorMessage } from '../../lib/error-messages.ts';
import { getExactCount } from '../../lib/list-count.tsx';
import { getUniqueRows } from '../../lib/query-cache.ts';
import { ListView, QueryView } from '../../lib/query-view.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { classNames } from '../../ui/class-names.ts';
import { DataTable, type TableColumn } from '../../ui/data-table.tsx';
import { DebouncedSearchField } from '../../ui/debounced-search-field.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { StatusPill } from '../../ui/status-pill.tsx';
import { useCan } from '../company/company.api.ts';
import { ItemPrice, PRICING_METHOD_LABELS } from './item-price.tsx';
import { itemsListQueryOptions, suppliersListQueryOptions } from './suppliers.api.ts';

interface SupplierSearchProps {
  search: string | undefined;
  onSearch: (search: string | undefined) => void;
}

export function SuppliersListPage({ title, search: rawSearch, onSearch }: SupplierSearchProps & { title: string }) {
  const search = rawSearch?.trim() || undefined;
  const canEdit = useCan('items.edit');
  return (
    <>
      <PageHeader title={title} actions={canEdit && <AddSupplierLink tone="primary" />} />
      <div className="sticky top-(--header-height) z-20 -mx-4 bg-canvas px-4 py-2 lg:-mx-1 lg:px-1">
        <DebouncedSearchField
          label="Search suppliers and items"
          placeholder="Search suppliers and items..."
          maxLength={200}
          value={search ?? ''}
          onChange={(term) => onSearch(term || undefined)}
          className="lg:max-w-md"
        />
      </div>
      <SupplierList search={search} onSearch={onSearch} />
    </>
  );
}

function AddSupplierLink({ tone }: { tone: 'primary' | 'secondary' }) {
  return (
    <LinkButton to="/items-services/suppliers/new" tone={tone}>
      <Plus aria-hidden="true" />
      Add Supplier
    </LinkButton>
  );
}

/** At most this many suppliers found through their items expand automatically, because each one loads its own items. */
const MAX_AUTO_EXPANDED = 5;

function SupplierList({ search, onSearch }: SupplierSearchProps) {
  const list = useInfiniteQuery(suppliersListQueryOptions(search));
  const [toggled, toggle] = useToggledSuppliers();
  return (
    <ListView
      list={list}
      loading={{ label: 'Loading...', count: 6, className: 'h-16' }}
      empty={<SuppliersEmptyState search={search} onSearch={onSearch} />}
    >
      {(rows) => (
        <>
          <Card className={classNames('overflow-clip transition-opacity duration-120', list.isPlaceholderData && 'opacity-60')}>
            <ul aria-label="Suppliers" className="divide-y">
              {rows.map((supplier, index) => (
                <SupplierListItem
                  key={supplier.id}
                  supplier={supplier}
                  search={supplier.matched === 'other' ? search : undefined}
                  isOpen={(supplier.matched === 'other' && index < MAX_AUTO_EXPANDED) !== toggled.includes(supplier.id)}
                  onToggle={() => toggle(supplier.id)}
                />
              ))}
            </ul>
          </Card>
          {list.hasNextPage && (
            <Button className="mt-4" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
              Show more suppliers
            </Button>
          )}
        </>
      )}
    </ListView>
  );
}

/** Stores the toggled suppliers in the history entry, so that Back restores them. A new search resets them. */
function useToggledSuppliers(): [readonly string[], (id: string) => void] {
  const toggled = useLocation({ select: ({ state }) => state.toggledSuppliers }) ?? [];
  const navigate = useNavigate();
  const toggle = (id: string) => {
    const toggledSuppliers = toggled.includes(id) ? toggled.filter((other) => other !== id) : [...toggled, id];
    void navigate({ to: '.', search: true, replace: true, state: (state) => ({ ...state, toggledSuppliers }) });
  };
  return [toggled, toggle];
}

interface SupplierListItemProps {
  supplier: SupplierRow;
  /** Search text that filters the items. Undefined if the supplier itself matches, so that all items are shown. */
  search: string | undefined;
  isOpen: boolean;
  onToggle: () => void;
}

function SupplierListItem({ supplier, search, isOpen, onToggle }: SupplierListItemProps) {
  const { id, company_name: name, status, item_count: count } = supplier;
  const action = useCan('items.edit') ? 'Manage' : 'View';
  const panelId = useId();
  const listItem = useRef<HTMLLIElement>(null);
  useEffect(() => {
    const element = listItem.current;
    // Scroll back to this row: collapsing a long list while scrolled far down would leave the row above the viewport.
    return isOpen ? () => element?.scrollIntoView({ block: 'nearest' }) : undefined;
  }, [isOpen]);
  return (
    <li ref={listItem} className="scroll-mt-32">
      {/* Sticky, so that a long price list can be collapsed from anywhere. */}
      <div
        className={classNames(
          'flex min-h-16 flex-wrap items-center justify-end gap-x-2 bg-surface pr-3 hover:bg-sunken lg:pr-4',
          isOpen && 'sticky top-[calc(var(--header-height)+3.75rem)] z-15 border-b lg:top-[calc(var(--header-height)+3.25rem)]',
        )}
      >
        <h2 className="min-w-0 flex-1 basis-48 self-stretch font-normal">
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={panelId}
            onClick={onToggle}
            className="flex size-full min-w-0 items-center gap-3 px-4 py-2 text-left -outline-offset-2 lg:px-5"
          >
            <ChevronRight
              aria-hidden="true"
              className={classNames('size-4 shrink-0 text-ink-3 transition-transform duration-120', isOpen && 'rotate-90')}
            />
            <Avatar name={name} />
            <span className="min-w-0">
              <span className="flex flex-wrap items-center gap-x-2">
                <span className="max-w-full text-base font-medium text-ink [overflow-wrap:anywhere] lg:truncate">{name}</span>
                {status === 'inactive' && <StatusPill text="Inactive" />}
              </span>
              <span className="block text-sm text-ink-3 tabular-nums">
                {formatCappedCount(count)} {count === 1 ? 'item' : 'items'}
              </span>
            </span>
          </button>
        </h2>
        <LinkButton to="/items-services/suppliers/$id" params={{ id }} aria-label={`${action} ${name}`}>
          {action}
        </LinkButton>
      </div>
      <div id={panelId} hidden={!isOpen} className="bg-canvas p-3 lg:p-4">
        {isOpen && <ExpandedSupplierItems supplier={supplier} search={search} />}
      </div>
    </li>
  );
}

const COLUMNS: readonly TableColumn<ItemRow>[] = [
  { label: 'Item', width: 'minmax(0, 2fr)', cell: ({ name }) => <span className="font-medium text-ink">{name}</span> },
  { label: 'SKU', width: 'minmax(0, 1fr)', cell: ({ sku }) => sku },
  { label: 'Price', width: '13rem', cell: (item) => <ItemPrice item={item} /> },
  { label: 'Pricing method', width: '8rem', cell: ({ pricing_method: method }) => PRICING_METHOD_LABELS[method] },
];

const SORT_BY_NAME = { sort: 'name', order: 'asc' } as const;

function ExpandedSupplierItems({ supplier, search }: { supplier: SupplierRow; search: string | undefined }) {
  const canEdit = useCan('items.edit');
  const [isShowingAll, setShowingAll] = useState(false);
  const term = isShowingAll ? undefined : search;
  const list = useInfiniteQuery(itemsListQueryOptions(supplier.id, { ...(term ? { search: term } : {}), ...SORT_BY_NAME }));
  const { id } = supplier;
  return (
    <>
      {(canEdit || term) && (
        <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
          {canEdit && (
            <LinkButton to="/items-services/suppliers/$id" params={{ id }} search={{ new: 'true' }}>
              <Plus aria-hidden="true" />
              Add Item
            </LinkButton>
          )}
          {term && (
            <Button tone="quiet" onClick={() => setShowingAll(true)}>
              Show all items
            </Button>
          )}
        </div>
      )}
      <QueryView
        query={list}
        isInCard
        skeleton={
          <Card className="overflow-clip">
            <SkeletonRows label="Loading items" count={Math.min(Math.max(supplier.item_count, 1), 6)} className="h-16 lg:h-11" />
          </Card>
        }
        isEmpty={({ pages }) => pages.every(({ rows }) => rows.length === 0)}
        empty={<EmptyState icon={Package} message="No items found" hint={term && `No item matches “${term}”.`} />}
      >
        {({ pages }) => (
          <DataTable
            label={`Items from ${supplier.company_name}`}
            rows={getUniqueRows(pages)}
            columns={COLUMNS}
            renderLink={(item, props) => <Link to="/items-services/suppliers/$id" params={{ id }} search={{ item: item.id }} {...props} />}
            renderCard={(item) => <ItemCard item={item} />}
            rowHeight={{ desktop: 44, phone: 64 }}
            paging={list}
            pagingError={getReadErrorMessage(list.error)}
            total={term ? undefined : getExactCount(supplier.item_count)}
            isOutdated={list.isPlaceholderData}
            stickyTopClass="top-[calc(var(--header-height)+7.25rem)]"
          />
        )}
      </QueryView>
    </>
  );
}

function ItemCard({ item }: { item: ItemRow }) {
  return (
    <>
      <span className="flex items-baseline justify-between gap-3">
        <span className="truncate text-base font-medium text-ink">{item.name}</span>
        <span className="shrink-0 text-base">
          <ItemPrice item={item} />
        </span>
      </span>
      <span className="flex justify-between gap-3 text-sm text-ink-3">
        <span className="truncate">{item.sku}</span>
        <span className="shrink-0">{PRICING_METHOD_LABELS[item.pricing_method]}</span>
      </span>
    </>
  );
}

function SuppliersEmptyState({ search, onSearch }: SupplierSearchProps) {
  const canEdit = useCan('items.edit');
  return (
    <EmptyState
      icon={search ? SearchX : Truck}
      message="No suppliers found"
      hint={
        search
          ? `Nothing matches “${search}”.`
          : canEdit && 'Items are grouped by supplier. Add the suppliers you buy from, and your own company for your services.'
      }
      action={
        <>
          {search && (
            <Button tone="primary" onClick={() => onSearch(undefined)}>
              Clear search
            </Button>
          )}
          {canEdit && <AddSupplierLink tone={search ? 'secondary' : 'primary'} />}
        </>
      }
    />
  );
}
