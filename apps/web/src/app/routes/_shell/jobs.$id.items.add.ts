import { createFileRoute } from '@tanstack/react-router';
import { NotBuiltPage } from '../../pages/not-built-page.tsx';

export const Route = createFileRoute('/_shell/jobs/$id/items/add')({
  staticData: { title: 'Add Item', notBuilt: 'Job items are not built yet.' },
  codeSplitGroupings: [],
  component: NotBuiltPage,
});
