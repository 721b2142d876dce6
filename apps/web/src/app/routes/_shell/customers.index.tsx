import type { CustomerSort } from '@callout/contract/customers';
import type { SortOrder } from '@callout/contract/fields';
import { CUSTOMER_STATUSES } from '@callout/domain/customers/customer';
import { createFileRoute } from '@tanstack/react-router';
import { CustomersListPage } from '../../../features/customers/customers-list-page.tsx';
import { choiceParam, present, searchParam } from '../../search-params.ts';

const SORTS: readonly CustomerSort[] = ['name', 'company_name', 'created_at', 'last_interaction'];
const ORDERS: readonly SortOrder[] = ['asc', 'desc'];

export const Route = createFileRoute('/_shell/customers/')({
  staticData: { title: 'Customers', keepsScroll: true },
  validateSearch: (search) =>
    present({
      search: searchParam(search),
      status: choiceParam(search, 'status', CUSTOMER_STATUSES),
      sort: choiceParam(search, 'sort', SORTS),
      order: choiceParam(search, 'order', ORDERS),
    }),
  component: CustomersRoute,
});

function CustomersRoute() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  return <CustomersListPage search={search} onSearch={(next) => void navigate({ search: present({ ...next }), replace: true })} />;
}
