import type { MyDetails, NewStaffMember, StaffMember, UpdateMyDetailsInput, UpdateStaffMemberInput } from '@callout/contract/staff';
import { ROLE_LABELS_WITH_ARTICLE } from '@callout/domain/roles/role-labels';
import { hasCapability } from '@callout/domain/roles/roles';
import { type QueryClient, type QueryKey, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { api } from '../../lib/api.ts';
import { createId } from '../../lib/create-id.ts';
import { CallError, getErrorMessage, hasErrorCode, isSignedOutError } from '../../lib/error-messages.ts';
import { UNEXPECTED_ERROR_MESSAGE } from '../../lib/request.ts';
import { uploadFile } from '../../lib/upload-file.ts';
import { meQueryOptions } from '../company/company.api.ts';

const staffKeys = {
  list: ['staff', 'list'],
  detail: (id: string) => ['staff', 'detail', id],
  feed: (id: string) => ['staff', 'feed', id],
  colors: ['staff-colors'],
};

/** Screens show failed reads inline with a Retry button instead of a toast. */
const QUERY_META = { inlineErrors: true };

export const staffListQueryOptions = queryOptions({
  queryKey: staffKeys.list,
  queryFn: ({ signal }) => api.staff.list(undefined, { signal }),
  meta: QUERY_META,
});

/** For a filter by a person who was deleted. */
export const FORMER_STAFF_LABEL = 'Former staff member';

/** Lists the people who can be assigned work. Every role can read these names, unlike the full staff list. */
export const staffNamesQueryOptions = queryOptions({
  queryKey: ['staff', 'names'],
  queryFn: async ({ signal }) => (await api.staff.names(undefined, { signal })).rows,
  meta: QUERY_META,
});

/** Never stale, because the colors are fixed. */
export const staffColorsQueryOptions = queryOptions({
  queryKey: staffKeys.colors,
  queryFn: ({ signal }) => api.staff.colors(undefined, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
  meta: QUERY_META,
});

const staffMemberQueryOptions = (id: string) =>
  queryOptions({ queryKey: staffKeys.detail(id), queryFn: ({ signal }) => api.staff.get({ id }, { signal }), meta: QUERY_META });

/** Starts with the member from the cached list, which is complete, so the page opens without waiting for the server. */
export function useStaffMember(id: string) {
  const queryClient = useQueryClient();
  return useQuery({
    ...staffMemberQueryOptions(id),
    initialData: () => queryClient.getQueryData(staffListQueryOptions.queryKey)?.rows.find((member) => member.id === id),
    initialDataUpdatedAt: () => queryClient.getQueryState(staffListQueryOptions.queryKey)?.dataUpdatedAt,
  });
}

type InvitationResult = Awaited<ReturnType<typeof api.staff.invite>>;

export function useInviteStaffMember() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (member: NewStaffMember) => api.staff.invite(member),
    onSuccess: ({ member }) => cacheStaffMember(queryClient, member),
    onError: (error) => {
      refreshMeIfUnconfirmed(queryClient, error);
      const colleague = findColleagueWithEmail(error);
      if (colleague) cacheStaffMember(queryClient, colleague);
    },
    meta: {
      success: ({ mail }: InvitationResult) =>
        mail === 'kept' ? undefined : 'Staff member invited successfully! They will receive an email to set up their account.',
      // The page shows who has the address next to the form, with what to do about it.
      failure: (error) => (hasErrorCode(error, 'EMAIL_TAKEN') ? undefined : formatInvitationFailure(error)),
      invalidates: [staffKeys.list],
      inlineErrors: true,
    },
  });
}

/** Returns the colleague who has the email address of a rejected invitation; undefined if no colleague has it. */
export function findColleagueWithEmail(error: unknown): StaffMember | undefined {
  return hasErrorCode(error, 'EMAIL_TAKEN') ? (error.data as { member: StaffMember } | undefined)?.member : undefined;
}

/** Formats 'Failed to add staff member: …' with the specification's reasons. */
export const formatInvitationFailure = (error: unknown) => `Failed to add staff member: ${getInvitationFailureReason(error)}`;

function getInvitationFailureReason(error: unknown): string {
  if (isSignedOutError(error)) return 'No access token available';
  if (hasErrorCode(error, 'FORBIDDEN')) return 'You do not have permission to add staff members';
  if (error instanceof CallError && error.code === 'UNREADABLE_RESPONSE') return `Server error: ${error.status}`;
  return getErrorMessage(error).replace(UNEXPECTED_ERROR_MESSAGE, 'An unexpected error occurred. Please try again.');
}

export function useUpdateStaffMember() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (change: UpdateStaffMemberInput) => api.staff.update(change),
    onSuccess: ({ member }) => {
      cacheStaffMember(queryClient, member);
      // Changing my own role changes what I can do, so 'me' must be refetched.
      if (queryClient.getQueryData(meQueryOptions.queryKey)?.user.staff_id === member.id)
        void queryClient.invalidateQueries(meQueryOptions);
    },
    onError: (error) => refreshMeIfUnconfirmed(queryClient, error),
    meta: {
      success: ({ member }: { member: StaffMember }) =>
        queryClient.getQueryData(meQueryOptions.queryKey)?.user.staff_id === member.id && !hasCapability(member.role, 'staff.manage')
          ? `You are now ${ROLE_LABELS_WITH_ARTICLE[member.role]}.`
          : 'Staff member updated successfully',
      subject: 'update-staff-member',
      // The form shows a taken email address next to its field.
      failure: (error) => (hasErrorCode(error, 'EMAIL_TAKEN') ? undefined : `Failed to update staff member: ${getErrorMessage(error)}`),
      invalidates: [staffKeys.list],
      inlineErrors: true,
    },
  });
}

export function useResendInvitation() {
  const queryClient = useQueryClient();
  // Reused until the request succeeds, so that a retry after a lost response doesn't send a second email.
  const requestId = useRef(createId());
  return useMutation({
    mutationFn: (id: string) => api.staff.resendInvitation({ id, request_id: requestId.current }),
    onSuccess: ({ member }) => {
      requestId.current = createId();
      cacheStaffMember(queryClient, member);
    },
    onError: (error) => refreshMeIfUnconfirmed(queryClient, error),
    meta: {
      success: ({ member, mail }: InvitationResult) => (mail === 'queued' ? `Invitation sent to ${member.email}` : undefined),
      failure: 'Failed to send the invitation: {message}',
      invalidates: [staffKeys.list],
    },
  });
}

/** Creates an invitation link. Only the response contains the link, so callers keep the mutation's `data` while the page is open. */
export function useCopyInvitationLink() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.staff.copyInvitationLink({ id }),
    onSuccess: ({ member }) => cacheStaffMember(queryClient, member),
    onError: (error) => refreshMeIfUnconfirmed(queryClient, error),
    meta: { failure: 'Failed to create the link: {message}', invalidates: [staffKeys.list] },
  });
}

export function useWithdrawInvitation() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.staff.withdrawInvitation({ id }),
    onSuccess: (member) => cacheStaffMember(queryClient, member),
    meta: { success: 'Invitation withdrawn', failure: 'Failed to withdraw the invitation: {message}', invalidates: [staffKeys.list] },
  });
}

export const staffCalendarFeedQueryOptions = (id: string) =>
  queryOptions({ queryKey: staffKeys.feed(id), queryFn: ({ signal }) => api.calendar.staffFeed({ id }, { signal }), meta: QUERY_META });

export function useDisableStaffCalendarFeed(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => api.calendar.closeStaffFeed({ id }),
    onSuccess: (feed) => queryClient.setQueryData(staffCalendarFeedQueryOptions(id).queryKey, feed),
    meta: { success: 'Calendar link turned off', failure: 'Failed to turn off the calendar link: {message}' },
  });
}

interface AvatarUploadInput {
  file: File;
  onProgress: (share: number) => void;
}

interface AvatarMutationsOptions {
  path: string;
  remove: () => Promise<unknown>;
  invalidates: readonly QueryKey[];
  onUploaded?: (avatar: Pick<StaffMember, 'avatar_url'>) => void;
}

function useAvatarMutations({ path, remove, invalidates, onUploaded }: AvatarMutationsOptions) {
  return {
    upload: useMutation({
      mutationFn: async ({ file, onProgress }: AvatarUploadInput) =>
        (await uploadFile(path, file, onProgress)) as Pick<StaffMember, 'avatar_url'>,
      ...(onUploaded && { onSuccess: onUploaded }),
      meta: { success: 'Avatar uploaded successfully', failure: 'Error uploading avatar', invalidates },
    }),
    remove: useMutation({
      mutationFn: remove,
      meta: { success: 'Avatar removed', failure: 'Failed to remove avatar: {message}', invalidates },
    }),
  };
}
export type AvatarMutations = ReturnType<typeof useAvatarMutations>;

export function useStaffAvatarMutations(id: string): AvatarMutations {
  const queryClient = useQueryClient();
  return useAvatarMutations({
    path: `/staff/${id}/avatar`,
    remove: async () => cacheStaffMember(queryClient, await api.staff.removeAvatar({ id })),
    invalidates: [staffKeys.list],
    onUploaded: (avatar) => patchCachedStaffMember(queryClient, id, avatar),
  });
}

/** Nested under the 'me' key, so that invalidating 'me' also refetches these details. */
export const myDetailsQueryOptions = queryOptions({
  queryKey: [...meQueryOptions.queryKey, 'details'],
  queryFn: ({ signal }) => api.staff.myDetails(undefined, { signal }),
  meta: QUERY_META,
});

export function useUpdateMyDetails() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (change: UpdateMyDetailsInput) => api.staff.updateMyDetails(change),
    onSuccess: (details) => queryClient.setQueryData(myDetailsQueryOptions.queryKey, details),
    meta: {
      success: 'Details saved',
      failure: 'Failed to save your details: {message}',
      invalidates: [meQueryOptions.queryKey],
      inlineErrors: true,
    },
  });
}

export function useMyAvatarMutations(): AvatarMutations {
  const queryClient = useQueryClient();
  const patchCachedDetails = (changed: Partial<MyDetails>) =>
    queryClient.setQueryData(myDetailsQueryOptions.queryKey, (details) => details && { ...details, ...changed });
  return useAvatarMutations({
    path: '/me/avatar',
    remove: async () => patchCachedDetails(await api.staff.removeMyAvatar()),
    invalidates: [meQueryOptions.queryKey],
    onUploaded: patchCachedDetails,
  });
}

/** Invalidates nothing, because people who delete themselves lose access, and everyone else gets a live update. */
export function useDeleteStaffMember() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: StaffMember) => api.staff.remove({ id }),
    onSuccess: (_output, { id }) =>
      queryClient.setQueryData(staffListQueryOptions.queryKey, (list) => list && { rows: list.rows.filter((member) => member.id !== id) }),
    meta: {
      success: (_output: unknown, { id }: StaffMember) => {
        const me = queryClient.getQueryData(meQueryOptions.queryKey);
        return id === me?.user.staff_id ? formatLeftMessage(me.profile?.company_name) : 'Staff member deleted successfully';
      },
      failure: 'Failed to delete staff member: {message}',
    },
  });
}

const formatLeftMessage = (company: string | null | undefined) => `You left ${company ?? 'the company'}`;

/** Invalidates nothing, because leaving ends the session. */
export function useLeaveCompany(company: string | null | undefined) {
  return useMutation({
    mutationFn: () => api.staff.leave(),
    meta: { success: formatLeftMessage(company), failure: 'Failed to leave: {message}' },
  });
}

/** Evicts a deleted member. Call it after leaving the member's page, so that nothing refetches the member. */
export function removeCachedStaffMember(queryClient: QueryClient, id: string): void {
  queryClient.removeQueries({ queryKey: staffKeys.detail(id) });
}

/** Refetches 'me' if the server reports my email address as unconfirmed, so that the page offers to confirm it. */
function refreshMeIfUnconfirmed(queryClient: QueryClient, error: unknown): void {
  if (hasErrorCode(error, 'EMAIL_UNCONFIRMED')) void queryClient.invalidateQueries(meQueryOptions);
}

function cacheStaffMember(queryClient: QueryClient, member: StaffMember): void {
  queryClient.setQueryData(staffMemberQueryOptions(member.id).queryKey, member);
  patchCachedStaffMember(queryClient, member.id, member);
}

function patchCachedStaffMember(queryClient: QueryClient, id: string, changed: Partial<StaffMember>): void {
  queryClient.setQueryData(staffMemberQueryOptions(id).queryKey, (member) => member && { ...member, ...changed });
  queryClient.setQueryData(
    staffListQueryOptions.queryKey,
    (list) => list && { rows: list.rows.map((row) => (row.id === id ? { ...row, ...changed } : row)) },
  );
}
