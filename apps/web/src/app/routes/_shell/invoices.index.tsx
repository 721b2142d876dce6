import type { SortOrder } from '@callout/contract/fields';
import { DEBT_AGES, INVOICE_FILTERS, INVOICE_SORTS } from '@callout/domain/invoices/invoice-list';
import { createFileRoute } from '@tanstack/react-router';
import { InvoiceListPage } from '../../../features/invoices/invoice-list-page.tsx';
import { choiceParam, dateParam, idParam, present, searchParam } from '../../search-params.ts';

const AGES = DEBT_AGES.map(({ key }) => key);
const ORDERS: readonly SortOrder[] = ['asc', 'desc'];

export const Route = createFileRoute('/_shell/invoices/')({
  staticData: { title: 'Invoices', keepsScroll: true, needs: 'payments.manage' },
  validateSearch: (search) =>
    present({
      search: searchParam(search),
      filter: choiceParam(search, 'filter', INVOICE_FILTERS),
      age: choiceParam(search, 'age', AGES),
      from: dateParam(search, 'from'),
      to: dateParam(search, 'to'),
      customer_id: idParam(search, 'customer_id'),
      sort: choiceParam(search, 'sort', INVOICE_SORTS),
      order: choiceParam(search, 'order', ORDERS),
    }),
  component: InvoicesRoute,
});

function InvoicesRoute() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  return <InvoiceListPage search={search} onSearch={(next) => void navigate({ search: present({ ...next }), replace: true })} />;
}
