import { createFileRoute } from '@tanstack/react-router';
import { NotBuiltPage } from '../../pages/not-built-page.tsx';

export const Route = createFileRoute('/_shell/items-services/suppliers/new')({
  staticData: { title: 'New Supplier', notBuilt: 'Suppliers are not built yet.', needs: 'items.edit' },
  codeSplitGroupings: [],
  component: NotBuiltPage,
});
