import type { CompanySettings, Me, Onboarding, Profile } from '@callout/contract/company';
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { CallError, hasCode } from '../../lib/error-messages.ts';
import { updateOptimistically } from '../../lib/query-cache.ts';
import { keepSavedTimeZone } from '../../lib/time-zone.ts';
import { uploadFile } from '../../lib/upload-file.ts';
import { meQuery } from './company.api.ts';

const MENU_ORDER = ['menu-order'];

/** Always refetched, so that nobody edits settings from minutes ago. */
export function useFreshProfile() {
  return useQuery({ ...meQuery, staleTime: 0 });
}

/** Creates the company of a person who has none. Sent twice, it returns the one that exists. */
export function useCompleteOnboarding(failure: 'Error saving profile' | 'Error creating profile') {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (onboarding: Onboarding) => api.company.completeOnboarding(onboarding),
    onSuccess: (me) => queryClient.setQueryData(meQuery.queryKey, me),
    onError: async (error) => {
      // They set up or joined a company in another tab, or on another device.
      if (hasCode(error, 'ALREADY_DONE') || hasCode(error, 'FORBIDDEN')) await queryClient.invalidateQueries(meQuery);
    },
    meta: {
      success: 'Profile saved successfully',
      failure: (error) => {
        if (hasCode(error, 'ALREADY_DONE')) return error.message;
        if (hasCode(error, 'FORBIDDEN')) return 'You already belong to a company.';
        return error instanceof CallError ? failure : 'An unexpected error occurred';
      },
      inlineErrors: true,
    },
  });
}

export function useUpdateSettings() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (settings: CompanySettings): Promise<Profile> => {
      const me = await api.company.update(settings);
      queryClient.setQueryData(meQuery.queryKey, me);
      if (!me.profile) throw new Error('The saved settings did not come back');
      keepSavedTimeZone(me.profile.timezone);
      return me.profile;
    },
    meta: { success: 'Settings updated successfully', failure: 'Failed to update settings', inlineErrors: true },
  });
}

export const LOGO_UPLOADED = 'Logo uploaded successfully';

export function useUploadLogo() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (file: File) => (await uploadFile('/company/logo', file)) as { avatar_url: string },
    onSuccess: ({ avatar_url }) => patch(queryClient, ({ profile, ...me }) => ({ ...me, profile: profile && { ...profile, avatar_url } })),
    meta: { success: LOGO_UPLOADED, failure: 'Failed to upload logo', refreshes: [meQuery.queryKey] },
  });
}

export function useRemoveLogo() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => api.company.removeLogo(),
    onSuccess: (me) => queryClient.setQueryData(meQuery.queryKey, me),
    meta: { success: 'Logo removed', failure: 'Failed to remove logo' },
  });
}

/** An optimistic update: the menu changes at once. Several moves are saved in order, and only the last response is used. */
export function useSaveMenuOrder() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationKey: MENU_ORDER,
    scope: { id: 'menu-order' },
    mutationFn: (menu_order: string[] | null) => api.company.saveMenuOrder({ menu_order }),
    onMutate: (menu_order) =>
      updateOptimistically<Me>(queryClient, { queryKey: meQuery.queryKey, exact: true }, (me) => ({ ...me, menu_order })),
    onSuccess: (me) => {
      if (queryClient.isMutating({ mutationKey: MENU_ORDER }) === 1) queryClient.setQueryData(meQuery.queryKey, me);
    },
    onSettled: (_me, error, _order, settle) => settle?.(error),
    meta: { failure: 'Failed to update menu order: {message}' },
  });
}

function patch(queryClient: QueryClient, change: (me: Me) => Me): void {
  queryClient.setQueryData(meQuery.queryKey, (me) => me && change(me));
}
