import type { Customer } from '@callout/contract/customers';
import { useEffect, useRef, useState } from 'react';
import { hasCode, messageOf } from '../../lib/error-messages.ts';
import { reportFailure } from '../../lib/report-failure.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { useServerForm } from '../../lib/use-server-form.ts';
import { toast } from '../../ui/toast.ts';
import { useMe } from '../company/company.api.ts';
import { CustomerFormSchema } from './customer-form-schema.ts';
import { type CustomerValues, customerDifferences, customerValues, isSavedAs, mergeCustomer } from './customer-values.ts';
import { useUpdateCustomer } from './customers.api.ts';

/**
 * The form of one customer, filled from a version (`base`). A newer version replaces untouched fields silently;
 * when something is typed it waits until the person has seen both.
 */
export function useCustomerEditor(customer: Customer) {
  const update = useUpdateCustomer();
  const [base, setBase] = useState(customer);
  /** For a save right after a rebase, before the new base is rendered. */
  const version = useRef(customer.version);
  const sent = useRef(customerValues(customer));
  const [conflict, setConflict] = useState<Customer | null>(null);

  const { form, submit, saving, isDirty } = useServerForm({
    schema: CustomerFormSchema,
    defaultValues: customerValues(customer),
    save: (values) => {
      sent.current = form.getValues();
      return update.mutateAsync({ id: customer.id, version: version.current, ...values });
    },
    saved: (saved) => adopt(saved),
    failed: (error, atFields) => {
      const current = staleCustomer(error);
      if (current && isSavedAs(sent.current, customerValues(current))) adopt(current);
      else if (current) setConflict(current);
      else if (!atFields) reportFailure(error, `Failed to update customer: ${messageOf(error)}`);
    },
  });

  useDraft(form, useMe().user.id);

  /** From here on the form stands on this version; what is typed beyond it counts as unsaved. */
  const rebase = (newer: Customer, values: CustomerValues = customerValues(newer)) => {
    setBase(newer);
    version.current = newer.version;
    setConflict(null);
    form.reset(customerValues(newer));
    form.reset(values, { keepDefaultValues: true });
  };

  /** What was typed while the save was under way stays. */
  const adopt = (saved: Customer) => {
    rebase(saved, mergeCustomer(sent.current, form.getValues(), customerValues(saved)));
    toast.success('Customer updated successfully');
  };

  const changedElsewhere = !saving && customer.version > base.version;
  const { isDirty: dirty } = form.formState;
  if (changedElsewhere && !dirty) setBase(customer);
  useEffect(() => {
    if (version.current === base.version) return;
    version.current = base.version;
    form.reset(customerValues(base));
  }, [base, form]);

  const baseValues = customerValues(base);
  const differs = (newer: Customer) => customerDifferences(baseValues, form.getValues(), customerValues(newer)).length > 0;
  return {
    form,
    submit,
    saving,
    dirty,
    isDirty,
    discard: () => rebase(customer),
    /** Set once a save was refused, or the person asked to compare. */
    conflict: dirty && conflict && { base: baseValues, yours: form.getValues(), theirs: customerValues(conflict) },
    changedElsewhere: changedElsewhere && dirty && !conflict && differs(customer),
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
