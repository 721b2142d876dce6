import type { SortOrder } from '@callout/contract/fields';
import type { QuoteSort } from '@callout/contract/quotes';
import { QUOTE_STATUSES } from '@callout/domain/quotes/quote';
import { createFileRoute } from '@tanstack/react-router';
import { QuotesListPage } from '../../../features/quotes/quotes-list-page.tsx';
import { parseChoiceParam, parseSearchTerm, toOptionalParams } from '../../search-params.ts';

const SORTS: readonly QuoteSort[] = ['created_at', 'title', 'total_amount', 'valid_until'];
const ORDERS: readonly SortOrder[] = ['asc', 'desc'];

export const Route = createFileRoute('/_shell/quotes/')({
  staticData: { title: 'Quotes', restoresScroll: true },
  validateSearch: (search) =>
    toOptionalParams({
      search: parseSearchTerm(search),
      status: parseChoiceParam(search, 'status', QUOTE_STATUSES),
      sort: parseChoiceParam(search, 'sort', SORTS),
      order: parseChoiceParam(search, 'order', ORDERS),
    }),
  component: QuotesRoute,
});

function QuotesRoute() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  return <QuotesListPage search={search} onSearch={(next) => void navigate({ search: toOptionalParams({ ...next }), replace: true })} />;
}
