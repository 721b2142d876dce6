import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { messageOf } from '../../lib/error-messages.ts';
import { newId } from '../../lib/new-id.ts';
import { reportFailure } from '../../lib/report-failure.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { useServerForm } from '../../lib/use-server-form.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { toast } from '../../ui/toast.ts';
import { UnsavedChanges } from '../../ui/unsaved-changes.tsx';
import { useMe } from '../company/company.api.ts';
import { CustomerFormFields } from './customer-form-fields.tsx';
import { CustomerFormSchema } from './customer-form-schema.ts';
import { EMPTY_CUSTOMER } from './customer-values.ts';
import { useCreateCustomer } from './customers.api.ts';

export function NewCustomerPage() {
  const navigate = useNavigate();
  const create = useCreateCustomer();
  /** Made once per form: sending again after a lost answer is the same customer, not a second one. */
  const [id] = useState(newId);
  const { form, submit, saving, isDirty } = useServerForm({
    schema: CustomerFormSchema,
    defaultValues: EMPTY_CUSTOMER,
    save: (customer) => create.mutateAsync({ id, ...customer }),
    saved: (customer) => {
      toast.success('Customer added successfully');
      return navigate({ to: '/customers/$id', params: { id: customer.id }, replace: true });
    },
    failed: (error, atFields) => {
      if (!atFields) reportFailure(error, `Failed to add customer: ${messageOf(error)}`);
    },
  });
  useDraft(form, useMe().user.id);
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeader title="Add New Customer" />
      <form noValidate onSubmit={submit}>
        <Card className="p-4 lg:p-5">
          <CustomerFormFields control={form.control} register={form.register} errors={form.formState.errors} />
        </Card>
        <div className="mt-4 flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
          <LinkButton to="/customers">Cancel</LinkButton>
          <Button type="submit" tone="primary" busy={saving}>
            {saving ? 'Adding…' : 'Add Customer'}
          </Button>
        </div>
      </form>
      <UnsavedChanges isDirty={isDirty} />
    </div>
  );
}
