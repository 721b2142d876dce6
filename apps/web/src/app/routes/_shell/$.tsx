import { createFileRoute } from '@tanstack/react-router';
import { NotFoundPage } from '../../status-pages.tsx';

/** Every path that no other route has. */
export const Route = createFileRoute('/_shell/$')({
  codeSplitGroupings: [],
  component: NotFoundPage,
});
