import { createFileRoute } from '@tanstack/react-router';
import { NotBuiltPage } from '../../pages/not-built-page.tsx';

export const Route = createFileRoute('/_shell/board')({
  staticData: { title: 'Job Board', notBuilt: 'The job board is not built yet.' },
  codeSplitGroupings: [],
  component: NotBuiltPage,
});
