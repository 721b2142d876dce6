import type { Me, Profile } from '@callout/contract/company';
import { type Capability, can } from '@callout/domain/roles/roles';
import { queryOptions, useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';

const FRESH_MS = 5 * 60_000;

/** Who is signed in, and their company. Quiet: the guard of the pages says what failed. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => api.company.me(undefined, { signal }),
  staleTime: FRESH_MS,
  meta: { inlineErrors: true },
});

/** On every page behind the guard the answer is already there. */
export function useMe(): Me {
  return useSuspenseQuery(meQuery).data;
}

export function useProfile(): Profile | null {
  return useMe().profile;
}

/** Whether the person's role may do this: what would be refused is not shown. */
export function useCan(capability: Capability): boolean {
  return can(useProfile()?.role, capability);
}

/** The first steps on the dashboard. */
export function useDismissStartCard() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => api.company.dismissStartCard(),
    onSuccess: (me) => queryClient.setQueryData(meQuery.queryKey, me),
  });
}
