import { FileText, Plus } from 'lucide-react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton, planned } from '../../ui/link-button.tsx';
import { useCan } from '../company/company.api.ts';

/** What the tabs of a customer show while there is nothing in them. */
export function NoQuotes({ customerId }: { customerId: string }) {
  const mayQuote = useCan('quotes.edit');
  return (
    <EmptyState
      icon={FileText}
      sentence="No quotes found"
      action={
        mayQuote && (
          <LinkButton to={planned('/quotes/new')} search={{ customer: customerId }}>
            <Plus aria-hidden="true" />
            New Quote
          </LinkButton>
        )
      }
    />
  );
}
