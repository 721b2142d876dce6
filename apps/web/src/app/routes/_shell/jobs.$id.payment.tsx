import { createFileRoute, useLocation, useRouter } from '@tanstack/react-router';
import { PaymentPage } from '../../../features/invoices/payment-page.tsx';

export const Route = createFileRoute('/_shell/jobs/$id/payment')({
  staticData: { title: 'Payment', needs: 'payments.manage' },
  component: PaymentRoute,
});

function PaymentRoute() {
  const { id } = Route.useParams();
  const navigate = Route.useNavigate();
  const router = useRouter();
  const fromPage = useLocation({ select: ({ state }) => state.fromPage === true });
  // If the job's page is the previous history entry, goes back instead of adding the same page again.
  const leave = () => (fromPage ? router.history.back() : void navigate({ to: '/jobs/$id', params: { id }, replace: true }));
  return <PaymentPage key={id} id={id} onPaid={leave} />;
}
