import { createFileRoute } from '@tanstack/react-router';
import { NotBuiltPage } from '../../pages/not-built-page.tsx';
import { present, textParam } from '../../search-params.ts';

export const Route = createFileRoute('/_shell/jobs/new')({
  staticData: { title: 'New Job', notBuilt: 'Jobs are not built yet, so none can be made here.' },
  validateSearch: (search) => present({ customer: textParam(search, 'customer') }),
  codeSplitGroupings: [],
  component: NotBuiltPage,
});
