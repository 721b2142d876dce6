import type { Customer } from '@callout/contract/customers';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { messageOf } from '../../lib/error-messages.ts';
import { reportFailure } from '../../lib/report-failure.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { toast } from '../../ui/toast.ts';
import { forgetCustomer, type useDeleteCustomer } from './customers.api.ts';

interface DeleteCustomerProps {
  customer: Customer;
  /** Held by the page, which must know that the customer is gone by its own doing. */
  remove: ReturnType<typeof useDeleteCustomer>;
}

export function DeleteCustomer({ customer, remove }: DeleteCustomerProps) {
  const [asking, setAsking] = useState(false);
  const navigate = useNavigate();
  const queryClient = useQueryClient();

  const confirm = async () => {
    try {
      await remove.mutateAsync(customer);
    } catch (error) {
      setAsking(false);
      reportFailure(error, `Failed to delete customer: ${messageOf(error)}`);
      return;
    }
    toast.success('Customer deleted successfully');
    await navigate({ to: '/customers', replace: true, ignoreBlocker: true });
    forgetCustomer(queryClient, customer.id);
  };

  return (
    <>
      <Button onClick={() => setAsking(true)}>
        <Trash2 aria-hidden="true" />
        Delete
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Delete customer"
        description="Are you sure you want to delete this customer? This action cannot be undone."
        confirmLabel={remove.isPending ? 'Deleting…' : 'Delete'}
        busy={remove.isPending}
        onConfirm={() => void confirm()}
      />
    </>
  );
}
