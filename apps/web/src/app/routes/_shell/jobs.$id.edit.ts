import { createFileRoute } from '@tanstack/react-router';
import { NotBuiltPage } from '../../pages/not-built-page.tsx';

export const Route = createFileRoute('/_shell/jobs/$id/edit')({
  staticData: { title: 'Edit Job', notBuilt: 'Jobs are not built yet.', needs: 'jobs.edit' },
  codeSplitGroupings: [],
  component: NotBuiltPage,
});
