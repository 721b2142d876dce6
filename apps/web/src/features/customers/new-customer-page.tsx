import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { newId } from '../../lib/new-id.ts';
import { RecordForm } from '../../lib/record-form.tsx';
import { keepTypedLater } from '../../lib/use-draft.ts';
import { useRecordForm } from '../../lib/use-record-form.ts';
import { FormActions } from '../../ui/card.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { useMe } from '../company/company.api.ts';
import { CustomerFields } from './customer-fields.tsx';
import { customerForm } from './customer-form.ts';
import { useCreateCustomer } from './customers.api.ts';

/** `name`: what a search did not find. */
export function NewCustomerPage({ name = '' }: { name?: string | undefined }) {
  const navigate = useNavigate();
  const create = useCreateCustomer();
  const person = useMe().user.id;
  /** Made once per form: sending again after a lost answer is the same customer, not a second one. */
  const [id, setId] = useState(newId);
  const editor = useRecordForm({
    definition: customerForm,
    initial: { name },
    person,
    newId: [id, setId],
    save: (customer) => create.mutateAsync({ id, ...customer }),
    onSaved: (_customer, later) => {
      const edit = keepTypedLater(person, `/customers/${id}`, later) ? ({ edit: 'true' } as const) : {};
      return navigate({ to: '/customers/$id', params: { id }, search: edit, replace: true, ignoreBlocker: true });
    },
  });
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeader title="Add New Customer" />
      <RecordForm
        editor={editor}
        what="this customer"
        actions={
          <FormActions
            cancel={<LinkButton to="/customers">Cancel</LinkButton>}
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
