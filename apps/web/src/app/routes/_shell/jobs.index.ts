import { createFileRoute } from '@tanstack/react-router';
import { NotBuiltPage } from '../../pages/not-built-page.tsx';

export const Route = createFileRoute('/_shell/jobs/')({
  staticData: { title: 'Jobs', notBuilt: 'Jobs are not built yet.' },
  codeSplitGroupings: [],
  component: NotBuiltPage,
});
