import type { EmailChange, NewPassword, PasswordChange } from '@callout/contract/auth';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';

/** Changes to one's own account; loaded apart from signing in and out, which every page needs. */
export const changePassword = (change: PasswordChange) => api.auth.changePassword(change);
export const requestEmailChange = (change: EmailChange) => api.auth.requestEmailChange(change);
export const confirmEmailChange = (token: string) => api.auth.confirmEmailChange({ token });
export const requestEmailConfirmation = () => api.auth.requestEmailConfirmation();
export const undoEmailChange = (change: NewPassword) => api.auth.undoEmailChange(change);

export const devicesQuery = queryOptions({
  queryKey: ['devices'],
  queryFn: async ({ signal }) => (await api.auth.sessions(undefined, { signal })).rows,
  meta: { inlineErrors: true },
});

/** Signs out one device, or all others without an id. */
export function useSignOutDevices() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string | undefined) => (id === undefined ? api.auth.endOtherSessions() : api.auth.endSession({ id })),
    onSettled: () => queryClient.invalidateQueries({ queryKey: devicesQuery.queryKey }),
  });
}
