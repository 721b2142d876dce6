import { createFileRoute } from '@tanstack/react-router';
import { NewCustomerPage } from '../../../features/customers/new-customer-page.tsx';

export const Route = createFileRoute('/_shell/customers/new')({
  staticData: { title: 'Add New Customer', focusesField: true, needs: 'customers.edit' },
  component: NewCustomerPage,
});
