import type { Customer } from '@callout/contract/customers';
import { useEffect, useRef, useState } from 'react';
import { hasCode, messageOf } from '../../lib/error-messages.ts';
import { reportFailure } from '../../lib/report-failure.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { useServerForm } from '../../lib/use-server-form.ts';
import { toast } from '../../ui/toast.ts';
import { useMe } from '../company/company.api.ts';
import { CustomerFormSchema } from './customer-form-schema.ts';
import { type CustomerValues, customerValues, mergeCustomer } from './customer-values.ts';
import { useUpdateCustomer } from './customers.api.ts';

/**
 * The form of one customer, filled from a version (`base`). A newer version replaces untouched fields silently;
 * when something is typed it waits until the person has seen both.
 */
export function useCustomerEditor(customer: Customer) {
  const update = useUpdateCustomer();
  const base = useRef(customer);
  const sent = useRef(customerValues(customer));
  const [conflict, setConflict] = useState<Customer | null>(null);

  const { form, submit, saving, isDirty } = useServerForm({
    schema: CustomerFormSchema,
    defaultValues: customerValues(customer),
    save: (values) => {
      sent.current = form.getValues();
      return update.mutateAsync({ id: customer.id, version: base.current.version, ...values });
    },
    saved: (saved) => {
      rebase(saved, mergeCustomer(sent.current, form.getValues(), customerValues(saved)));
      toast.success('Customer updated successfully');
    },
    failed: (error, atFields) => {
      const current = staleCustomer(error);
      if (current) setConflict(current);
      else if (!atFields) reportFailure(error, `Failed to update customer: ${messageOf(error)}`);
    },
  });

  useDraft(form, useMe().user.id);

  /** From here on the form stands on this version; what is typed beyond it counts as unsaved. */
  const rebase = (version: Customer, values: CustomerValues = customerValues(version)) => {
    base.current = version;
    setConflict(null);
    form.reset(customerValues(version));
    form.reset(values, { keepDefaultValues: true });
  };

  const changedElsewhere = !saving && customer.version > base.current.version;
  const { isDirty: dirty } = form.formState;
  useEffect(() => {
    if (changedElsewhere && !dirty) rebase(customer);
  });

  const baseValues = customerValues(base.current);
  return {
    form,
    submit,
    saving,
    dirty,
    isDirty,
    discard: () => rebase(customer),
    /** Set once a save was refused, or the person asked to compare. */
    conflict: conflict && { base: baseValues, yours: form.getValues(), theirs: customerValues(conflict) },
    changedElsewhere: changedElsewhere && dirty && !conflict,
    compare: () => setConflict(customer),
    loadTheirs: () => conflict && rebase(conflict),
    saveMine: () => {
      if (!conflict) return;
      rebase(conflict, mergeCustomer(baseValues, form.getValues(), customerValues(conflict)));
      submit();
    },
  };
}

function staleCustomer(error: unknown): Customer | null {
  if (!hasCode(error, 'STALE_VERSION')) return null;
  return (error.data as { current: Customer }).current;
}
