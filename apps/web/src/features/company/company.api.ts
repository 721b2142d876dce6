import type { Me, Profile } from '@callout/contract/company';
import { type Capability, hasCapability } from '@callout/domain/roles/roles';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { createContext, use } from 'react';
import { api } from '../../lib/api.ts';
import { getCompanyTimeZone, setCompanyTimeZone } from '../../lib/time-zone.ts';

const ME_STALE_TIME_MS = 5 * 60_000;

/** Reads the signed-in user and their company. Reports no errors, because the route guard does. */
export const meQueryOptions = queryOptions({
  queryKey: ['me'],
  queryFn: async ({ signal }) => {
    const me = await api.company.me(undefined, { signal });
    setCompanyTimeZone(me.profile?.timezone ?? null);
    return me;
  },
  staleTime: ME_STALE_TIME_MS,
  meta: { inlineErrors: true },
});

/** The signed-in user and their company. Provided by the shell, so that dozens of components don't each observe the query. */
export const MeContext = createContext<Me | undefined>(undefined);

export function useMe(): Me {
  const me = use(MeContext);
  if (!me) throw new Error('useMe must be used inside the shell');
  return me;
}

export function useProfile(): Profile | null {
  return useMe().profile;
}

/** Returns the company's time zone and rerenders the component when the zone changes. */
export function useCompanyTimeZone(): string {
  useProfile();
  return getCompanyTimeZone();
}

/** Returns true if the user's role has the capability. Use it to hide actions that the server would reject. */
export function useCan(capability: Capability): boolean {
  return hasCapability(useProfile()?.role, capability);
}

/** Dismisses the "Get started" card. Pass `silent` if the app dismisses the card, so that a failure shows no toast. */
export function useDismissGetStartedCard(silent: boolean) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => api.company.dismissStartCard(),
    onSuccess: (me) => queryClient.setQueryData(meQueryOptions.queryKey, me),
    meta: silent ? {} : { failure: 'Failed to dismiss the card: {message}' },
  });
}
