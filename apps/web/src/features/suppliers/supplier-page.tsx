import type { Supplier } from '@callout/contract/suppliers';
import { formatCount } from '@callout/domain/text/count-text';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Pencil, Truck } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { ContactActions } from '../../lib/contact-links.tsx';
import { hasCode } from '../../lib/error-messages.ts';
import { newId } from '../../lib/new-id.ts';
import { uniqueRows } from '../../lib/query-cache.ts';
import { QueryView } from '../../lib/query-view.tsx';
import { RecordDetails } from '../../lib/record-details.tsx';
import { RecordForm } from '../../lib/record-form.tsx';
import { localDate } from '../../lib/time-zone.ts';
import { useDocumentTitle } from '../../lib/use-document-title.ts';
import { useRecordForm } from '../../lib/use-record-form.ts';
import { Banner } from '../../ui/banner.tsx';
import { DeleteMenu } from '../../ui/delete-menu.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SkeletonRecord } from '../../ui/skeleton.tsx';
import { StatusPill } from '../../ui/status-pill.tsx';
import { useCan, useMe } from '../company/company.api.ts';
import { SupplierFields } from './supplier-fields.tsx';
import { supplierForm } from './supplier-form.ts';
import {
  forgetSupplier,
  itemsListOptions,
  knownSupplier,
  supplierOptions,
  useCreateSupplier,
  useDeleteSupplier,
  useUpdateSupplier,
} from './suppliers.api.ts';

interface SupplierPageProps {
  id: string;
  isEditing: boolean;
  /** Leads from the form back to the page. */
  onLeaveEdit: () => void;
  /** The price list, and the dialogs of its items. */
  items: ReactNode;
}

export function SupplierPage({ id, items, ...rest }: SupplierPageProps) {
  const queryClient = useQueryClient();
  const query = useQuery(supplierOptions(id));
  const remove = useDeleteSupplier();
  const known = knownSupplier(queryClient, id);
  /** Deleted elsewhere while it is open here. */
  const gone = hasCode(query.error, 'NOT_FOUND') && remove.isIdle;
  const hasItems = query.data ? !gone : known !== undefined && !query.error;
  return (
    <>
      <QueryView
        query={query}
        inCard
        skeleton={<SkeletonRecord label="Loading supplier" fields={4} />}
        known={known && <SupplierHeader supplier={known} />}
        notFound={
          <EmptyState
            icon={Truck}
            sentence="Supplier not found"
            alone
            hint="It may have been deleted, or the link is incomplete."
            action={<LinkButton to="/items-services/suppliers">All suppliers</LinkButton>}
          />
        }
      >
        {(supplier) => <LoadedSupplier supplier={supplier} gone={gone} remove={remove} {...rest} />}
      </QueryView>
      {/* In one place, whether the supplier has been read or not: what is typed into an item stays. */}
      {hasItems && items}
    </>
  );
}

function SupplierHeader({ supplier, actions }: { supplier: Pick<Supplier, 'company_name' | 'status'>; actions?: ReactNode }) {
  return (
    <PageHeader title={supplier.company_name} aside={supplier.status === 'inactive' && <StatusPill text="Inactive" />} actions={actions} />
  );
}

interface LoadedSupplierProps extends Pick<SupplierPageProps, 'isEditing' | 'onLeaveEdit'> {
  supplier: Supplier;
  gone: boolean;
  remove: ReturnType<typeof useDeleteSupplier>;
}

function LoadedSupplier({ supplier, gone, remove, isEditing: wantsEdit, onLeaveEdit }: LoadedSupplierProps) {
  const mayEdit = useCan('items.edit');
  const isEditing = wantsEdit && mayEdit;
  useDocumentTitle(supplier.company_name);
  return (
    <>
      <SupplierHeader
        supplier={supplier}
        actions={mayEdit && !gone && <SupplierActions supplier={supplier} isEditing={isEditing} remove={remove} />}
      />
      {gone && (
        <Banner tone="warn" className="mb-4">
          This supplier has been deleted. {isEditing ? 'You can save your version as a new supplier.' : 'This is its last version.'}
        </Banner>
      )}
      {isEditing ? <SupplierEditor supplier={supplier} gone={gone} onLeave={onLeaveEdit} /> : <SupplierDetails supplier={supplier} />}
    </>
  );
}

/** The address in one piece, as it is read and as a map finds it. */
function wholeAddress({ address, city, state, postal_code: code, country }: Supplier): string {
  const place = [city, [state, code].filter(Boolean).join(' ')].filter(Boolean).join(', ');
  return [address, place, country].filter(Boolean).join(', ');
}

function SupplierDetails({ supplier }: { supplier: Supplier }) {
  const address = wholeAddress(supplier);
  const { phone, email } = supplier;
  // Nothing but its name is known.
  if (!phone && !email && !address) return <p className="text-sm text-ink-3">Added {localDate(supplier.created_at)}</p>;
  return (
    <>
      <ContactActions contact={{ phone: phone ?? '', email: email ?? '', address }} />
      <RecordDetails
        definition={supplierForm}
        record={{ ...supplier, address }}
        omit={['company_name', 'status', 'city', 'state', 'postal_code', 'country']}
      >
        Added {localDate(supplier.created_at)}
      </RecordDetails>
    </>
  );
}

interface SupplierActionsProps {
  supplier: Supplier;
  isEditing: boolean;
  /** Held by the page, which must know that the supplier is gone by its own doing. */
  remove: ReturnType<typeof useDeleteSupplier>;
}

function SupplierActions({ supplier, isEditing, remove }: SupplierActionsProps) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { id, company_name: name } = supplier;
  const deleteAndLeave = async () => {
    await remove.mutateAsync(supplier);
    await navigate({ to: '/items-services', replace: true, ignoreBlocker: true });
    forgetSupplier(queryClient, id);
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
              <WhatGoesWith supplierId={id} />
            </span>
          </>
        }
        busy={remove.isPending}
        onDelete={deleteAndLeave}
      />
    </>
  );
}

/** Says how many items are deleted with their supplier, as far as it is known. */
function WhatGoesWith({ supplierId }: { supplierId: string }) {
  const list = useInfiniteQuery(itemsListOptions(supplierId, { sort: 'name', order: 'asc' }));
  const count = list.data && uniqueRows(list.data.pages).length;
  if (count === 0) return 'It has no items.';
  if (count === 1 && !list.hasNextPage) return 'This also deletes its only item. Jobs and quotes that use it stay as they are.';
  const items = count === undefined ? 'all its items' : `${list.hasNextPage ? 'more than' : 'its'} ${formatCount(count)} items`;
  return `This also deletes ${items}. Jobs and quotes that use them stay as they are.`;
}

function SupplierEditor({ supplier, gone, onLeave }: { supplier: Supplier; gone: boolean; onLeave: () => void }) {
  const navigate = useNavigate();
  const update = useUpdateSupplier();
  const create = useCreateSupplier();
  const [copyId] = useState(newId);
  const editor = useRecordForm({
    definition: supplierForm,
    record: supplier,
    person: useMe().user.id,
    save: ({ status, ...values }, version) =>
      gone ? create.mutateAsync({ id: copyId, ...values }) : update.mutateAsync({ id: supplier.id, version, status, ...values }),
    onSaved: ({ id }, later) => {
      if (id !== supplier.id) return navigate({ to: '/items-services/suppliers/$id', params: { id }, replace: true, ignoreBlocker: true });
      return Object.keys(later).length === 0 ? onLeave() : undefined;
    },
  });
  return (
    <RecordForm editor={editor} what="this supplier" frame="none" onCancel={onLeave} gone={gone} saveAsNew="Save as new supplier">
      <SupplierFields editor={editor} />
    </RecordForm>
  );
}
