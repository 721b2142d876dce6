import type { ChangeEmailInput, ChangePasswordInput, NewPassword, SignedInDevice } from '@callout/contract/auth';
import { queryOptions, useMutation } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { ignoreNotFound } from '../../lib/error-messages.ts';

/** Calls that change the signed-in account. Kept out of auth.api.ts, which every page loads for sign-in and sign-out. */
export const changePassword = (change: ChangePasswordInput) => api.auth.changePassword(change);
export const requestEmailChange = (change: ChangeEmailInput) => api.auth.requestEmailChange(change);
export const confirmEmailChange = (token: string) => api.auth.confirmEmailChange({ token });
export const requestEmailConfirmation = () => api.auth.requestEmailConfirmation();
export const undoEmailChange = (change: NewPassword) => api.auth.undoEmailChange(change);

export const signedInDevicesQueryOptions = queryOptions({
  queryKey: ['devices'],
  queryFn: async ({ signal }) => (await api.auth.sessions(undefined, { signal })).rows,
  meta: { inlineErrors: true },
});

const invalidates = [signedInDevicesQueryOptions.queryKey];

export function useSignOutDevice() {
  return useMutation({
    mutationFn: ({ id }: SignedInDevice) => ignoreNotFound(api.auth.endSession({ id })),
    meta: {
      success: (_output: unknown, device: SignedInDevice) => `${formatDeviceName(device)} signed out`,
      failure: 'Failed to sign out the device: {message}',
      invalidates,
    },
  });
}

export function useSignOutOtherDevices() {
  return useMutation({
    mutationFn: () => api.auth.endOtherSessions(),
    meta: { success: 'All other devices signed out', failure: 'Failed to sign out the devices: {message}', invalidates },
  });
}

export function formatDeviceName({ browser, system }: SignedInDevice): string {
  return system === null ? (browser ?? 'Unknown device') : `${browser ?? 'Unknown browser'} on ${system}`;
}
