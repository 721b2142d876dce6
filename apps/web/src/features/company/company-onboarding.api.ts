import type { Onboarding } from '@callout/contract/company';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { hasCode } from '../../lib/error-messages.ts';
import { meQuery } from './company.api.ts';

/** Makes the company of a person who has none yet; sent twice, the server answers with the one that exists. */
export function useCompleteOnboarding() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (onboarding: Onboarding) => api.company.completeOnboarding(onboarding),
    onSuccess: (me) => queryClient.setQueryData(meQuery.queryKey, me),
    onError: async (error) => {
      // They set up or joined a company in another tab, or on another device.
      if (hasCode(error, 'ALREADY_DONE') || hasCode(error, 'FORBIDDEN')) await queryClient.invalidateQueries(meQuery);
    },
  });
}
