import { createFileRoute } from '@tanstack/react-router';
import { NotBuiltPage } from '../../pages/not-built-page.tsx';
import { present, textParam } from '../../search-params.ts';

export const Route = createFileRoute('/_shell/quotes/new')({
  staticData: { title: 'New Quote', notBuilt: 'Quotes are not built yet, so none can be made here.', needs: 'quotes.edit' },
  validateSearch: (search) => present({ customer: textParam(search, 'customer') }),
  codeSplitGroupings: [],
  component: NotBuiltPage,
});
