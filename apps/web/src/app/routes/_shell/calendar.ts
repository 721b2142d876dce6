import { createFileRoute } from '@tanstack/react-router';
import { NotBuiltPage } from '../../pages/not-built-page.tsx';

export const Route = createFileRoute('/_shell/calendar')({
  staticData: { title: 'Calendar', notBuilt: 'The calendar is not built yet.' },
  codeSplitGroupings: [],
  component: NotBuiltPage,
});
