import type { Customer, CustomerDuplicate, CustomerForm } from '@callout/contract/customers';
import { customerLabel } from '@callout/domain/customers/customer';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import { useWatch } from 'react-hook-form';
import { FormFields } from '../../lib/form-fields.tsx';
import type { RecordEditor } from '../../lib/use-record-form.ts';
import { useDebounced } from '../../ui/debounced-search-field.tsx';
import type { customerForm } from './customer-form.ts';
import { duplicatesOptions } from './customers.api.ts';

type ContactField = CustomerDuplicate['same'];

interface CustomerFieldsProps {
  editor: RecordEditor<typeof customerForm.initial, CustomerForm, Customer>;
  /** The customer that is being edited. */
  id?: string | undefined;
}

/** The fields of a customer, with a warning when another one has the same phone number or email. It never prevents saving. */
export function CustomerFields({ editor, id }: CustomerFieldsProps) {
  return (
    <FormFields
      editor={editor}
      extras={{
        phone: { hint: <DuplicateHint editor={editor} field="phone" id={id} what="phone number" /> },
        email: { hint: <DuplicateHint editor={editor} field="email" id={id} what="email" /> },
      }}
    />
  );
}

const PAUSE_MS = 300;

/** A shorter number or half an email is still being typed. */
const MIN_DIGITS = 5;
const isComplete = (field: ContactField, text: string) =>
  field === 'phone' ? text.replace(/\D/g, '').length >= MIN_DIGITS : text.includes('@');

function useDuplicate({ form }: CustomerFieldsProps['editor'], field: ContactField, ownId: string | undefined) {
  const typed = useWatch({ control: form.control, name: field });
  const text = useDebounced(typed, PAUSE_MS).trim();
  // While somebody types, and after the form was reset, `text` is still an older one.
  const isChanged = text === typed.trim() && text !== form.formState.defaultValues?.[field];
  const { data } = useQuery({ ...duplicatesOptions({ [field]: text }), enabled: isChanged && isComplete(field, text) });
  return isChanged ? data?.rows.find(({ id }) => id !== ownId) : undefined;
}

interface DuplicateHintProps extends CustomerFieldsProps {
  field: ContactField;
  what: string;
}

/** A component of its own, so that a letter typed into its field does not render the whole form. */
function DuplicateHint({ editor, field, id, what }: DuplicateHintProps) {
  const customer = useDuplicate(editor, field, id);
  if (!customer) return null;
  return (
    <span role="status" className="flex items-start gap-1.5 text-warn-ink">
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <span className="min-w-0 [overflow-wrap:anywhere]">
        {/* In a new tab, so that what was typed stays. */}
        <Link to="/customers/$id" params={{ id: customer.id }} target="_blank" className="font-medium underline">
          {customerLabel(customer)}
        </Link>{' '}
        has the same {what}.
      </span>
    </span>
  );
}
