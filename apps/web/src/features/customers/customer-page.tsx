import type { Customer, CustomerRow } from '@callout/contract/customers';
import { customerLabel } from '@callout/domain/customers/customer';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { BriefcaseBusiness, Pencil, UserX } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { ContactActions } from '../../lib/contact-links.tsx';
import { hasCode } from '../../lib/error-messages.ts';
import { newId } from '../../lib/new-id.ts';
import { QueryView } from '../../lib/query-view.tsx';
import { RecordDetails } from '../../lib/record-details.tsx';
import { RecordForm } from '../../lib/record-form.tsx';
import { localDate, localDateTime } from '../../lib/time-zone.ts';
import { useDocumentTitle } from '../../lib/use-document-title.ts';
import { useRecordForm } from '../../lib/use-record-form.ts';
import { Banner } from '../../ui/banner.tsx';
import { DeleteMenu } from '../../ui/delete-menu.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Sections } from '../../ui/sections.tsx';
import { SkeletonRecord } from '../../ui/skeleton.tsx';
import { StatusPill } from '../../ui/status-pill.tsx';
import { TABLET_UP, useMediaQuery } from '../../ui/use-browser-state.ts';
import { useCan, useMe } from '../company/company.api.ts';
import { CustomerFields } from './customer-fields.tsx';
import { customerForm } from './customer-form.ts';
import {
  customerOptions,
  forgetCustomer,
  knownCustomer,
  useCreateCustomer,
  useDeleteCustomer,
  useUpdateCustomer,
} from './customers.api.ts';

export type CustomerTab = 'details' | 'quotes' | 'jobs' | 'attachments';

interface CustomerPageProps {
  id: string;
  /** Without one: the details on a desk, the jobs on a phone. */
  tab: CustomerTab | undefined;
  onTab: (tab: CustomerTab) => void;
  isEditing: boolean;
  /** Leads from the form back to the page. */
  onLeaveEdit: () => void;
  /** What later features know about this customer, put in by the route. */
  panels: Readonly<Record<Exclude<CustomerTab, 'details'>, ReactNode>>;
  /** Their work at a glance, below the details; on a phone jobs and quotes come first anyway. */
  work: ReactNode;
  /** What they owe, above everything else. */
  outstanding?: ReactNode;
  isOutstandingLoading: boolean;
}

export function CustomerPage({ id, isOutstandingLoading, ...rest }: CustomerPageProps) {
  const queryClient = useQueryClient();
  const query = useQuery(customerOptions(id));
  const known = knownCustomer(queryClient, id);
  return (
    <QueryView
      query={query}
      holdBack={isOutstandingLoading}
      inCard
      skeleton={<SkeletonRecord label="Loading customer" fields={6} />}
      known={
        known && (
          <>
            <CustomerHeader customer={known} />
            <ContactActions contact={known} />
            <CustomerDetails customer={known} isPartial />
          </>
        )
      }
      notFound={
        <EmptyState
          icon={UserX}
          sentence="Customer not found"
          alone
          hint="It may have been deleted, or the link is incomplete."
          action={<LinkButton to="/customers">All customers</LinkButton>}
        />
      }
    >
      {(customer) => <LoadedCustomer customer={customer} isMissing={hasCode(query.error, 'NOT_FOUND')} {...rest} />}
    </QueryView>
  );
}

/** A company is known by its name; the person there stands below it. */
function CustomerHeader({ customer, actions }: { customer: CustomerRow | Customer; actions?: ReactNode }) {
  return (
    <PageHeader
      title={customerLabel(customer)}
      aside={customer.status === 'inactive' && <StatusPill text="Inactive" />}
      subtitle={customer.company_name ? customer.name : undefined}
      actions={actions}
    />
  );
}

/** A row of the list is only a part of the customer. */
function CustomerDetails({ customer, isPartial = false }: { customer: CustomerRow | Customer; isPartial?: boolean }) {
  const { created_at: added, last_interaction: last } = customer;
  return (
    <RecordDetails definition={customerForm} record={customer} omit={['type', 'status']}>
      {isPartial && <p className="mb-1 text-ink-2">Notes and other contacts aren't loaded yet.</p>}
      Added {localDate(added)}
      {last && ` · Last interaction ${localDateTime(last)}`}
    </RecordDetails>
  );
}

interface LoadedCustomerProps extends Omit<CustomerPageProps, 'id' | 'isOutstandingLoading'> {
  customer: Customer;
  isMissing: boolean;
}

function LoadedCustomer({
  customer,
  isMissing,
  tab,
  onTab,
  isEditing,
  onLeaveEdit,
  panels,
  work: atGlance,
  outstanding,
}: LoadedCustomerProps) {
  const remove = useDeleteCustomer();
  const isDesk = useMediaQuery(TABLET_UP);
  /** Whoever has just edited the details goes on reading them, on a phone too. */
  const [hasEdited, setHasEdited] = useState(isEditing);
  if (isEditing && !hasEdited) setHasEdited(true);
  /** Deleted elsewhere while it is open here. */
  const gone = isMissing && remove.isIdle;
  useDocumentTitle(customerLabel(customer));
  const details = isEditing ? (
    <CustomerEditor customer={customer} gone={gone} onLeave={onLeaveEdit} />
  ) : (
    <>
      <CustomerDetails customer={customer} />
      {isDesk && atGlance}
    </>
  );
  const sections = [
    { id: 'details' as const, label: 'Details', content: details },
    { id: 'quotes' as const, label: 'Quotes', content: panels.quotes },
    { id: 'jobs' as const, label: 'Jobs', content: panels.jobs },
    { id: 'attachments' as const, label: 'Attachments', content: panels.attachments },
  ];
  const work = sections.filter(({ id }) => id === 'jobs' || id === 'quotes').toReversed();
  const onPhone = [...work, ...sections.filter((section) => !work.includes(section))];
  return (
    <>
      <CustomerHeader
        customer={customer}
        actions={!gone && <CustomerActions customer={customer} isEditing={isEditing} remove={remove} />}
      />
      {gone && (
        <Banner tone="warn" className="mb-4">
          This customer has been deleted. {isEditing ? 'You can save your version as a new customer.' : 'This is the last saved version.'}
        </Banner>
      )}
      <ContactActions contact={customer} />
      {outstanding}
      <Sections
        label="Customer"
        sections={isDesk ? sections : onPhone}
        active={tab ?? (isDesk || hasEdited ? 'details' : 'jobs')}
        onChange={onTab}
      />
    </>
  );
}

interface CustomerActionsProps {
  customer: Customer;
  isEditing: boolean;
  /** Held by the page, which must know that the customer is gone by its own doing. */
  remove: ReturnType<typeof useDeleteCustomer>;
}

function CustomerActions({ customer, isEditing, remove }: CustomerActionsProps) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [mayEdit, mayDelete] = [useCan('customers.edit'), useCan('customers.delete')];
  const deleteAndLeave = async () => {
    await remove.mutateAsync(customer);
    await navigate({ to: '/customers', replace: true, ignoreBlocker: true });
    forgetCustomer(queryClient, customer.id);
  };
  return (
    <>
      <LinkButton to="/jobs/new" search={{ customer: customer.id }} tone="primary">
        <BriefcaseBusiness aria-hidden="true" />
        New Job
      </LinkButton>
      {mayEdit && !isEditing && (
        <LinkButton to="/customers/$id" params={{ id: customer.id }} search={{ edit: 'true' }} state={{ fromPage: true }}>
          <Pencil aria-hidden="true" />
          Edit
        </LinkButton>
      )}
      {mayDelete && (
        <DeleteMenu
          title={`Delete ${customerLabel(customer)}`}
          description={
            <>
              <span className="block">Are you sure you want to delete this customer? This action cannot be undone.</span>
              <span className="mt-2 block">Their jobs and quotes are kept but no longer linked to a customer.</span>
            </>
          }
          busy={remove.isPending}
          onDelete={deleteAndLeave}
        />
      )}
    </>
  );
}

function CustomerEditor({ customer, gone, onLeave }: { customer: Customer; gone: boolean; onLeave: () => void }) {
  const navigate = useNavigate();
  const update = useUpdateCustomer();
  const create = useCreateCustomer();
  const [copyId] = useState(newId);
  const editor = useRecordForm({
    definition: customerForm,
    record: customer,
    person: useMe().user.id,
    save: (values, version) =>
      gone ? create.mutateAsync({ id: copyId, ...values }) : update.mutateAsync({ id: customer.id, version, ...values }),
    onSaved: ({ id }, later) => {
      if (id !== customer.id) return navigate({ to: '/customers/$id', params: { id }, replace: true, ignoreBlocker: true });
      return Object.keys(later).length === 0 ? onLeave() : undefined;
    },
  });
  return (
    <RecordForm editor={editor} what="this customer" frame="panel" onCancel={onLeave} gone={gone} saveAsNew="Save as new customer">
      <CustomerFields editor={editor} id={customer.id} />
    </RecordForm>
  );
}
