import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { getErrorMessage, hasErrorCode } from '../../lib/error-messages.ts';
import { meQueryOptions } from './company.api.ts';

export const isNameMismatch = (error: unknown) => hasErrorCode(error, 'NOT_CONFIRMED') || hasErrorCode(error, 'INVALID_INPUT');

/** Shows no message on success, because the page of the closed company opens. */
export function useRequestCompanyDeletion() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (confirmation: string) => api.company.requestDeletion({ confirmation }),
    onSuccess: ({ deletes_at }) =>
      queryClient.setQueryData(meQueryOptions.queryKey, (me) => me && { ...me, company_deletes_at: deletes_at }),
    meta: {
      // The confirmation field shows the mismatch, so no toast is needed.
      failure: (error) => (isNameMismatch(error) ? undefined : `Failed to delete the company: ${getErrorMessage(error)}`),
      inlineErrors: true,
    },
  });
}

export function useCancelCompanyDeletion() {
  return useMutation({
    mutationFn: () => api.company.cancelDeletion(),
    meta: {
      success: 'The company is open again',
      failure: 'Failed to undo the deletion: {message}',
      invalidates: [meQueryOptions.queryKey],
    },
  });
}
