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
import { SupplierFields } from './supplier-fields.tsx';
import { supplierForm } from './supplier-form.ts';
import { useCreateSupplier } from './suppliers.api.ts';

export function NewSupplierPage() {
  const navigate = useNavigate();
  const create = useCreateSupplier();
  const person = useMe().user.id;
  /** Made once per form: sending again after a lost answer is the same supplier, not a second one. */
  const [id, setId] = useState(newId);
  const editor = useRecordForm({
    definition: supplierForm,
    person,
    newId: [id, setId],
    save: ({ status: _active, ...supplier }) => create.mutateAsync({ id, ...supplier }),
    onSaved: (_supplier, later) => {
      const edit = keepTypedLater(person, `/items-services/suppliers/${id}`, later) ? ({ edit: 'true' } as const) : {};
      return navigate({ to: '/items-services/suppliers/$id', params: { id }, search: edit, replace: true, ignoreBlocker: true });
    },
  });
  return (
    <>
      <PageHeader title="Add New Supplier" />
      <RecordForm
        editor={editor}
        what="this supplier"
        frame="none"
        actions={
          <FormActions
            cancel={<LinkButton to="/items-services">Cancel</LinkButton>}
            saving={editor.saving}
            label="Add Supplier"
            savingLabel="Adding..."
          />
        }
      >
        <SupplierFields editor={editor} />
      </RecordForm>
    </>
  );
}
