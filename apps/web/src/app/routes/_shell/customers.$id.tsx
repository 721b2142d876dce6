import { createFileRoute } from '@tanstack/react-router';
import { CustomerPage } from '../../../features/customers/customer-page.tsx';
import { NoAttachments, NoJobs, NoQuotes } from '../../../features/customers/customer-panels.tsx';
import { CUSTOMER_TABS } from '../../../features/customers/customer-tab.ts';
import { choiceParam, present } from '../../search-params.ts';

export const Route = createFileRoute('/_shell/customers/$id')({
  staticData: { title: 'Customer' },
  validateSearch: (search) => present({ tab: choiceParam(search, 'tab', CUSTOMER_TABS) }),
  component: CustomerRoute,
});

function CustomerRoute() {
  const { id } = Route.useParams();
  const { tab = 'details' } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <CustomerPage
      key={id}
      id={id}
      tab={tab}
      onTab={(next) => void navigate({ search: next === 'details' ? {} : { tab: next }, replace: true })}
      quotes={<NoQuotes customerId={id} />}
      jobs={<NoJobs customerId={id} />}
      attachments={<NoAttachments />}
    />
  );
}
