import { type RefObject, useImperativeHandle, useRef, useState } from 'react';
import { newId } from '../../lib/new-id.ts';
import { RecordForm } from '../../lib/record-form.tsx';
import { useRecordForm } from '../../lib/use-record-form.ts';
import { Button } from '../../ui/button.tsx';
import { FormActions } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { DialogFrame } from '../../ui/dialog-frame.tsx';
import { useMe } from '../company/company.api.ts';
import { CustomerFields } from './customer-fields.tsx';
import { customerForm } from './customer-form.ts';
import { useCreateCustomer } from './customers.api.ts';

interface NewCustomerSheetProps {
  /** What the search did not find; undefined while the sheet is closed. */
  name: string | undefined;
  onClose: () => void;
  onCreated: (id: string) => void;
}

/** A new customer without leaving the form of a job or a quote. Closing it asks first when something was typed. */
export function NewCustomerSheet({ name, onClose, onCreated }: NewCustomerSheetProps) {
  const form = useRef<OpenForm>(null);
  const [asking, setAsking] = useState(false);
  const close = () => (form.current?.isDirty() ? setAsking(true) : onClose());
  return (
    <DialogFrame open={name !== undefined} onOpenChange={(open) => open || close()} title="Add New Customer" size="large">
      <NewCustomerForm name={name ?? ''} opened={form} onClose={close} onCreated={onCreated} />
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Leave without saving?"
        description="Your changes haven't been saved."
        confirmLabel="Leave"
        cancelLabel="Keep editing"
        onConfirm={() => {
          setAsking(false);
          form.current?.onLeaving(true);
          onClose();
        }}
      />
    </DialogFrame>
  );
}

/** Whether there is anything to lose, and that it may go. */
type OpenForm = Pick<ReturnType<typeof useRecordForm>, 'isDirty' | 'onLeaving'>;

interface NewCustomerFormProps {
  name: string;
  /** Set by the form. */
  opened: RefObject<OpenForm | null>;
  onClose: () => void;
  onCreated: (id: string) => void;
}

function NewCustomerForm({ name, opened, onClose, onCreated }: NewCustomerFormProps) {
  const create = useCreateCustomer();
  const [id, setId] = useState(newId);
  const editor = useRecordForm({
    definition: customerForm,
    initial: { name },
    person: useMe().user.id,
    part: '#customer',
    newId: [id, setId],
    save: (customer) => create.mutateAsync({ id, ...customer }),
    onSaved: () => onCreated(id),
  });
  const { isDirty, onLeaving } = editor;
  useImperativeHandle(opened, () => ({ isDirty, onLeaving }), [isDirty, onLeaving]);
  return (
    <RecordForm
      editor={editor}
      what="this customer"
      frame="panel"
      actions={
        <FormActions cancel={<Button onClick={onClose}>Cancel</Button>} saving={editor.saving} label="Add Customer" savingLabel="Adding…" />
      }
    >
      <CustomerFields editor={editor} />
    </RecordForm>
  );
}
