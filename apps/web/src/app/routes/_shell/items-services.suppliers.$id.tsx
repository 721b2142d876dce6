import type { SortOrder } from '@callout/contract/fields';
import type { ItemSort } from '@callout/contract/items';
import { createFileRoute, useLocation, useRouter } from '@tanstack/react-router';
import { ItemDialog } from '../../../features/suppliers/item-dialog.tsx';
import { SupplierItems } from '../../../features/suppliers/supplier-items.tsx';
import { SupplierPage } from '../../../features/suppliers/supplier-page.tsx';
import { choiceParam, present, searchParam, textParam } from '../../search-params.ts';

const SORTS: readonly ItemSort[] = ['name', 'sku', 'cost_price', 'selling_price', 'profit_margin'];
const ORDERS: readonly SortOrder[] = ['asc', 'desc'];
const YES = ['true'] as const;

export const Route = createFileRoute('/_shell/items-services/suppliers/$id')({
  staticData: { title: 'Supplier' },
  validateSearch: (search) =>
    present({
      edit: choiceParam(search, 'edit', YES),
      item: textParam(search, 'item'),
      new: choiceParam(search, 'new', YES),
      search: searchParam(search),
      sort: choiceParam(search, 'sort', SORTS),
      order: choiceParam(search, 'order', ORDERS),
    }),
  component: SupplierRoute,
});

function SupplierRoute() {
  const { id } = Route.useParams();
  const { edit, item, new: isNew, ...search } = Route.useSearch();
  const navigate = Route.useNavigate();
  const router = useRouter();
  const fromPage = useLocation({ select: ({ state }) => state.fromPage === true });
  // The page is the step before: going back to it leaves no second entry of it behind.
  const leave = (rest: { edit?: 'true' | undefined }) =>
    fromPage ? router.history.back() : void navigate({ search: present({ ...search, ...rest }), replace: true });
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
            onSearch={(next) => void navigate({ search: present({ edit, ...next }), replace: true, state: true })}
          />
          <ItemDialog
            supplierId={id}
            item={isNew ? 'new' : item}
            onClose={() => leave({ edit })}
            onMissing={() => void navigate({ search: present({ edit, ...search }), replace: true })}
          />
        </>
      }
    />
  );
}
