import type { Onboarding } from '@callout/contract/company';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { meQuery } from './company.api.ts';

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
