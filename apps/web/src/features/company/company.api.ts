import type { Me, Onboarding, Profile } from '@callout/contract/company';
import { type Capability, can } from '@callout/domain/roles/roles';
import { queryOptions, useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';

const FRESH_MS = 5 * 60_000;

/** Who is signed in, and their company. Quiet: the guard of the pages says what failed. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => api.company.me(undefined, { signal }),
  staleTime: FRESH_MS,
  meta: { quiet: true },
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

/** Makes the company of a person who has none yet; asked twice, the server answers with the one that exists. */
export function useStartCompany() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => api.company.start(),
    onSuccess: (me) => queryClient.setQueryData(meQuery.queryKey, me),
  });
}

export function useCompleteOnboarding() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (onboarding: Onboarding) => api.company.completeOnboarding(onboarding),
    onSuccess: (me) => queryClient.setQueryData(meQuery.queryKey, me),
  });
}
