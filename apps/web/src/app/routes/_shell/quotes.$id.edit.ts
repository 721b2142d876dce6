import { createFileRoute } from '@tanstack/react-router';
import { NotBuiltPage } from '../../pages/not-built-page.tsx';

export const Route = createFileRoute('/_shell/quotes/$id/edit')({
  staticData: { title: 'Edit Quote', notBuilt: 'Quotes are not built yet.', needs: 'quotes.edit' },
  codeSplitGroupings: [],
  component: NotBuiltPage,
});
