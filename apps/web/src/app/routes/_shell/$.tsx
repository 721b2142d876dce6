import { createFileRoute } from '@tanstack/react-router';
import { NotFoundPage } from '../../fallback-pages.tsx';

/** Catches every path that no other route matches. */
export const Route = createFileRoute('/_shell/$')({
  codeSplitGroupings: [],
  component: NotFoundPage,
});
