import { useNavigate, useRouter } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { createId } from '../../lib/create-id.ts';
import { RecordForm } from '../../lib/record-form.tsx';
import { useRecordForm } from '../../lib/use-record-form.ts';
import { saveDraftForNewRecord } from '../../lib/use-session-draft.ts';
import { FormActions } from '../../ui/card.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { usePrefetch } from '../../ui/use-lazy-module.ts';
import { useMe } from '../company/company.api.ts';
import { CustomerFields } from './customer-fields.tsx';
import { customerForm } from './customer-form.ts';
import { useCreateCustomer } from './customers.api.ts';

/** Form for a new customer. `name` prefills the name field, usually with a search term that matched no customer. */
export function NewCustomerPage({ name = '' }: { name?: string | undefined }) {
  const navigate = useNavigate();
  const create = useCreateCustomer();
  const person = useMe().user.id;
  /** Created once per form, so that a retry after a lost response doesn't create a second customer. */
  const [id, setId] = useState(createId);
  const router = useRouter();
  // Without a connection, the new customer's page could not be loaded.
  usePrefetch(useCallback(() => router.preloadRoute({ to: '/customers/$id', params: { id } }), [router, id]));
  const editor = useRecordForm({
    definition: customerForm,
    initial: { name },
    person,
    newRecordId: [id, setId],
    save: (customer) => create(id, customer),
    onSaved: (_customer, unsavedEdits) => {
      const edit = saveDraftForNewRecord(person, `/customers/${id}`, unsavedEdits) ? ({ edit: 'true' } as const) : {};
      return navigate({ to: '/customers/$id', params: { id }, search: edit, replace: true, ignoreBlocker: true });
    },
  });
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeader title="Add New Customer" />
      <RecordForm
        editor={editor}
        recordLabel="this customer"
        actions={
          <FormActions
            cancelLink={<LinkButton to="/customers">Cancel</LinkButton>}
            saving={editor.saving}
            label="Add Customer"
            savingLabel="Adding…"
          />
        }
      >
        <CustomerFields editor={editor} />
      </RecordForm>
    </div>
  );
}
