import type { Me, Profile } from '@callout/contract/company';
import { type Capability, can } from '@callout/domain/roles/roles';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { createContext, use } from 'react';
import { api } from '../../lib/api.ts';
import { companyTimeZone, setCompanyTimeZone } from '../../lib/time-zone.ts';

const FRESH_MS = 5 * 60_000;

/** The signed-in person and their company. The route guard reports failures. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async ({ signal }) => {
    const me = await api.company.me(undefined, { signal });
    setCompanyTimeZone(me.profile?.timezone ?? null);
    return me;
  },
  staleTime: FRESH_MS,
  meta: { inlineErrors: true },
});

/** Provided by the shell: dozens of components ask for it, and each would watch the query by itself. */
export const MeContext = createContext<Me | undefined>(undefined);

/** Known on every page of the shell. */
export function useMe(): Me {
  const me = use(MeContext);
  if (!me) throw new Error('Only pages of the shell know who is signed in');
  return me;
}

export function useProfile(): Profile | null {
  return useMe().profile;
}

/** Also when it is changed while a page is open. */
export function useCompanyTimeZone(): string {
  useProfile();
  return companyTimeZone();
}

/** Whether the person's role allows this. Hide what the server would refuse. */
export function useCan(capability: Capability): boolean {
  return can(useProfile()?.role, capability);
}

/** The first steps on the dashboard. `silent`: nobody asked for it, so nobody is told if it could not be saved. */
export function useDismissStartCard(silent: boolean) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => api.company.dismissStartCard(),
    onSuccess: (me) => queryClient.setQueryData(meQuery.queryKey, me),
    meta: silent ? {} : { failure: 'Failed to dismiss: {message}' },
  });
}
