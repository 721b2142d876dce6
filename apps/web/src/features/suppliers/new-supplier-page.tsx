import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { createId } from '../../lib/create-id.ts';
import { RecordForm } from '../../lib/record-form.tsx';
import { useRecordForm } from '../../lib/use-record-form.ts';
import { saveDraftForNewRecord } from '../../lib/use-session-draft.ts';
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
  /** Created once per form, so that a retry after a lost response doesn't add a second supplier. */
  const [id, setId] = useState(createId);
  const editor = useRecordForm({
    definition: supplierForm,
    person,
    newRecordId: [id, setId],
    save: ({ status: _status, ...supplier }) => create.mutateAsync({ id, ...supplier }),
    onSaved: (_supplier, unsavedEdits) => {
      const edit = saveDraftForNewRecord(person, `/items-services/suppliers/${id}`, unsavedEdits) ? ({ edit: 'true' } as const) : {};
      return navigate({ to: '/items-services/suppliers/$id', params: { id }, search: edit, replace: true, ignoreBlocker: true });
    },
  });
  return (
    <>
      <PageHeader title="Add New Supplier" />
      <RecordForm
        editor={editor}
        recordLabel="this supplier"
        frame="none"
        actions={
          <FormActions
            cancelLink={<LinkButton to="/items-services">Cancel</LinkButton>}
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
