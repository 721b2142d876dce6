import type { AcceptedInvitation } from '@callout/contract/staff';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { hasCode, messageOf } from '../../lib/error-messages.ts';

/** What the holder of a mailed link sees before they join. Apart from the other calls, because nobody is signed in here. */
export function invitationOptions(token: string) {
  return queryOptions({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => api.staff.viewInvitation({ token }, { signal }),
    // What is being typed must not be taken away by a fresh look at the link.
    staleTime: Number.POSITIVE_INFINITY,
    meta: { inlineErrors: true },
  });
}

export const acceptInvitation = (invitation: AcceptedInvitation) => api.staff.acceptInvitation(invitation);

/** Who invited the person who is signed in. Quiet: without an answer nothing is offered. */
export const myInvitationsQuery = queryOptions({
  queryKey: ['my-invitations'],
  queryFn: ({ signal }) => api.staff.myInvitations(undefined, { signal }),
  meta: { inlineErrors: true },
});

/** `onJoined`: nothing of the company that was replaced is known any more, and who the person is has been read afresh. */
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
