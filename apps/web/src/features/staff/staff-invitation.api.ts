import type { AcceptedInvitation } from '@callout/contract/staff';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';

/** What the holder of a mailed link sees before they join. Apart from the other calls, because nobody is signed in here. */
export function invitationOptions(token: string) {
  return queryOptions({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => api.staff.viewInvitation({ token }, { signal }),
    // What is being typed must not be taken away by a fresh look at the link.
    staleTime: Number.POSITIVE_INFINITY,
    meta: { quiet: true },
  });
}

export const acceptInvitation = (invitation: AcceptedInvitation) => api.staff.acceptInvitation(invitation);
