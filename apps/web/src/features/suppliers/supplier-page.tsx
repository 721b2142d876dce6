import type { Supplier } from '@callout/contract/suppliers';
import { formatCount } from '@callout/domain/text/count-format';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Pencil, Truck } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { ContactActions } from '../../lib/contact-links.tsx';
import { createId } from '../../lib/create-id.ts';
import { hasErrorCode } from '../../lib/error-messages.ts';
import { getUniqueRows } from '../../lib/query-cache.ts';
import { QueryView } from '../../lib/query-view.tsx';
import { RecordDetails } from '../../lib/record-details.tsx';
import { RecordForm } from '../../lib/record-form.tsx';
import { useDisplayFormat } from '../../lib/time-zone.ts';
import { TimeZoneNote } from '../../lib/time-zone-note.tsx';
import { useDocumentTitle } from '../../lib/use-document-title.ts';
import { useRecordForm } from '../../lib/use-record-form.ts';
import { Banner } from '../../ui/banner.tsx';
import { DeleteMenu } from '../../ui/delete-menu.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RecordSkeleton } from '../../ui/skeleton.tsx';
import { StatusPill } from '../../ui/status-pill.tsx';
import { useCan, useMe } from '../company/company.api.ts';
import { SupplierFields } from './supplier-fields.tsx';
import { supplierForm } from './supplier-form.ts';
import {
  evictSupplier,
  findCachedSupplier,
  itemsListQueryOptions,
  supplierQueryOptions,
  useCreateSupplier,
  useDeleteSupplier,
  useUpdateSupplier,
} from './suppliers.api.ts';

interface SupplierPageProps {
  id: string;
  isEditing: boolean;
  onLeaveEdit: () => void;
  items: ReactNode;
}

export function SupplierPage({ id, items, ...rest }: SupplierPageProps) {
  const queryClient = useQueryClient();
  const query = useQuery(supplierQueryOptions(id));
  const deleteSupplier = useDeleteSupplier();
  const cachedSupplier = findCachedSupplier(queryClient, id);
  /** True if the supplier was deleted in another tab or by someone else while this page was open. */
  const isDeleted = hasErrorCode(query.error, 'NOT_FOUND') && deleteSupplier.isIdle;
  const shouldShowItems = query.data ? !isDeleted : cachedSupplier !== undefined && !query.error;
  return (
    <>
      <QueryView
        query={query}
        isInCard
        skeleton={<RecordSkeleton label="Loading supplier" fields={4} />}
        cached={cachedSupplier && <SupplierHeader supplier={cachedSupplier} />}
        notFound={
          <EmptyState
            icon={Truck}
            message="Supplier not found"
            isHeading
            hint="It may have been deleted, or the link is incomplete."
            action={<LinkButton to="/items-services/suppliers">All suppliers</LinkButton>}
          />
        }
      >
        {(supplier) => <LoadedSupplier supplier={supplier} isDeleted={isDeleted} deleteSupplier={deleteSupplier} {...rest} />}
      </QueryView>
      {/* Rendered at the same position before and after loading, so that an item's unsaved edits survive the load. */}
      {shouldShowItems && items}
    </>
  );
}

function SupplierHeader({ supplier, actions }: { supplier: Pick<Supplier, 'company_name' | 'status'>; actions?: ReactNode }) {
  return (
    <PageHeader
      title={supplier.company_name}
      note={<TimeZoneNote />}
      aside={supplier.status === 'inactive' && <StatusPill text="Inactive" />}
      actions={actions}
    />
  );
}

interface LoadedSupplierProps extends Pick<SupplierPageProps, 'isEditing' | 'onLeaveEdit'> {
  supplier: Supplier;
  isDeleted: boolean;
  deleteSupplier: ReturnType<typeof useDeleteSupplier>;
}

function LoadedSupplier({ supplier, isDeleted, deleteSupplier, isEditing: isEditRequested, onLeaveEdit }: LoadedSupplierProps) {
  const canEdit = useCan('items.edit');
  const isEditing = isEditRequested && canEdit;
  useDocumentTitle(supplier.company_name);
  return (
    <>
      <SupplierHeader
        supplier={supplier}
        actions={canEdit && !isDeleted && <SupplierActions supplier={supplier} isEditing={isEditing} deleteSupplier={deleteSupplier} />}
      />
      {isDeleted && (
        <Banner tone="warn" className="mb-4">
          This supplier has been deleted. {isEditing ? 'You can save your version as a new supplier.' : 'This is the last saved version.'}
        </Banner>
      )}
      {isEditing ? (
        <SupplierEditor supplier={supplier} isDeleted={isDeleted} onLeave={onLeaveEdit} />
      ) : (
        <SupplierDetails supplier={supplier} />
      )}
    </>
  );
}

function formatAddress({ address, city, state, postal_code: code, country }: Supplier): string {
  const locality = [city, [state, code].filter(Boolean).join(' ')].filter(Boolean).join(', ');
  return [address, locality, country].filter(Boolean).join(', ');
}

function SupplierDetails({ supplier }: { supplier: Supplier }) {
  const { formatDisplayDate } = useDisplayFormat();
  const address = formatAddress(supplier);
  const { phone, email } = supplier;
  if (!phone && !email && !address) return <p className="text-sm text-ink-3">Added {formatDisplayDate(supplier.created_at)}</p>;
  return (
    <>
      <ContactActions contact={{ phone: phone ?? '', email: email ?? '', address }} />
      <RecordDetails
        definition={supplierForm}
        record={{ ...supplier, address }}
        omit={['company_name', 'status', 'city', 'state', 'postal_code', 'country']}
      >
        Added {formatDisplayDate(supplier.created_at)}
      </RecordDetails>
    </>
  );
}

interface SupplierActionsProps {
  supplier: Supplier;
  isEditing: boolean;
  /** The page owns this mutation, to tell its own deletion from one made in another tab or by someone else. */
  deleteSupplier: ReturnType<typeof useDeleteSupplier>;
}

function SupplierActions({ supplier, isEditing, deleteSupplier }: SupplierActionsProps) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { id, company_name: name } = supplier;
  const deleteAndLeave = async () => {
    await deleteSupplier.mutateAsync(supplier);
    await navigate({ to: '/items-services', replace: true, ignoreBlocker: true });
    evictSupplier(queryClient, id);
  };
  return (
    <>
      {!isEditing && (
        <LinkButton to="/items-services/suppliers/$id" params={{ id }} search={{ edit: 'true' }} state={{ fromPage: true }}>
          <Pencil aria-hidden="true" />
          Edit
        </LinkButton>
      )}
      <DeleteMenu
        label="Delete Supplier"
        title={`Delete ${name}`}
        description={
          <>
            <span className="block">Are you sure you want to delete this supplier? This action cannot be undone.</span>
            <span className="mt-2 block">
              <DeletedItemsNote supplierId={id} />
            </span>
          </>
        }
        busy={deleteSupplier.isPending}
        onDelete={deleteAndLeave}
      />
    </>
  );
}

function DeletedItemsNote({ supplierId }: { supplierId: string }) {
  const list = useInfiniteQuery(itemsListQueryOptions(supplierId, { sort: 'name', order: 'asc' }));
  const count = list.data && getUniqueRows(list.data.pages).length;
  if (count === 0) return 'It has no items.';
  if (count === 1 && !list.hasNextPage) return "This also deletes its only item. Jobs and quotes that use it won't change.";
  const items = count === undefined ? 'all its items' : `${list.hasNextPage ? 'more than' : 'its'} ${formatCount(count)} items`;
  return `This also deletes ${items}. Jobs and quotes that use them won't change.`;
}

function SupplierEditor({ supplier, isDeleted, onLeave }: { supplier: Supplier; isDeleted: boolean; onLeave: () => void }) {
  const navigate = useNavigate();
  const update = useUpdateSupplier();
  const create = useCreateSupplier();
  const [copyId] = useState(createId);
  const editor = useRecordForm({
    definition: supplierForm,
    record: supplier,
    person: useMe().user.id,
    save: ({ status, ...values }, version) =>
      isDeleted ? create.mutateAsync({ id: copyId, ...values }) : update.mutateAsync({ id: supplier.id, version, status, ...values }),
    onSaved: ({ id }, unsavedEdits) => {
      if (id !== supplier.id) return navigate({ to: '/items-services/suppliers/$id', params: { id }, replace: true, ignoreBlocker: true });
      return Object.keys(unsavedEdits).length === 0 ? onLeave() : undefined;
    },
  });
  return (
    <RecordForm
      editor={editor}
      recordLabel="this supplier"
      frame="none"
      onCancel={onLeave}
      isDeleted={isDeleted}
      saveAsNewLabel="Save as new supplier"
    >
      <SupplierFields editor={editor} />
    </RecordForm>
  );
}
