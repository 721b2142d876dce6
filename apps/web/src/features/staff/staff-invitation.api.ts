import type { AcceptedInvitation } from '@callout/contract/staff';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { hasCode, messageOf } from '../../lib/error-messages.ts';

/** The invitation behind a link. In a file of its own, since the page that needs it is public. */
export function invitationOptions(token: string) {
  return queryOptions({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => api.staff.viewInvitation({ token }, { signal }),
    // A refetch must not replace the form while somebody types.
    staleTime: Number.POSITIVE_INFINITY,
    meta: { inlineErrors: true },
  });
}

export const acceptInvitation = (invitation: AcceptedInvitation) => api.staff.acceptInvitation(invitation);

/** The companies that invited the signed-in person. A failure shows nothing. */
export const myInvitationsQuery = queryOptions({
  queryKey: ['my-invitations'],
  queryFn: ({ signal }) => api.staff.myInvitations(undefined, { signal }),
  meta: { inlineErrors: true },
});

/** `onJoined` runs once nothing of the replaced company is cached and the person has been read again. */
export function useJoinCompany(name: string, onJoined: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (company_id: string) => api.staff.joinCompany({ company_id }),
    onSuccess: async () => {
      await queryClient.resetQueries();
      onJoined();
    },
    onError: async (error) => {
      if (hasCode(error, 'NOT_FOUND')) await queryClient.invalidateQueries(myInvitationsQuery);
    },
    meta: {
      failure: (error) =>
        hasCode(error, 'NOT_FOUND') ? 'This invitation was withdrawn or has expired.' : `Failed to join ${name}: ${messageOf(error)}`,
    },
  });
}
