import type { Item, ItemRow, ItemSort } from '@callout/contract/items';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Package, Pencil, Plus, Trash2 } from 'lucide-react';
import { useId, useState } from 'react';
import { centralMessage } from '../../lib/error-messages.ts';
import { isFiltered, type ListParams } from '../../lib/list-filter.ts';
import { ListToolbar, NoMatches } from '../../lib/list-toolbar.tsx';
import { ListView } from '../../lib/query-view.tsx';
import { IconButton } from '../../ui/button.tsx';
import { iconButtonStyle } from '../../ui/button-style.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { StatusPill } from '../../ui/status-pill.tsx';
import { useCan } from '../company/company.api.ts';
import { ItemPrice, itemFilterFor, Money } from './item-price.tsx';
import { itemsListOptions, useDeleteItem } from './suppliers.api.ts';

const PAGE = '/items-services/suppliers/$id';

export type ItemsSearch = ListParams<ItemSort, never>;

interface SupplierItemsProps {
  supplierId: string;
  search: ItemsSearch;
  onSearch: (search: ItemsSearch) => void;
}

/** The price list of a supplier. Costs and margins show only to those who receive them. */
export function SupplierItems({ supplierId, search, onSearch }: SupplierItemsProps) {
  const mayEdit = useCan('items.edit');
  const seesCosts = useCan('costs.view');
  const definition = itemFilterFor(seesCosts);
  const filter = definition.read(search);
  const list = useInfiniteQuery(itemsListOptions(supplierId, filter));
  const heading = useId();
  const deletion = useItemDeletion(heading);
  const toolbar = {
    definition,
    filter,
    onFilter: (changed: typeof filter) => onSearch(definition.write(changed)),
  };
  const add = mayEdit && (
    <LinkButton
      from={PAGE}
      to={PAGE}
      params={{ id: supplierId }}
      search={(current) => ({ ...current, new: 'true' })}
      state={{ fromPage: true }}
      tone="primary"
    >
      <Plus aria-hidden="true" />
      Add Item
    </LinkButton>
  );
  return (
    <section aria-labelledby={heading} className="mt-6">
      <div className="mb-1 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id={heading} tabIndex={-1} className="text-xl font-semibold outline-none">
          Items
        </h2>
        {add}
      </div>
      <ListToolbar {...toolbar} />
      <ListView
        list={list}
        loading={{ label: 'Loading items', count: 6, className: 'h-17 lg:h-12' }}
        empty={
          isFiltered(filter) ? (
            <NoMatches {...toolbar} sentence="No items found" add={null} />
          ) : (
            <EmptyState icon={Package} sentence="No items found" hint={mayEdit && 'Add what you buy from this supplier.'} action={add} />
          )
        }
      >
        {(rows) => (
          <ItemsTable
            rows={rows}
            columns={seesCosts ? COLUMNS : COLUMNS.filter(({ label }) => label !== 'Cost' && label !== 'Margin')}
            mayEdit={mayEdit}
            onDelete={deletion.ask}
            sorting={{ ...filter, onSort: (sort: ItemSort) => toolbar.onFilter(definition.sortBy(filter, sort)) }}
            paging={list}
            pagingError={centralMessage(list.error)}
            isOld={list.isPlaceholderData}
          />
        )}
      </ListView>
      {deletion.dialog}
    </section>
  );
}

const COLUMNS: readonly Column<ItemRow, ItemSort>[] = [
  { label: 'Item', width: 'minmax(0, 2fr)', sort: 'name', cell: (item) => <ItemName item={item} /> },
  { label: 'SKU', width: 'minmax(0, 1fr)', sort: 'sku', cell: ({ sku }) => sku },
  {
    label: 'Cost',
    width: '8rem',
    sort: 'cost_price',
    className: 'tabular-nums',
    cell: ({ cost_price: cost }) => cost !== undefined && <Money amount={cost} />,
  },
  { label: 'Price', width: '13rem', sort: 'selling_price', cell: (item) => <ItemPrice item={item} /> },
  {
    label: 'Margin',
    width: '5.5rem',
    sort: 'profit_margin',
    className: 'tabular-nums',
    cell: ({ profit_margin: margin }) => margin !== undefined && `${margin}%`,
  },
];

function ItemName({ item: { name, is_service: isService } }: { item: ItemRow }) {
  return (
    <span className="flex min-w-0 items-center gap-2 large-text:flex-wrap">
      <span className="truncate font-medium text-ink">{name}</span>
      {isService && <StatusPill text="Service" />}
    </span>
  );
}

type TableProps = Parameters<typeof DataTable<ItemRow, ItemSort>>[0];

interface ItemsTableProps extends Pick<TableProps, 'rows' | 'columns' | 'sorting' | 'paging' | 'pagingError' | 'isOld'> {
  mayEdit: boolean;
  onDelete: (item: Item) => void;
}

function ItemsTable({ mayEdit, onDelete, ...table }: ItemsTableProps) {
  const deleteButton = (item: ItemRow) => (
    <IconButton label={`Delete ${item.name}`} onClick={() => onDelete(item)}>
      <Trash2 aria-hidden="true" />
    </IconButton>
  );
  const editing = {
    deskAsideButtons: 2,
    renderDeskAside: (item: ItemRow) => (
      <span className="mr-3 flex">
        <Link {...itemLink(item)} aria-label={`Edit ${item.name}`} title={`Edit ${item.name}`} className={iconButtonStyle()}>
          <Pencil aria-hidden="true" />
        </Link>
        {deleteButton(item)}
      </span>
    ),
    renderPhoneAside: deleteButton,
  } as const;
  return (
    <DataTable
      label="Items"
      {...table}
      renderLink={(item, props) => <Link {...itemLink(item)} {...props} />}
      renderCard={(item) => <ItemCard item={item} />}
      rowHeight={{ desk: 48, phone: 68 }}
      headTop="top-[calc(var(--header-height)+3.25rem)]"
      {...(mayEdit ? editing : {})}
    />
  );
}

/** The dialog of an item is part of the page's URL; Back closes it. */
const itemLink = ({ id, supplier_id: supplierId }: ItemRow) =>
  ({
    to: PAGE,
    params: { id: supplierId },
    search: (current: object) => ({ ...current, item: id }),
    state: { fromPage: true },
  }) as const;

function ItemCard({ item }: { item: ItemRow }) {
  return (
    <>
      <ItemName item={item} />
      <span className="flex justify-between gap-x-3 text-sm text-ink-3 large-text:flex-wrap">
        <span className="truncate">{item.sku}</span>
        <span className="shrink-0 text-ink-2 large-text:shrink">
          <ItemPrice item={item} />
          {item.profit_margin !== undefined && ` · ${item.profit_margin}%`}
        </span>
      </span>
    </>
  );
}

/** Beside the list, which goes away with its last item: then the focus goes to the heading. */
function useItemDeletion(fallbackFocusId: string) {
  const remove = useDeleteItem();
  const [asked, setAsked] = useState<Item>();
  const [isAsking, setAsking] = useState(false);
  return {
    ask: (item: Item) => {
      setAsked(item);
      setAsking(true);
    },
    dialog: asked && (
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Delete Item"
        description={
          <>
            <span className="block">Are you sure you want to delete “{asked.name}”? This action cannot be undone.</span>
            <span className="mt-2 block">Jobs and quotes that use it stay as they are.</span>
          </>
        }
        confirmLabel={remove.isPending ? 'Deleting…' : 'Delete'}
        busy={remove.isPending}
        fallbackFocusId={fallbackFocusId}
        onConfirm={() => remove.mutate(asked, { onSettled: () => setAsking(false) })}
      />
    ),
  };
}
