import type { SortOrder } from '@callout/contract/fields';
import type { DebtAge } from '@callout/domain/invoices/invoice';
import { createFileRoute } from '@tanstack/react-router';
import type { InvoiceSort, InvoiceTab } from '../../../features/invoices/invoice-list-filter.ts';
import { InvoiceListPage } from '../../../features/invoices/invoice-list-page.tsx';
import { choiceParam, dateParam, idParam, present, textParam } from '../../search-params.ts';

const TABS: readonly InvoiceTab[] = ['unpaid', 'overdue', 'paid'];
const AGES: readonly DebtAge[] = ['current', 'days_30', 'days_60', 'days_90', 'older'];
const SORTS: readonly InvoiceSort[] = ['late_after', 'invoice_number', 'customer', 'total_amount'];
const ORDERS: readonly SortOrder[] = ['asc', 'desc'];

export const Route = createFileRoute('/_shell/invoices/')({
  staticData: { title: 'Invoices', keepsScroll: true, needs: 'payments.manage' },
  validateSearch: (search) =>
    present({
      search: textParam(search, 'search'),
      filter: choiceParam(search, 'filter', TABS),
      age: choiceParam(search, 'age', AGES),
      from: dateParam(search, 'from'),
      to: dateParam(search, 'to'),
      customer_id: idParam(search, 'customer_id'),
      sort: choiceParam(search, 'sort', SORTS),
      order: choiceParam(search, 'order', ORDERS),
    }),
  component: InvoicesRoute,
});

function InvoicesRoute() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  return <InvoiceListPage search={search} onSearch={(next) => void navigate({ search: present({ ...next }), replace: true })} />;
}
