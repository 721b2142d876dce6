import { createFileRoute } from '@tanstack/react-router';
import { NotBuiltPage } from '../../pages/not-built-page.tsx';

export const Route = createFileRoute('/_shell/todo')({
  staticData: { title: 'To Do', notBuilt: 'Tasks are not built yet.' },
  codeSplitGroupings: [],
  component: NotBuiltPage,
});
