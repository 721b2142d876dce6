import type { AcceptedInvitation } from '@callout/contract/staff';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { getErrorMessage, hasErrorCode } from '../../lib/error-messages.ts';

/** Kept in a separate file, so that the public invitation page's bundle stays small. */
export function invitationQueryOptions(token: string) {
  return queryOptions({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => api.staff.viewInvitation({ token }, { signal }),
    // A refetch must not replace the form while the user is typing.
    staleTime: Number.POSITIVE_INFINITY,
    meta: { inlineErrors: true },
  });
}

export const acceptInvitation = (invitation: AcceptedInvitation) => api.staff.acceptInvitation(invitation);

/** Lists the companies that invited the signed-in person. Errors are not shown. */
export const myInvitationsQueryOptions = queryOptions({
  queryKey: ['my-invitations'],
  queryFn: ({ signal }) => api.staff.myInvitations(undefined, { signal }),
  meta: { inlineErrors: true },
});

/** Calls `onJoined` once the previous company's cached data is cleared and the signed-in person is refetched. */
export function useJoinCompany(name: string, onJoined: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (company_id: string) => api.staff.joinCompany({ company_id }),
    onSuccess: async () => {
      await queryClient.resetQueries();
      onJoined();
    },
    onError: async (error) => {
      if (hasErrorCode(error, 'NOT_FOUND')) await queryClient.invalidateQueries(myInvitationsQueryOptions);
    },
    meta: {
      failure: (error) =>
        hasErrorCode(error, 'NOT_FOUND')
          ? 'This invitation was withdrawn or has expired.'
          : `Failed to join ${name}: ${getErrorMessage(error)}`,
    },
  });
}
