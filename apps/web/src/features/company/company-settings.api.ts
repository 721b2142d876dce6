import type { CompanySettings, Me, Onboarding, Profile } from '@callout/contract/company';
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { defineCommand, overlay } from '../../lib/commands/define-command.ts';
import { useCommand } from '../../lib/commands/use-command.ts';
import { CallError, hasErrorCode } from '../../lib/error-messages.ts';
import { applySavedCompanyTimeZone } from '../../lib/time-zone.ts';
import { uploadFile } from '../../lib/upload-file.ts';
import { toast } from '../../ui/toast.ts';
import { cacheMe, meQueryOptions } from './company.api.ts';

/** Refetches the profile even if the cached one isn't stale yet, so that the settings form shows the latest values. */
export function useFreshProfile() {
  return useQuery({ ...meQueryOptions, staleTime: 0 });
}

/** Returns true once the currency can no longer change. The topic covers the first quote, invoice or payment. */
export function useIsCurrencyFinal(): boolean {
  const query = useQuery({
    queryKey: ['company', 'currency'],
    queryFn: ({ signal }) => api.company.currency(undefined, { signal }),
    meta: { inlineErrors: true, topics: ['quotes', 'invoices'] },
  });
  return query.data?.is_final ?? false;
}

/** Sets up a new owner's company. Idempotent: a retry returns the existing company. */
export function useCompleteOnboarding(failure: 'Error saving profile' | 'Error creating profile') {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (onboarding: Onboarding) => api.company.completeOnboarding(onboarding),
    onSuccess: (me) => queryClient.setQueryData(meQueryOptions.queryKey, me),
    onError: async (error) => {
      // The user has set up or joined a company in another tab or on another device, so load that company.
      if (hasErrorCode(error, 'ALREADY_DONE') || hasErrorCode(error, 'FORBIDDEN')) await queryClient.invalidateQueries(meQueryOptions);
    },
    meta: {
      success: 'Profile saved successfully',
      failure: (error) => {
        if (hasErrorCode(error, 'ALREADY_DONE')) return error.message;
        if (hasErrorCode(error, 'FORBIDDEN')) return 'You already belong to a company.';
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
      queryClient.setQueryData(meQueryOptions.queryKey, me);
      if (!me.profile) throw new Error('The response contains no company profile');
      applySavedCompanyTimeZone(me.profile.timezone);
      return me.profile;
    },
    meta: { success: 'Settings updated successfully', failure: 'Failed to update settings', inlineErrors: true },
  });
}

export const LOGO_UPLOADED_MESSAGE = 'Logo uploaded successfully';

export function useUploadLogo() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (file: File) => (await uploadFile('/company/logo', file)) as { avatar_url: string },
    onSuccess: ({ avatar_url }) =>
      patchMe(queryClient, ({ profile, ...me }) => ({ ...me, profile: profile && { ...profile, avatar_url } })),
    meta: { success: LOGO_UPLOADED_MESSAGE, failure: 'Failed to upload logo', invalidates: [meQueryOptions.queryKey] },
  });
}

export function useRemoveLogo() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => api.company.removeLogo(),
    onSuccess: (me) => queryClient.setQueryData(meQueryOptions.queryKey, me),
    meta: { success: 'Logo removed', failure: 'Failed to remove logo' },
  });
}

export const saveMenuOrder = defineCommand({
  call: 'company.saveMenuOrder',
  lane: () => 'menu order',
  describe: ({ menu_order }) => (menu_order ? 'Change the menu order' : 'Reset the menu order'),
  href: () => '/settings',
  overlays: ({ menu_order }) => [overlay<Me>(meQueryOptions.queryKey, (me) => ({ ...me, menu_order }), { exact: true })],
  cacheAnswer: cacheMe,
  failure: 'Failed to update menu order: {message}',
});

export const useSaveMenuOrder = () =>
  useCommand(saveMenuOrder, {
    onAnswer: (_me, { menu_order }) =>
      toast.success(menu_order ? 'Menu order updated' : 'Menu order reset to default', { id: 'menu-order' }),
  });

function patchMe(queryClient: QueryClient, change: (me: Me) => Me): void {
  queryClient.setQueryData(meQueryOptions.queryKey, (me) => me && change(me));
}
