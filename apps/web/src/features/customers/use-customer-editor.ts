import type { Customer } from '@callout/contract/customers';
import { messageOf } from '../../lib/error-messages.ts';
import { reportFailure } from '../../lib/report-failure.ts';
import { useRecordEditor } from '../../lib/use-record-editor.ts';
import { toast } from '../../ui/toast.ts';
import { useMe } from '../company/company.api.ts';
import { CustomerFormSchema } from './customer-form-schema.ts';
import { customerValues, withoutHiddenFields } from './customer-values.ts';
import { useUpdateCustomer } from './customers.api.ts';

export function useCustomerEditor(customer: Customer) {
  const update = useUpdateCustomer();
  return useRecordEditor({
    record: customer,
    person: useMe().user.id,
    schema: CustomerFormSchema,
    valuesOf: customerValues,
    shown: withoutHiddenFields,
    save: (values, version) => update.mutateAsync({ id: customer.id, version, ...values }),
    saved: () => toast.success('Customer updated successfully'),
    failed: (error) => reportFailure(error, `Failed to update customer: ${messageOf(error)}`),
  });
}
