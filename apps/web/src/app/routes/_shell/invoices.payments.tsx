import type { SortOrder } from '@callout/contract/fields';
import { PAYMENT_METHODS, PAYMENT_SORTS } from '@callout/domain/invoices/invoice';
import { createFileRoute } from '@tanstack/react-router';
import { PaymentListPage } from '../../../features/payments/payment-list-page.tsx';
import { parseChoiceParam, parseDateParam, parseSearchTerm, toOptionalParams } from '../../search-params.ts';

const ORDERS: readonly SortOrder[] = ['asc', 'desc'];

export const Route = createFileRoute('/_shell/invoices/payments')({
  staticData: { title: 'Payments', restoresScroll: true, needs: 'payments.manage' },
  validateSearch: (search) =>
    toOptionalParams({
      search: parseSearchTerm(search),
      method: parseChoiceParam(search, 'method', PAYMENT_METHODS),
      from: parseDateParam(search, 'from'),
      to: parseDateParam(search, 'to'),
      sort: parseChoiceParam(search, 'sort', PAYMENT_SORTS),
      order: parseChoiceParam(search, 'order', ORDERS),
    }),
  component: PaymentsRoute,
});

function PaymentsRoute() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  return <PaymentListPage search={search} onSearch={(next) => void navigate({ search: toOptionalParams({ ...next }), replace: true })} />;
}
