import type { CustomerSort } from '@callout/contract/customers';
import type { SortOrder } from '@callout/contract/fields';
import { CUSTOMER_STATUSES } from '@callout/domain/customers/customer';
import { createFileRoute } from '@tanstack/react-router';
import { CustomersListPage } from '../../../features/customers/customers-list-page.tsx';
import { parseChoiceParam, parseSearchTerm, toOptionalParams } from '../../search-params.ts';

const SORTS: readonly CustomerSort[] = ['name', 'company_name', 'created_at', 'last_interaction'];
const ORDERS: readonly SortOrder[] = ['asc', 'desc'];

export const Route = createFileRoute('/_shell/customers/')({
  staticData: { title: 'Customers', restoresScroll: true },
  validateSearch: (search) =>
    toOptionalParams({
      search: parseSearchTerm(search),
      status: parseChoiceParam(search, 'status', CUSTOMER_STATUSES),
      sort: parseChoiceParam(search, 'sort', SORTS),
      order: parseChoiceParam(search, 'order', ORDERS),
    }),
  component: CustomersRoute,
});

function CustomersRoute() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <CustomersListPage search={search} onSearchChange={(next) => void navigate({ search: toOptionalParams({ ...next }), replace: true })} />
  );
}
