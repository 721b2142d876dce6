import type { EmailChange, NewPassword, PasswordChange, SignedInDevice } from '@callout/contract/auth';
import { queryOptions, useMutation } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { ignoreNotFound } from '../../lib/error-messages.ts';

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

const refreshes = [devicesQuery.queryKey];

export function useSignOutDevice() {
  return useMutation({
    mutationFn: ({ id }: SignedInDevice) => ignoreNotFound(api.auth.endSession({ id })),
    meta: {
      success: (_answer: unknown, device: SignedInDevice) => `${deviceName(device)} signed out`,
      failure: 'Failed to sign out the device: {message}',
      refreshes,
    },
  });
}

export function useSignOutOtherDevices() {
  return useMutation({
    mutationFn: () => api.auth.endOtherSessions(),
    meta: { success: 'All other devices signed out', failure: 'Failed to sign out the devices: {message}', refreshes },
  });
}

export function deviceName({ browser, system }: SignedInDevice): string {
  return system === null ? (browser ?? 'Unknown device') : `${browser ?? 'Unknown browser'} on ${system}`;
}
