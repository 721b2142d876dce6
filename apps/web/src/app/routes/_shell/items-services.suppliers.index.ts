import { createFileRoute } from '@tanstack/react-router';
import { NotBuiltPage } from '../../pages/not-built-page.tsx';

export const Route = createFileRoute('/_shell/items-services/suppliers/')({
  staticData: { title: 'Suppliers', notBuilt: 'Suppliers are not built yet.' },
  codeSplitGroupings: [],
  component: NotBuiltPage,
});
