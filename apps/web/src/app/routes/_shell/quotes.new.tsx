import { createFileRoute } from '@tanstack/react-router';
import { NewQuotePage } from '../../../features/quotes/new-quote-page.tsx';
import { choiceParam, present, textParam } from '../../search-params.ts';

export const Route = createFileRoute('/_shell/quotes/new')({
  staticData: { title: 'New Quote', focusesField: true, needs: 'quotes.edit' },
  validateSearch: (search) =>
    present({ customer: textParam(search, 'customer'), tab: choiceParam(search, 'tab', ['quote', 'attachments'] as const) }),
  component: NewQuoteRoute,
});

function NewQuoteRoute() {
  const { customer, tab = 'quote' } = Route.useSearch();
  const navigate = Route.useNavigate();
  const show = (next: 'quote' | 'attachments') => void navigate({ search: (current) => ({ ...current, tab: next }), replace: true });
  return <NewQuotePage customerId={customer} tab={tab} onTab={show} />;
}
