import { useQuery } from '@tanstack/react-query';
import { createFileRoute, useLocation, useRouter } from '@tanstack/react-router';
import { CustomerAttachments } from '../../../features/comments/customer-attachments.tsx';
import { useCan, useProfile } from '../../../features/company/company.api.ts';
import { CustomerPage, type CustomerTab } from '../../../features/customers/customer-page.tsx';
import { getSkeletonRowsProps } from '../../../features/customers/skeleton-rows.ts';
import { CustomerOutstandingLink, formatDebtWarning } from '../../../features/invoices/customer-outstanding.tsx';
import { customerOutstandingQueryOptions } from '../../../features/invoices/invoices-list.api.ts';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { useLazyModule } from '../../../ui/use-lazy-module.ts';
import { parseChoiceParam, toOptionalParams } from '../../search-params.ts';

const TABS: readonly CustomerTab[] = ['details', 'quotes', 'jobs', 'attachments'];

export const Route = createFileRoute('/_shell/customers/$id')({
  staticData: { title: 'Customer' },
  validateSearch: (search) =>
    toOptionalParams({ tab: parseChoiceParam(search, 'tab', TABS), edit: parseChoiceParam(search, 'edit', ['true'] as const) }),
  component: CustomerRoute,
});

function CustomerRoute() {
  const { id } = Route.useParams();
  const { tab, edit } = Route.useSearch();
  const navigate = Route.useNavigate();
  const router = useRouter();
  const fromPage = useLocation({ select: ({ state }) => state.fromPage === true });
  const canManagePayments = useCan('payments.manage');
  const currency = useProfile()?.currency;
  // Fetched in parallel with the customer, to save a round trip.
  const owedQuery = useQuery({ ...customerOutstandingQueryOptions(id), enabled: canManagePayments });
  return (
    <CustomerPage
      key={id}
      id={id}
      tab={tab}
      onTabChange={(next) => void navigate({ search: toOptionalParams({ tab: next, edit }), replace: true, state: true })}
      isEditing={edit === 'true'}
      // If the customer's page is the previous history entry, goes back instead of adding the same page again.
      onCloseEditor={() => (fromPage ? router.history.back() : void navigate({ search: {}, replace: true }))}
      panels={{
        quotes: <CustomerQuotesPanel customerId={id} />,
        jobs: <CustomerJobsPanel customerId={id} />,
        attachments: <CustomerAttachments customerId={id} />,
      }}
      workSummary={<CustomerWorkPanel customerId={id} />}
      outstanding={canManagePayments && <CustomerOutstandingLink customerId={id} query={owedQuery} />}
      debtWarning={owedQuery.data && formatDebtWarning(owedQuery.data, currency)}
      isOutstandingLoading={owedQuery.isLoading}
    />
  );
}

/** Loads the jobs when the tab opens, because most visits only need the details. */
function CustomerJobsPanel({ customerId }: { customerId: string }) {
  const module = useLazyModule(() => import('../../../features/jobs/customer-jobs.tsx'), true);
  return module ? <module.CustomerJobs customerId={customerId} /> : <SkeletonRows {...getSkeletonRowsProps(customerId)} />;
}

function CustomerQuotesPanel({ customerId }: { customerId: string }) {
  const module = useLazyModule(() => import('../../../features/quotes/customer-quotes.tsx'), true);
  return module ? <module.CustomerQuotes customerId={customerId} /> : <SkeletonRows {...getSkeletonRowsProps(customerId)} />;
}

function CustomerWorkPanel({ customerId }: { customerId: string }) {
  const module = useLazyModule(() => import('../../../features/quotes/customer-work-summary.tsx'), true);
  return module ? <module.CustomerWorkSummary customerId={customerId} /> : null;
}
