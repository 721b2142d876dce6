import { useQuery } from '@tanstack/react-query';
import { createFileRoute, useLocation, useRouter } from '@tanstack/react-router';
import { CustomerAttachments } from '../../../features/comments/customer-attachments.tsx';
import { useCan } from '../../../features/company/company.api.ts';
import { CustomerPage, type CustomerTab } from '../../../features/customers/customer-page.tsx';
import { loadingRows } from '../../../features/customers/loading-rows.ts';
import { CustomerOutstanding } from '../../../features/invoices/customer-outstanding.tsx';
import { customerOwesOptions } from '../../../features/invoices/invoices-list.api.ts';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { useLazyModule } from '../../../ui/use-lazy-module.ts';
import { choiceParam, present } from '../../search-params.ts';

const TABS: readonly CustomerTab[] = ['details', 'quotes', 'jobs', 'attachments'];

export const Route = createFileRoute('/_shell/customers/$id')({
  staticData: { title: 'Customer' },
  validateSearch: (search) => present({ tab: choiceParam(search, 'tab', TABS), edit: choiceParam(search, 'edit', ['true'] as const) }),
  component: CustomerRoute,
});

function CustomerRoute() {
  const { id } = Route.useParams();
  const { tab, edit } = Route.useSearch();
  const navigate = Route.useNavigate();
  const router = useRouter();
  const fromPage = useLocation({ select: ({ state }) => state.fromPage === true });
  const mayBill = useCan('payments.manage');
  // Asked for beside the customer, not after them.
  const owes = useQuery({ ...customerOwesOptions(id), enabled: mayBill });
  return (
    <CustomerPage
      key={id}
      id={id}
      tab={tab}
      onTab={(next) => void navigate({ search: present({ tab: next, edit }), replace: true, state: true })}
      isEditing={edit === 'true'}
      // The page is the step before: going back to it leaves no second entry of it behind.
      onLeaveEdit={() => (fromPage ? router.history.back() : void navigate({ search: {}, replace: true }))}
      panels={{
        quotes: <Quotes customerId={id} />,
        jobs: <Jobs customerId={id} />,
        attachments: <CustomerAttachments customerId={id} />,
      }}
      work={<Work customerId={id} />}
      outstanding={mayBill && <CustomerOutstanding customerId={id} query={owes} />}
      isOutstandingLoading={owes.isLoading}
    />
  );
}

/** Most visits are about the details: the tables are loaded with the first look at them. */
function Jobs({ customerId }: { customerId: string }) {
  const file = useLazyModule(() => import('../../../features/jobs/customer-jobs.tsx'), true);
  return file ? <file.CustomerJobs customerId={customerId} /> : <SkeletonRows {...loadingRows(customerId)} />;
}

function Quotes({ customerId }: { customerId: string }) {
  const file = useLazyModule(() => import('../../../features/quotes/customer-quotes.tsx'), true);
  return file ? <file.CustomerQuotes customerId={customerId} /> : <SkeletonRows {...loadingRows(customerId)} />;
}

function Work({ customerId }: { customerId: string }) {
  const file = useLazyModule(() => import('../../../features/quotes/customer-work.tsx'), true);
  return file ? <file.CustomerWork customerId={customerId} /> : null;
}
