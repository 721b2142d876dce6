import type { Customer, CustomerDuplicate, CustomerInput } from '@callout/contract/customers';
import { formatCustomerName } from '@callout/domain/customers/customer';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import { useWatch } from 'react-hook-form';
import { FormFields } from '../../lib/form-fields.tsx';
import type { RecordEditor } from '../../lib/use-record-form.ts';
import { useDebouncedValue } from '../../ui/debounced-search-field.tsx';
import type { customerForm } from './customer-form.ts';
import { customerDuplicatesQueryOptions } from './customers.api.ts';

type ContactField = CustomerDuplicate['same'];

interface CustomerFieldsProps {
  editor: RecordEditor<typeof customerForm.initial, CustomerInput, Customer>;
  /** Id of the customer being edited; undefined for a new customer. */
  id?: string | undefined;
}

/** Form fields with a warning if another customer has the same phone number or email address. Saving stays possible. */
export function CustomerFields({ editor, id }: CustomerFieldsProps) {
  return (
    <FormFields
      editor={editor}
      extras={{
        phone: { hint: <DuplicateHint editor={editor} field="phone" id={id} fieldName="phone number" /> },
        email: { hint: <DuplicateHint editor={editor} field="email" id={id} fieldName="email" /> },
      }}
    />
  );
}

const DUPLICATE_CHECK_DEBOUNCE_MS = 300;

/** A phone number with fewer digits is probably still being typed, so it isn't checked. */
const MIN_PHONE_DIGITS = 5;
const looksComplete = (field: ContactField, text: string) =>
  field === 'phone' ? text.replace(/\D/g, '').length >= MIN_PHONE_DIGITS : text.includes('@');

function useDuplicateCustomer({ form }: CustomerFieldsProps['editor'], field: ContactField, customerId: string | undefined) {
  const typed = useWatch({ control: form.control, name: field });
  const text = useDebouncedValue(typed, DUPLICATE_CHECK_DEBOUNCE_MS).trim();
  // While the user types, and after a reset, the debounced text is out of date. Ignore it until it matches the field.
  const isChanged = text === typed.trim() && text !== form.formState.defaultValues?.[field];
  const { data } = useQuery({ ...customerDuplicatesQueryOptions({ [field]: text }), enabled: isChanged && looksComplete(field, text) });
  return isChanged ? data?.rows.find(({ id }) => id !== customerId) : undefined;
}

interface DuplicateHintProps extends CustomerFieldsProps {
  field: ContactField;
  fieldName: string;
}

/** Warns about a duplicate. A separate component, so that typing in the field doesn't rerender the whole form. */
function DuplicateHint({ editor, field, id, fieldName }: DuplicateHintProps) {
  const customer = useDuplicateCustomer(editor, field, id);
  if (!customer) return null;
  return (
    <span role="status" className="flex items-start gap-1.5 text-warn-ink">
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <span className="min-w-0 [overflow-wrap:anywhere]">
        {/* Opens in a new tab, so that the unsaved form isn't lost. */}
        <Link to="/customers/$id" params={{ id: customer.id }} target="_blank" className="font-medium underline">
          {formatCustomerName(customer)}
        </Link>{' '}
        has the same {fieldName}.
      </span>
    </span>
  );
}
