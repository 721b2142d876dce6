import { createFileRoute } from '@tanstack/react-router';
import { NewCustomerPage } from '../../../features/customers/new-customer-page.tsx';
import { present, textParam } from '../../search-params.ts';

export const Route = createFileRoute('/_shell/customers/new')({
  staticData: { title: 'Add New Customer', focusesField: true, needs: 'customers.edit' },
  validateSearch: (search) => present({ name: textParam(search, 'name') }),
  component: NewCustomerRoute,
});

function NewCustomerRoute() {
  return <NewCustomerPage name={Route.useSearch().name} />;
}
