import { createFileRoute } from '@tanstack/react-router';
import { PublicNotBuiltPage } from '../pages/rare-pages.ts';

export const Route = createFileRoute('/quote/$id')({
  staticData: { title: 'Quote', notBuilt: 'This quote cannot be shown online yet.' },
  codeSplitGroupings: [],
  component: PublicNotBuiltPage,
});
