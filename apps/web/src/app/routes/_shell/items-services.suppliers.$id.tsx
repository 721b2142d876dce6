import type { SortOrder } from '@callout/contract/fields';
import type { ItemSort } from '@callout/contract/items';
import { createFileRoute, useLocation, useRouter } from '@tanstack/react-router';
import { ItemDialog } from '../../../features/suppliers/item-dialog.tsx';
import { SupplierItems } from '../../../features/suppliers/supplier-items.tsx';
import { SupplierPage } from '../../../features/suppliers/supplier-page.tsx';
import { parseChoiceParam, parseSearchTerm, parseTextParam, toOptionalParams } from '../../search-params.ts';

const SORTS: readonly ItemSort[] = ['name', 'sku', 'cost_price', 'selling_price', 'profit_margin'];
const ORDERS: readonly SortOrder[] = ['asc', 'desc'];
const FLAG_VALUES = ['true'] as const;

export const Route = createFileRoute('/_shell/items-services/suppliers/$id')({
  staticData: { title: 'Supplier' },
  validateSearch: (search) =>
    toOptionalParams({
      edit: parseChoiceParam(search, 'edit', FLAG_VALUES),
      item: parseTextParam(search, 'item'),
      new: parseChoiceParam(search, 'new', FLAG_VALUES),
      search: parseSearchTerm(search),
      sort: parseChoiceParam(search, 'sort', SORTS),
      order: parseChoiceParam(search, 'order', ORDERS),
    }),
  component: SupplierRoute,
});

function SupplierRoute() {
  const { id } = Route.useParams();
  const { edit, item, new: isNew, ...search } = Route.useSearch();
  const navigate = Route.useNavigate();
  const router = useRouter();
  const fromPage = useLocation({ select: ({ state }) => state.fromPage === true });
  // If the supplier's page is the previous history entry, goes back instead of adding the same page again.
  const leave = (rest: { edit?: 'true' | undefined }) =>
    fromPage ? router.history.back() : void navigate({ search: toOptionalParams({ ...search, ...rest }), replace: true });
  return (
    <SupplierPage
      key={id}
      id={id}
      isEditing={edit === 'true'}
      onLeaveEdit={() => leave({})}
      items={
        <>
          <SupplierItems
            supplierId={id}
            search={search}
            onSearch={(next) => void navigate({ search: toOptionalParams({ edit, ...next }), replace: true, state: true })}
          />
          <ItemDialog
            supplierId={id}
            itemId={isNew ? 'new' : item}
            onClose={() => leave({ edit })}
            onMissing={() => void navigate({ search: toOptionalParams({ edit, ...search }), replace: true })}
          />
        </>
      }
    />
  );
}
