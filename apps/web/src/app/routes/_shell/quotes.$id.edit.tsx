import { createFileRoute, useLocation, useRouter } from '@tanstack/react-router';
import { EditQuotePage } from '../../../features/quotes/edit-quote-page.tsx';
import { parseChoiceParam, toOptionalParams } from '../../search-params.ts';

export const Route = createFileRoute('/_shell/quotes/$id/edit')({
  staticData: { title: 'Edit Quote', focusesFirstField: true, needs: 'quotes.edit' },
  validateSearch: (search) => toOptionalParams({ tab: parseChoiceParam(search, 'tab', ['quote', 'attachments'] as const) }),
  component: EditQuoteRoute,
});

function EditQuoteRoute() {
  const { id } = Route.useParams();
  const { tab = 'quote' } = Route.useSearch();
  const navigate = Route.useNavigate();
  const router = useRouter();
  const fromPage = useLocation({ select: ({ state }) => state.fromPage === true });
  // If the quote's page is the previous history entry, goes back instead of adding the same page again.
  const leave = () => (fromPage ? router.history.back() : void navigate({ to: '/quotes/$id', params: { id }, replace: true }));
  const openTab = (next: 'quote' | 'attachments') => void navigate({ search: { tab: next }, replace: true, state: (state) => state });
  return <EditQuotePage key={id} id={id} tab={tab} onTab={openTab} onLeave={leave} />;
}
