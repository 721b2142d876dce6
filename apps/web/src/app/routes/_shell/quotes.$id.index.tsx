import { createFileRoute } from '@tanstack/react-router';
import { QuotePage } from '../../../features/quotes/quote-page.tsx';

export const Route = createFileRoute('/_shell/quotes/$id/')({
  staticData: { title: 'Quote' },
  component: QuoteRoute,
});

function QuoteRoute() {
  const { id } = Route.useParams();
  return <QuotePage key={id} id={id} />;
}
