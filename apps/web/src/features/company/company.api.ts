import type { Me, Profile } from '@callout/contract/company';
import { type Capability, can } from '@callout/domain/roles/roles';
import { queryOptions, useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/error-messages.ts';

const FRESH_MS = 5 * 60_000;

/** The signed-in person and their company. The route guard reports failures. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => api.company.me(undefined, { signal }),
  staleTime: FRESH_MS,
  meta: { inlineErrors: true },
});

/** Already loaded on every page behind the route guard. */
export function useMe(): Me {
  return useSuspenseQuery(meQuery).data;
}

export function useProfile(): Profile | null {
  return useMe().profile;
}

/** Whether the person's role allows this. Hide what the server would refuse. */
export function useCan(capability: Capability): boolean {
  return can(useProfile()?.role, capability);
}

type DismissReason = 'pressed' | 'complete';

/** The first steps on the dashboard. 'complete': they disappear by themselves, so nobody is told if it could not be saved. */
export function useDismissStartCard() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (_reason: DismissReason) => api.company.dismissStartCard(),
    onSuccess: (me) => queryClient.setQueryData(meQuery.queryKey, me),
    meta: {
      failure: (error, reason: DismissReason) => (reason === 'pressed' ? `Failed to dismiss: ${messageOf(error)}` : undefined),
    },
  });
}
