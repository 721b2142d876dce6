import { createFileRoute } from '@tanstack/react-router';
import { NewCustomerPage } from '../../../features/customers/new-customer-page.tsx';
import { parseTextParam, toOptionalParams } from '../../search-params.ts';

export const Route = createFileRoute('/_shell/customers/new')({
  staticData: { title: 'Add New Customer', focusesFirstField: true, needs: 'customers.edit' },
  validateSearch: (search) => toOptionalParams({ name: parseTextParam(search, 'name') }),
  component: NewCustomerRoute,
});

function NewCustomerRoute() {
  return <NewCustomerPage name={Route.useSearch().name} />;
}
