import type { Me, Profile } from '@callout/contract/company';
import { type Capability, hasCapability } from '@callout/domain/roles/roles';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { createContext, use } from 'react';
import { api } from '../../lib/api.ts';
import { defineCommand, overlay } from '../../lib/commands/define-command.ts';
import { useCommand } from '../../lib/commands/use-command.ts';
import { getErrorMessage, reportFailure } from '../../lib/error-messages.ts';
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

export const cacheMe = (queryClient: QueryClient, me: Me) => queryClient.setQueryData(meQueryOptions.queryKey, me);

export const dismissStartCard = defineCommand({
  call: 'company.dismissStartCard',
  lane: () => 'start card',
  describe: () => 'Dismiss the "Get started" card',
  href: () => '/dashboard',
  overlays: () => [overlay<Me>(meQueryOptions.queryKey, (me) => ({ ...me, start_card_dismissed: true }), { exact: true })],
  cacheAnswer: cacheMe,
});

/** Dismisses the "Get started" card. Pass `isSilent` if the app dismisses the card, so that nothing but the card changes. */
export const useDismissGetStartedCard = (isSilent: boolean) =>
  useCommand(dismissStartCard, {
    isSilent,
    onRefused: (error) => isSilent || reportFailure(error, `Failed to dismiss the card: ${getErrorMessage(error)}`),
  });
