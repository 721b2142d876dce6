import { FileText, Plus } from 'lucide-react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { useLazyModule } from '../../ui/use-lazy-module.ts';
import { useCan } from '../company/company.api.ts';
import { loadingRows } from '../customers/loading-rows.ts';
import { quoteFilter } from './quote-filter.ts';

const NEWEST = quoteFilter.read({});

/** What a customer's page shows of their quotes. The table is loaded when the tab is first opened. */
export function CustomerQuotes({ customerId }: { customerId: string }) {
  const file = useLazyModule(() => import('./quotes-table.tsx'), true);
  const mayQuote = useCan('quotes.edit');
  return (
    <>
      {mayQuote && (
        <LinkButton to="/quotes/new" search={{ customer: customerId }} className="mb-3">
          <Plus aria-hidden="true" />
          New Quote
        </LinkButton>
      )}
      {file ? (
        <file.QuotesTable filter={NEWEST} customerId={customerId} empty={<EmptyState icon={FileText} sentence="No quotes found" />} />
      ) : (
        <SkeletonRows {...loadingRows(customerId)} />
      )}
    </>
  );
}
