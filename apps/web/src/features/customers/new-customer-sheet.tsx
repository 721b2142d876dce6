import { type RefObject, useImperativeHandle, useRef, useState } from 'react';
import { createId } from '../../lib/create-id.ts';
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
  /** Search term that prefills the name field; undefined while the sheet is closed. */
  name: string | undefined;
  onClose: () => void;
  onCreated: (id: string) => void;
  findReturnFocus?: (() => HTMLElement | null) | undefined;
}

/** Adds a customer without leaving the job or quote form. Asks for confirmation before discarding unsaved input. */
export function NewCustomerSheet({ name, onClose, onCreated, findReturnFocus }: NewCustomerSheetProps) {
  const form = useRef<FormHandle>(null);
  const [isConfirming, setConfirming] = useState(false);
  const close = () => (form.current?.isDirty() ? setConfirming(true) : onClose());
  return (
    <DialogFrame
      open={name !== undefined}
      onOpenChange={(open) => open || close()}
      title="Add New Customer"
      size="large"
      findReturnFocus={findReturnFocus}
    >
      <NewCustomerForm name={name ?? ''} formRef={form} onClose={close} onCreated={onCreated} />
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title="Leave without saving?"
        description="Your changes haven't been saved."
        confirmLabel="Leave"
        cancelLabel="Keep editing"
        onConfirm={() => {
          setConfirming(false);
          form.current?.onLeaving(true);
          onClose();
        }}
      />
    </DialogFrame>
  );
}

type FormHandle = Pick<ReturnType<typeof useRecordForm>, 'isDirty' | 'onLeaving'>;

interface NewCustomerFormProps {
  name: string;
  formRef: RefObject<FormHandle | null>;
  onClose: () => void;
  onCreated: (id: string) => void;
}

function NewCustomerForm({ name, formRef, onClose, onCreated }: NewCustomerFormProps) {
  const create = useCreateCustomer();
  const [id, setId] = useState(createId);
  const editor = useRecordForm({
    definition: customerForm,
    initial: { name },
    person: useMe().user.id,
    part: '#customer',
    newRecordId: [id, setId],
    save: (customer) => create(id, customer),
    onSaved: () => onCreated(id),
  });
  const { isDirty, onLeaving } = editor;
  useImperativeHandle(formRef, () => ({ isDirty, onLeaving }), [isDirty, onLeaving]);
  return (
    <RecordForm
      editor={editor}
      recordLabel="this customer"
      frame="panel"
      actions={
        <FormActions
          cancelLink={<Button onClick={onClose}>Cancel</Button>}
          saving={editor.saving}
          label="Add Customer"
          savingLabel="Adding…"
        />
      }
    >
      <CustomerFields editor={editor} />
    </RecordForm>
  );
}
