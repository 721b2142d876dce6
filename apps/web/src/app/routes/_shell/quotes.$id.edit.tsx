import { createFileRoute, useLocation, useRouter } from '@tanstack/react-router';
import { EditQuotePage } from '../../../features/quotes/edit-quote-page.tsx';
import { choiceParam, present } from '../../search-params.ts';

export const Route = createFileRoute('/_shell/quotes/$id/edit')({
  staticData: { title: 'Edit Quote', focusesField: true, needs: 'quotes.edit' },
  validateSearch: (search) => present({ tab: choiceParam(search, 'tab', ['quote', 'attachments'] as const) }),
  component: EditQuoteRoute,
});

function EditQuoteRoute() {
  const { id } = Route.useParams();
  const { tab = 'quote' } = Route.useSearch();
  const navigate = Route.useNavigate();
  const router = useRouter();
  const fromPage = useLocation({ select: ({ state }) => state.fromPage === true });
  // The page is the step before: going back to it leaves no second entry of it behind.
  const leave = () => (fromPage ? router.history.back() : void navigate({ to: '/quotes/$id', params: { id }, replace: true }));
  const show = (next: 'quote' | 'attachments') => void navigate({ search: { tab: next }, replace: true, state: (state) => state });
  return <EditQuotePage key={id} id={id} tab={tab} onTab={show} onLeave={leave} />;
}
