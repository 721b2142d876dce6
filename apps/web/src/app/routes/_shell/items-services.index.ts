import { createFileRoute } from '@tanstack/react-router';
import { NotBuiltPage } from '../../pages/not-built-page.tsx';

export const Route = createFileRoute('/_shell/items-services/')({
  staticData: { title: 'Items & Services', notBuilt: 'Items and services are not built yet.' },
  codeSplitGroupings: [],
  component: NotBuiltPage,
});
