import type { SortOrder } from '@callout/contract/fields';
import { DEBT_AGES, INVOICE_FILTERS, INVOICE_SORTS } from '@callout/domain/invoices/invoice-list';
import { createFileRoute } from '@tanstack/react-router';
import { InvoiceListPage } from '../../../features/invoices/invoice-list-page.tsx';
import { parseChoiceParam, parseDateParam, parseIdParam, parseSearchTerm, toOptionalParams } from '../../search-params.ts';

const AGES = DEBT_AGES.map(({ key }) => key);
const ORDERS: readonly SortOrder[] = ['asc', 'desc'];

export const Route = createFileRoute('/_shell/invoices/')({
  staticData: { title: 'Invoices', restoresScroll: true, needs: 'payments.manage' },
  validateSearch: (search) =>
    toOptionalParams({
      search: parseSearchTerm(search),
      filter: parseChoiceParam(search, 'filter', INVOICE_FILTERS),
      age: parseChoiceParam(search, 'age', AGES),
      from: parseDateParam(search, 'from'),
      to: parseDateParam(search, 'to'),
      customer_id: parseIdParam(search, 'customer_id'),
      sort: parseChoiceParam(search, 'sort', INVOICE_SORTS),
      order: parseChoiceParam(search, 'order', ORDERS),
    }),
  component: InvoicesRoute,
});

function InvoicesRoute() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  return <InvoiceListPage search={search} onSearch={(next) => void navigate({ search: toOptionalParams({ ...next }), replace: true })} />;
}
