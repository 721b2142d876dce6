import { createFileRoute } from '@tanstack/react-router';
import { NotFoundPage } from '../../pages/rare-pages.ts';

export const Route = createFileRoute('/_shell/$')({
  staticData: { title: 'Page not found' },
  codeSplitGroupings: [],
  component: NotFoundPage,
});
