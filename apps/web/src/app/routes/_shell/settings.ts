import { createFileRoute } from '@tanstack/react-router';
import { NotBuiltPage } from '../../pages/rare-pages.ts';

export const Route = createFileRoute('/_shell/settings')({
  staticData: { title: 'Settings', notBuilt: 'Settings are not built yet.' },
  codeSplitGroupings: [],
  component: NotBuiltPage,
});
