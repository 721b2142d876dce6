import { createFileRoute } from '@tanstack/react-router';
import { PublicNotBuiltPage } from '../pages/rare-pages.ts';

export const Route = createFileRoute('/invoice/$id')({
  staticData: { title: 'Invoice', notBuilt: 'This invoice cannot be shown online yet.' },
  codeSplitGroupings: [],
  component: PublicNotBuiltPage,
});
