import { createFileRoute } from '@tanstack/react-router';
import { NewSupplierPage } from '../../../features/suppliers/new-supplier-page.tsx';

export const Route = createFileRoute('/_shell/items-services/suppliers/new')({
  staticData: { title: 'Add New Supplier', focusesFirstField: true, needs: 'items.edit' },
  component: NewSupplierPage,
});
