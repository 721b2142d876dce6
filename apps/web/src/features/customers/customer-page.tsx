import type { Customer, CustomerRow } from '@callout/contract/customers';
import { formatCustomerName } from '@callout/domain/customers/customer';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { BriefcaseBusiness, FileText, Pencil, UserX } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { ContactActions } from '../../lib/contact-links.tsx';
import { createId } from '../../lib/create-id.ts';
import { hasErrorCode } from '../../lib/error-messages.ts';
import { QueryView } from '../../lib/query-view.tsx';
import { RecordDetails } from '../../lib/record-details.tsx';
import { RecordForm } from '../../lib/record-form.tsx';
import { useDisplayFormat } from '../../lib/time-zone.ts';
import { TimeZoneNote } from '../../lib/time-zone-note.tsx';
import { UnsentRecordBanner } from '../../lib/unsent-notice.tsx';
import { useDocumentTitle } from '../../lib/use-document-title.ts';
import { useRecordForm } from '../../lib/use-record-form.ts';
import { Banner } from '../../ui/banner.tsx';
import { DeleteMenu } from '../../ui/delete-menu.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { ResponsiveTabs } from '../../ui/responsive-tabs.tsx';
import { RecordSkeleton } from '../../ui/skeleton.tsx';
import { StatusPill } from '../../ui/status-pill.tsx';
import { TABLET_UP, useMediaQuery } from '../../ui/use-browser-state.ts';
import { useCan, useMe } from '../company/company.api.ts';
import { CustomerFields } from './customer-fields.tsx';
import { customerForm } from './customer-form.ts';
import {
  evictCustomer,
  findCachedCustomer,
  useCreateCustomer,
  useCustomer,
  useDeleteCustomer,
  useUnsentCustomer,
  useUpdateCustomer,
} from './customers.api.ts';

export type CustomerTab = 'details' | 'quotes' | 'jobs' | 'attachments';

interface CustomerPageProps {
  id: string;
  /** Undefined opens the Details tab on wide screens and the Jobs tab on phones. */
  tab: CustomerTab | undefined;
  onTabChange: (tab: CustomerTab) => void;
  isEditing: boolean;
  onCloseEditor: () => void;
  /** Tab contents from other features, passed in by the route. */
  panels: Readonly<Record<Exclude<CustomerTab, 'details'>, ReactNode>>;
  /** Open jobs and the last quote, shown below the details. Hidden on phones, where the Jobs and Quotes sections come first. */
  workSummary: ReactNode;
  outstanding?: ReactNode;
  /** A sentence about money that the customer owes, for the confirmation. */
  debtWarning?: string | undefined;
  isOutstandingLoading: boolean;
}

export function CustomerPage({ id, isOutstandingLoading, ...rest }: CustomerPageProps) {
  const queryClient = useQueryClient();
  const query = useCustomer(id);
  const cached = findCachedCustomer(queryClient, id);
  return (
    <QueryView
      query={query}
      delayDisplay={isOutstandingLoading}
      isInCard
      skeleton={<RecordSkeleton label="Loading customer" fields={6} />}
      cached={
        cached && (
          <>
            <CustomerHeader customer={cached} />
            <ContactActions contact={cached} />
            <CustomerDetails customer={cached} isPartial />
          </>
        )
      }
      notFound={
        <EmptyState
          icon={UserX}
          message="Customer not found"
          isHeading
          hint="It may have been deleted, or the link is incomplete."
          action={<LinkButton to="/customers">All customers</LinkButton>}
        />
      }
    >
      {(customer) => <LoadedCustomer customer={customer} isMissing={hasErrorCode(query.error, 'NOT_FOUND')} {...rest} />}
    </QueryView>
  );
}

function CustomerHeader({ customer, actions }: { customer: CustomerRow | Customer; actions?: ReactNode }) {
  return (
    <PageHeader
      title={formatCustomerName(customer)}
      note={<TimeZoneNote />}
      aside={customer.status === 'inactive' && <StatusPill text="Inactive" />}
      subtitle={customer.company_name ? customer.name : undefined}
      actions={actions}
    />
  );
}

/** Shows the customer's details. Pass `isPartial` for a cached list row, which lacks some fields. */
function CustomerDetails({ customer, isPartial = false }: { customer: CustomerRow | Customer; isPartial?: boolean }) {
  const { formatDisplayDate, formatDisplayDateTime } = useDisplayFormat();
  const { created_at: added, last_interaction: last } = customer;
  return (
    <RecordDetails definition={customerForm} record={customer} omit={['type', 'status']}>
      {isPartial && <p className="mb-1 text-ink-2">Notes and other contacts aren't loaded yet.</p>}
      Added {formatDisplayDate(added)}
      {last && ` · Last interaction ${formatDisplayDateTime(last)}`}
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
  onTabChange,
  isEditing,
  onCloseEditor,
  panels,
  workSummary,
  outstanding,
  debtWarning,
}: LoadedCustomerProps) {
  const remove = useDeleteCustomer();
  const creation = useUnsentCustomer(customer.id);
  const isWide = useMediaQuery(TABLET_UP);
  /** True once the user has edited the customer. The details then stay open, even on phones. */
  const [hasEdited, setHasEdited] = useState(isEditing);
  if (isEditing && !hasEdited) setHasEdited(true);
  /** True if someone else deleted the customer while this page was open. */
  const isDeleted = isMissing && remove.isIdle;
  useDocumentTitle(formatCustomerName(customer));
  const details = isEditing ? (
    <CustomerEditor customer={customer} isDeleted={isDeleted} onClose={onCloseEditor} />
  ) : (
    <>
      <CustomerDetails customer={customer} />
      {isWide && workSummary}
    </>
  );
  const sections = [
    { id: 'details' as const, label: 'Details', content: details },
    { id: 'quotes' as const, label: 'Quotes', content: panels.quotes },
    { id: 'jobs' as const, label: 'Jobs', content: panels.jobs },
    { id: 'attachments' as const, label: 'Attachments', content: panels.attachments },
  ];
  const work = sections.filter(({ id }) => id === 'jobs' || id === 'quotes').toReversed();
  const phoneSections = [...work, ...sections.filter((section) => !work.includes(section))];
  return (
    <>
      <CustomerHeader
        customer={customer}
        actions={
          !isDeleted && (
            <CustomerActions
              customer={customer}
              isUnsent={creation !== undefined}
              isEditing={isEditing}
              remove={remove}
              debtWarning={debtWarning}
            />
          )
        }
      />
      {isDeleted && (
        <Banner tone="warn" className="mb-4">
          This customer has been deleted. {isEditing ? 'You can save your version as a new customer.' : 'This is the last saved version.'}
        </Banner>
      )}
      {creation && <UnsentRecordBanner creation={creation} noun="customer" />}
      <ContactActions contact={customer} />
      {outstanding}
      <ResponsiveTabs
        label="Customer"
        tabs={isWide ? sections : phoneSections}
        active={tab ?? (isWide || hasEdited ? 'details' : 'jobs')}
        onChange={onTabChange}
      />
    </>
  );
}

interface CustomerActionsProps {
  customer: Customer;
  /** True if the server doesn't have the customer yet, so that only what can wait for the customer is offered. */
  isUnsent: boolean;
  isEditing: boolean;
  /** Owned by the page, so that the page can tell the user's own deletion from someone else's. */
  remove: ReturnType<typeof useDeleteCustomer>;
  debtWarning: string | undefined;
}

function CustomerActions({ customer, isUnsent, isEditing, remove, debtWarning }: CustomerActionsProps) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [canEdit, canDelete, canEditQuotes] = [useCan('customers.edit'), useCan('customers.delete'), useCan('quotes.edit')];
  const deleteAndLeave = async () => {
    await remove.mutateAsync(customer);
    await navigate({ to: '/customers', replace: true, ignoreBlocker: true });
    evictCustomer(queryClient, customer.id);
  };
  return (
    <>
      <LinkButton to="/jobs/new" search={{ customer: customer.id }} tone="primary">
        <BriefcaseBusiness aria-hidden="true" />
        New Job
      </LinkButton>
      {canEditQuotes && !isUnsent && (
        <LinkButton to="/quotes/new" search={{ customer: customer.id }}>
          <FileText aria-hidden="true" className="max-sm:hidden" />
          New Quote
        </LinkButton>
      )}
      {canEdit && !isEditing && (
        <LinkButton
          to="/customers/$id"
          params={{ id: customer.id }}
          search={{ edit: 'true' }}
          state={{ fromPage: true }}
          className="max-sm:px-3.5"
        >
          <Pencil aria-hidden="true" />
          <span className="max-sm:sr-only">Edit</span>
        </LinkButton>
      )}
      {canDelete && !isUnsent && (
        <DeleteMenu
          title={`Delete ${formatCustomerName(customer)}`}
          description={
            <>
              <span className="block">Are you sure you want to delete this customer? This action cannot be undone.</span>
              <span className="mt-2 block">Their jobs and quotes will be kept but no longer linked to a customer.</span>
              {debtWarning !== undefined && <span className="mt-2 block">{debtWarning}</span>}
            </>
          }
          busy={remove.isPending}
          onDelete={deleteAndLeave}
        />
      )}
    </>
  );
}

function CustomerEditor({ customer, isDeleted, onClose }: { customer: Customer; isDeleted: boolean; onClose: () => void }) {
  const navigate = useNavigate();
  const update = useUpdateCustomer();
  const create = useCreateCustomer();
  const [copyId] = useState(createId);
  const editor = useRecordForm({
    definition: customerForm,
    record: customer,
    person: useMe().user.id,
    save: (values, version) => (isDeleted ? create(copyId, values) : update(customer, version, values)),
    onSaved: ({ id }, unsavedEdits) => {
      if (id !== customer.id) return navigate({ to: '/customers/$id', params: { id }, replace: true, ignoreBlocker: true });
      return Object.keys(unsavedEdits).length === 0 ? onClose() : undefined;
    },
  });
  return (
    <RecordForm
      editor={editor}
      recordLabel="this customer"
      frame="panel"
      onCancel={onClose}
      isDeleted={isDeleted}
      saveAsNewLabel="Save as new customer"
    >
      <CustomerFields editor={editor} id={customer.id} />
    </RecordForm>
  );
}
