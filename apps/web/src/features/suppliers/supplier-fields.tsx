import type { Supplier, SupplierInput } from '@callout/contract/suppliers';
import { FormFields } from '../../lib/form-fields.tsx';
import type { RecordEditor } from '../../lib/use-record-form.ts';
import { FormSection } from '../../ui/card.tsx';
import type { supplierForm } from './supplier-form.ts';

export function SupplierFields({ editor }: { editor: RecordEditor<typeof supplierForm.initial, SupplierInput, Supplier> }) {
  return (
    <>
      <FormSection title="Company Information">
        <FormFields editor={editor} names={['company_name', 'email', 'phone', 'status']} />
      </FormSection>
      <FormSection title="Address Information">
        <FormFields editor={editor} names={['address', 'city', 'state', 'postal_code', 'country']} />
      </FormSection>
    </>
  );
}
