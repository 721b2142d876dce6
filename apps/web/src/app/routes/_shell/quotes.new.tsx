import { createFileRoute } from '@tanstack/react-router';
import { NewQuotePage } from '../../../features/quotes/new-quote-page.tsx';
import { parseChoiceParam, parseTextParam, toOptionalParams } from '../../search-params.ts';

export const Route = createFileRoute('/_shell/quotes/new')({
  staticData: { title: 'New Quote', focusesFirstField: true, needs: 'quotes.edit' },
  validateSearch: (search) =>
    toOptionalParams({
      customer: parseTextParam(search, 'customer'),
      tab: parseChoiceParam(search, 'tab', ['quote', 'attachments'] as const),
    }),
  component: NewQuoteRoute,
});

function NewQuoteRoute() {
  const { customer, tab = 'quote' } = Route.useSearch();
  const navigate = Route.useNavigate();
  const openTab = (next: 'quote' | 'attachments') => void navigate({ search: (current) => ({ ...current, tab: next }), replace: true });
  return <NewQuotePage customerId={customer} tab={tab} onTab={openTab} />;
}
