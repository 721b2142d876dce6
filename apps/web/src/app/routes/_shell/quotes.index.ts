import { createFileRoute } from '@tanstack/react-router';
import { NotBuiltPage } from '../../pages/not-built-page.tsx';

export const Route = createFileRoute('/_shell/quotes/')({
  staticData: { title: 'Quotes', notBuilt: 'Quotes are not built yet.' },
  codeSplitGroupings: [],
  component: NotBuiltPage,
});
