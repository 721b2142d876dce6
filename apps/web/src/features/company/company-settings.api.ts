import type { CompanySettings, Me, Profile } from '@callout/contract/company';
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { keepTimeZone } from '../../lib/time-zone.ts';
import { uploadFile } from '../../lib/upload-file.ts';
import { meQuery } from './company.api.ts';

const MENU_ORDER = ['menu-order'];

/** Whoever opens the settings changes what counts now, not what counted minutes ago. */
export function useFreshProfile() {
  return useQuery({ ...meQuery, staleTime: 0 });
}

export function useUpdateSettings() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (settings: CompanySettings): Promise<Profile> => {
      const me = await api.company.update(settings);
      queryClient.setQueryData(meQuery.queryKey, me);
      if (!me.profile) throw new Error('The saved settings did not come back');
      keepTimeZone(me.profile.timezone);
      return me.profile;
    },
  });
}

export function useUploadLogo() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (file: File) => (await uploadFile('/company/logo', file)) as { avatar_url: string },
    onSuccess: ({ avatar_url }) => patch(queryClient, ({ profile, ...me }) => ({ ...me, profile: profile && { ...profile, avatar_url } })),
    onSettled: () => queryClient.invalidateQueries({ queryKey: meQuery.queryKey }),
  });
}

export function useRemoveLogo() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => api.company.removeLogo(),
    onSuccess: (me) => queryClient.setQueryData(meQuery.queryKey, me),
  });
}

/** The menu follows at once; several moves are saved one after the other, and only the last answer counts. */
export function useSaveMenuOrder() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationKey: MENU_ORDER,
    scope: { id: 'menu-order' },
    mutationFn: (menu_order: string[] | null) => api.company.saveMenuOrder({ menu_order }),
    onMutate: (menu_order) => {
      const before = queryClient.getQueryData(meQuery.queryKey)?.menu_order ?? null;
      patch(queryClient, (me) => ({ ...me, menu_order }));
      return before;
    },
    onSuccess: (me) => {
      if (queryClient.isMutating({ mutationKey: MENU_ORDER }) === 1) queryClient.setQueryData(meQuery.queryKey, me);
    },
    onError: (_error, _order, before = null) => patch(queryClient, (me) => ({ ...me, menu_order: before })),
  });
}

function patch(queryClient: QueryClient, change: (me: Me) => Me): void {
  queryClient.setQueryData(meQuery.queryKey, (me) => me && change(me));
}
