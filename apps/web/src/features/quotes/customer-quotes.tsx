import { FileText, Plus } from 'lucide-react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { useLazyModule } from '../../ui/use-lazy-module.ts';
import { useCan } from '../company/company.api.ts';
import { getSkeletonRowsProps } from '../customers/skeleton-rows.ts';
import { quoteListFilter } from './quote-list-filter.ts';

const NEWEST_FIRST = quoteListFilter.fromParams({});

export function CustomerQuotes({ customerId }: { customerId: string }) {
  const module = useLazyModule(() => import('./quotes-table.tsx'), true);
  const canCreateQuote = useCan('quotes.edit');
  const empty = <EmptyState icon={FileText} message="No quotes found" />;
  return (
    <>
      {canCreateQuote && (
        <LinkButton to="/quotes/new" search={{ customer: customerId }} className="mb-3">
          <Plus aria-hidden="true" />
          New Quote
        </LinkButton>
      )}
      {module ? (
        <module.QuotesTable filter={NEWEST_FIRST} customerId={customerId} empty={empty} />
      ) : (
        <SkeletonRows {...getSkeletonRowsProps(customerId)} />
      )}
    </>
  );
}
