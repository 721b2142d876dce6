import type { Customer } from '@callout/contract/customers';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { BriefcaseBusiness, UserX } from 'lucide-react';
import type { ReactNode } from 'react';
import { centralMessage, hasCode } from '../../lib/error-messages.ts';
import { Banner } from '../../ui/banner.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { type Section, Sections } from '../../ui/sections.tsx';
import { useCan } from '../company/company.api.ts';
import { CompanyContact } from './company-contact.tsx';
import { ContactActions } from './contact-actions.tsx';
import { CustomerDetails } from './customer-details.tsx';
import { CustomerPageSkeleton } from './customer-page-skeleton.tsx';
import { CustomerStatusPill } from './customer-status-pill.tsx';
import type { CustomerTab } from './customer-tab.ts';
import { customerOptions, knownCustomer, useDeleteCustomer } from './customers.api.ts';
import { DeleteCustomer } from './delete-customer.tsx';

interface CustomerPageProps {
  id: string;
  tab: CustomerTab;
  onTab: (tab: CustomerTab) => void;
  /** What later features know about this customer, put in by the route. */
  quotes: ReactNode;
  jobs: ReactNode;
  attachments: ReactNode;
}

export function CustomerPage({ id, ...rest }: CustomerPageProps) {
  const queryClient = useQueryClient();
  const { data: customer, error, isFetching, refetch } = useQuery(customerOptions(id));
  if (customer) return <LoadedCustomer customer={customer} gone={hasCode(error, 'NOT_FOUND')} {...rest} />;
  if (!error) return <CustomerPageSkeleton known={knownCustomer(queryClient, id)} />;
  return (
    <Card>
      {hasCode(error, 'NOT_FOUND') || hasCode(error, 'INVALID_INPUT') ? (
        <EmptyState
          icon={UserX}
          sentence="Customer not found"
          alone
          hint="It may have been deleted, or the link is not complete."
          action={<LinkButton to="/customers">All customers</LinkButton>}
        />
      ) : (
        <ErrorState message={centralMessage(error)} onRetry={() => void refetch()} retrying={isFetching} />
      )}
    </Card>
  );
}

interface LoadedCustomerProps extends Omit<CustomerPageProps, 'id'> {
  customer: Customer;
  /** Deleted elsewhere while it is open here. */
  gone: boolean;
}

function LoadedCustomer({ customer, gone: notThere, tab, onTab, quotes, jobs, attachments }: LoadedCustomerProps) {
  const mayDelete = useCan('customers.delete');
  const remove = useDeleteCustomer();
  const gone = notThere && remove.isIdle;
  const sections: Section<CustomerTab>[] = [
    { id: 'details', label: 'Details', content: <CustomerDetails key={customer.id} customer={customer} gone={gone} /> },
    { id: 'quotes', label: 'Quotes', content: quotes },
    { id: 'jobs', label: 'Jobs', content: jobs },
    { id: 'attachments', label: 'Attachments', content: attachments },
  ];
  return (
    <>
      <PageHeader
        title={customer.name}
        aside={<CustomerStatusPill status={customer.status} />}
        subtitle={customer.company_name}
        actions={
          !gone && (
            <>
              <LinkButton to="/jobs/new" search={{ customer: customer.id }} tone="primary">
                <BriefcaseBusiness aria-hidden="true" />
                New Job
              </LinkButton>
              {mayDelete && <DeleteCustomer customer={customer} remove={remove} />}
            </>
          )
        }
      />
      {gone && (
        <Banner tone="warn" className="mb-4">
          This customer was deleted meanwhile. What you see here can no longer be saved.
        </Banner>
      )}
      <div data-toast-below="" className="mb-4">
        <ContactActions customer={customer} />
        <CompanyContact customer={customer} />
      </div>
      <Sections label="Customer" sections={sections} active={tab} onChange={onTab} />
    </>
  );
}
