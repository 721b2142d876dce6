import { Compass } from 'lucide-react';
import { useDocumentTitle } from '../../lib/use-document-title.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';

export function NotFoundPage() {
  useDocumentTitle('Page not found');
  return (
    <EmptyState
      icon={Compass}
      sentence="There is no page at this address"
      alone
      hint="The link may be out of date or mistyped."
      action={
        <LinkButton to="/dashboard" tone="primary">
          Go to the dashboard
        </LinkButton>
      }
    />
  );
}
