import { useMatches } from '@tanstack/react-router';
import { Hammer } from 'lucide-react';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

/** The page of a feature that does not exist yet: its name and one sentence, no controls that do nothing. */
export function NotBuiltPage() {
  const { title, notBuilt } = useMatches().at(-1)?.staticData ?? {};
  return (
    <>
      <PageHeader title={title ?? ''} />
      <Card>
        <EmptyState icon={Hammer} sentence={notBuilt ?? ''} />
      </Card>
    </>
  );
}
