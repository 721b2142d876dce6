import type { Item, ItemRow, ItemSort } from '@callout/contract/items';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Package, Pencil, Plus, Trash2 } from 'lucide-react';
import { useId, useState } from 'react';
import { getReadErrorMessage } from '../../lib/error-messages.ts';
import { isFiltered, type ListSearchParams } from '../../lib/list-filter.ts';
import { ListToolbar, NoMatches } from '../../lib/list-toolbar.tsx';
import { ListView } from '../../lib/query-view.tsx';
import { IconButton } from '../../ui/button.tsx';
import { getIconButtonClasses } from '../../ui/button-classes.ts';
import { DataTable, type TableColumn } from '../../ui/data-table.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { StatusPill } from '../../ui/status-pill.tsx';
import { useCan } from '../company/company.api.ts';
import { getItemFilter, ItemPrice, MoneyAmount } from './item-price.tsx';
import { itemsListQueryOptions, useDeleteItem } from './suppliers.api.ts';

const SUPPLIER_ROUTE = '/items-services/suppliers/$id';

export type ItemSearchParams = ListSearchParams<ItemSort, never>;

interface SupplierItemsProps {
  supplierId: string;
  search: ItemSearchParams;
  onSearch: (search: ItemSearchParams) => void;
}

export function SupplierItems({ supplierId, search, onSearch }: SupplierItemsProps) {
  const canEdit = useCan('items.edit');
  const canViewCosts = useCan('costs.view');
  const definition = getItemFilter(canViewCosts);
  const filter = definition.fromParams(search);
  const list = useInfiniteQuery(itemsListQueryOptions(supplierId, filter));
  const headingId = useId();
  const deletion = useItemDeletion(headingId);
  const toolbarProps = { definition, filter, onFilter: (changed: typeof filter) => onSearch(definition.toParams(changed)) };
  const addLink = canEdit && (
    <LinkButton
      from={SUPPLIER_ROUTE}
      to={SUPPLIER_ROUTE}
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
    <section aria-labelledby={headingId} className="mt-6">
      <div className="mb-1 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id={headingId} tabIndex={-1} className="text-xl font-semibold outline-none">
          Items
        </h2>
        {addLink}
      </div>
      <ListToolbar {...toolbarProps} />
      <ListView
        list={list}
        loading={{ label: 'Loading items', count: 6, className: 'h-17 lg:h-12' }}
        empty={
          isFiltered(filter) ? (
            <NoMatches {...toolbarProps} sentence="No items found" addAction={null} />
          ) : (
            <EmptyState icon={Package} message="No items found" hint={canEdit && 'Add items from this supplier.'} action={addLink} />
          )
        }
      >
        {(rows) => (
          <ItemsTable
            rows={rows}
            columns={canViewCosts ? COLUMNS : COLUMNS.filter(({ label }) => label !== 'Cost' && label !== 'Margin')}
            canEdit={canEdit}
            onDelete={deletion.confirm}
            sorting={{ ...filter, onSort: (sort: ItemSort) => toolbarProps.onFilter(definition.withSort(filter, sort)) }}
            paging={list}
            pagingError={getReadErrorMessage(list.error)}
            isOutdated={list.isPlaceholderData}
          />
        )}
      </ListView>
      {deletion.dialog}
    </section>
  );
}

const COLUMNS: readonly TableColumn<ItemRow, ItemSort>[] = [
  { label: 'Item', width: 'minmax(0, 2fr)', sort: 'name', cell: (item) => <ItemName item={item} /> },
  { label: 'SKU', width: 'minmax(0, 1fr)', sort: 'sku', cell: ({ sku }) => sku },
  {
    label: 'Cost',
    width: '8rem',
    sort: 'cost_price',
    className: 'tabular-nums',
    cell: ({ cost_price: cost }) => cost !== undefined && <MoneyAmount amount={cost} />,
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

type ItemDataTableProps = Parameters<typeof DataTable<ItemRow, ItemSort>>[0];

interface ItemsTableProps extends Pick<ItemDataTableProps, 'rows' | 'columns' | 'sorting' | 'paging' | 'pagingError' | 'isOutdated'> {
  canEdit: boolean;
  onDelete: (item: Item) => void;
}

function ItemsTable({ canEdit, onDelete, ...table }: ItemsTableProps) {
  const deleteButton = (item: ItemRow) => (
    <IconButton label={`Delete ${item.name}`} onClick={() => onDelete(item)}>
      <Trash2 aria-hidden="true" />
    </IconButton>
  );
  const actionProps = {
    desktopActionCount: 2,
    renderDesktopActions: (item: ItemRow) => (
      <span className="mr-3 flex">
        <Link {...getItemLinkProps(item)} aria-label={`Edit ${item.name}`} title={`Edit ${item.name}`} className={getIconButtonClasses()}>
          <Pencil aria-hidden="true" />
        </Link>
        {deleteButton(item)}
      </span>
    ),
    renderPhoneActions: deleteButton,
  } as const;
  return (
    <DataTable
      label="Items"
      {...table}
      renderLink={(item, props) => <Link {...getItemLinkProps(item)} {...props} />}
      renderCard={(item) => <ItemCard item={item} />}
      rowHeight={{ desktop: 48, phone: 68 }}
      stickyTopClass="top-[calc(var(--header-height)+3.25rem)]"
      {...(canEdit ? actionProps : {})}
    />
  );
}

/** Links to the item's dialog through the URL, so that Back closes the dialog. */
const getItemLinkProps = ({ id, supplier_id: supplierId }: ItemRow) =>
  ({
    to: SUPPLIER_ROUTE,
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

/** Keeps the confirmation dialog outside the list, which unmounts with its last item. Focus then moves to the heading. */
function useItemDeletion(fallbackFocusId: string) {
  const deleteItem = useDeleteItem();
  const [itemToDelete, setItemToDelete] = useState<Item>();
  const [isDialogOpen, setDialogOpen] = useState(false);
  return {
    confirm: (item: Item) => {
      setItemToDelete(item);
      setDialogOpen(true);
    },
    dialog: itemToDelete && (
      <ConfirmDialog
        open={isDialogOpen}
        onOpenChange={setDialogOpen}
        title="Delete Item"
        description={
          <>
            <span className="block">Are you sure you want to delete “{itemToDelete.name}”? This action cannot be undone.</span>
            <span className="mt-2 block">Jobs and quotes that use it won't change.</span>
          </>
        }
        confirmLabel={deleteItem.isPending ? 'Deleting…' : 'Delete'}
        busy={deleteItem.isPending}
        fallbackFocusId={fallbackFocusId}
        onConfirm={() => deleteItem.mutate(itemToDelete, { onSettled: () => setDialogOpen(false) })}
      />
    ),
  };
}
