import { createFileRoute } from '@tanstack/react-router';
import { NotBuiltPage } from '../../pages/not-built-page.tsx';

export const Route = createFileRoute('/_shell/jobs/$id/')({
  staticData: { title: 'Job', notBuilt: 'Jobs are not built yet.' },
  codeSplitGroupings: [],
  component: NotBuiltPage,
});
