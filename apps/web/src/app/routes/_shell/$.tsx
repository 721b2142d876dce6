import type { Capability } from '@callout/domain/roles/roles';
import { createFileRoute, useLocation } from '@tanstack/react-router';
import { Hammer } from 'lucide-react';
import { useCan } from '../../../features/company/company.api.ts';
import { useDocumentTitle } from '../../../lib/use-document-title.ts';
import { Card } from '../../../ui/card.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import { AccessDeniedPage, NotFoundPage } from '../../status-pages.tsx';

/** Every path that no other route has. */
export const Route = createFileRoute('/_shell/$')({
  codeSplitGroupings: [],
  component: UnroutedPage,
});

interface PlannedPageProps {
  readonly path: string;
  readonly title: string;
  readonly sentence: string;
  readonly needs?: Capability;
}

/** The pages of features that are coming soon; the first match counts. A feature's own routes replace its rows here. */
const PLANNED_PAGES: readonly PlannedPageProps[] = [
  { path: '/todo', title: 'To Do', sentence: 'Tasks are coming soon.' },
  { path: '/calendar', title: 'Calendar', sentence: 'The calendar is coming soon.' },
];

function UnroutedPage() {
  const pathname = useLocation({ select: (location) => location.pathname });
  const planned = PLANNED_PAGES.find(({ path }) => matchesPath(path, pathname));
  // The key: a page with the same title as the one before must set the title of the tab, too.
  return planned ? <PlannedPage key={pathname} {...planned} /> : <NotFoundPage />;
}

const matchesPath = (path: string, pathname: string) => new RegExp(`^${path.replaceAll('$id', '[^/]+')}/?$`).test(pathname);

/** Its name and one sentence, no controls that do nothing. */
function PlannedPage({ title, sentence, needs = 'work.view' }: PlannedPageProps) {
  useDocumentTitle(title);
  if (!useCan(needs)) return <AccessDeniedPage />;
  return (
    <>
      <PageHeader title={title} />
      <Card>
        <EmptyState icon={Hammer} sentence={sentence} />
      </Card>
    </>
  );
}
