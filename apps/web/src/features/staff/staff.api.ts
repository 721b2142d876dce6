import type { NewStaffMember, StaffMember, StaffMemberChange } from '@callout/contract/staff';
import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { hasCode } from '../../lib/error-messages.ts';
import { uploadFile } from '../../lib/upload-file.ts';
import { meQuery } from '../company/company.api.ts';
import { invitationFailure } from './invitation-failure.ts';

const keys = {
  list: ['staff', 'list'],
  detail: (id: string) => ['staff', 'detail', id],
  colors: ['staff-colors'],
};

/** The screens show a failed read in place, with Retry. */
const meta = { inlineErrors: true };

export const staffListQuery = queryOptions({
  queryKey: keys.list,
  queryFn: ({ signal }) => api.staff.list(undefined, { signal }),
  meta,
});

/** They come with the product and do not change. */
export const staffColorsQuery = queryOptions({
  queryKey: keys.colors,
  queryFn: ({ signal }) => api.staff.colors(undefined, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
  meta,
});

const staffMemberOptions = (id: string) =>
  queryOptions({ queryKey: keys.detail(id), queryFn: ({ signal }) => api.staff.get({ id }, { signal }), meta });

/** A list that was seen before knows its members whole: their page opens at once. */
export function useStaffMember(id: string) {
  const queryClient = useQueryClient();
  return useQuery({
    ...staffMemberOptions(id),
    initialData: () => queryClient.getQueryData(staffListQuery.queryKey)?.rows.find((member) => member.id === id),
    initialDataUpdatedAt: () => queryClient.getQueryState(staffListQuery.queryKey)?.dataUpdatedAt,
  });
}

export function useInviteStaffMember() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (member: NewStaffMember) => api.staff.invite(member),
    onSuccess: ({ member }) => show(queryClient, member),
    onError: (error) => noticeUnconfirmed(queryClient, error),
    meta: {
      failure: (error) => `Failed to add staff member: ${invitationFailure(error)}`,
      refreshes: [keys.list],
      inlineErrors: true,
    },
  });
}

export function useUpdateStaffMember() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (change: StaffMemberChange) => api.staff.update(change),
    onSuccess: ({ member }) => {
      show(queryClient, member);
      // What I may do may be less from now on.
      if (queryClient.getQueryData(meQuery.queryKey)?.user.staff_id === member.id) void queryClient.invalidateQueries(meQuery);
    },
    onError: (error) => noticeUnconfirmed(queryClient, error),
    meta: {
      success: 'Staff member updated successfully',
      failure: 'Failed to update staff member: {message}',
      refreshes: [keys.list],
      inlineErrors: true,
    },
  });
}

export function useResendInvitation() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.staff.resendInvitation({ id }),
    onSuccess: ({ member }) => show(queryClient, member),
    onError: (error) => noticeUnconfirmed(queryClient, error),
    meta: { failure: 'Failed to send the invitation: {message}', refreshes: [keys.list] },
  });
}

export function useWithdrawInvitation() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.staff.withdrawInvitation({ id }),
    onSuccess: (member) => show(queryClient, member),
    meta: { success: 'Invitation withdrawn', failure: 'Failed to withdraw the invitation: {message}', refreshes: [keys.list] },
  });
}

interface AvatarUpload {
  id: string;
  file: File;
  onProgress: (share: number) => void;
}

export function useUploadAvatar() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, file, onProgress }: AvatarUpload) =>
      (await uploadFile(`/staff/${id}/avatar`, file, onProgress)) as Pick<StaffMember, 'avatar_url'>,
    onSuccess: (avatar, { id }) => patch(queryClient, id, avatar),
    meta: { success: 'Avatar uploaded successfully', failure: 'Error uploading avatar', refreshes: [keys.list] },
  });
}

export function useRemoveAvatar() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.staff.removeAvatar({ id }),
    onSuccess: (member) => show(queryClient, member),
    meta: { success: 'Avatar removed', failure: 'Failed to remove avatar: {message}', refreshes: [keys.list] },
  });
}

/** Refreshes nothing by itself: whoever leaves may not ask any more, and everybody else is told by the live updates. */
export function useDeleteStaffMember() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: StaffMember) => api.staff.remove({ id }),
    onSuccess: (_answer, { id }) =>
      queryClient.setQueryData(staffListQuery.queryKey, (list) => list && { rows: list.rows.filter((member) => member.id !== id) }),
    meta: { success: 'Staff member deleted successfully', failure: 'Failed to delete staff member: {message}' },
  });
}

/** After a deletion the page has been left: nothing may show the member again, nor ask for them. */
export function forgetStaffMember(queryClient: QueryClient, id: string): void {
  queryClient.removeQueries({ queryKey: keys.detail(id) });
}

/** What is known of me is older than that I have to confirm my email: the pages then offer it. */
function noticeUnconfirmed(queryClient: QueryClient, error: unknown): void {
  if (hasCode(error, 'EMAIL_UNCONFIRMED')) void queryClient.invalidateQueries(meQuery);
}

function show(queryClient: QueryClient, member: StaffMember): void {
  queryClient.setQueryData(staffMemberOptions(member.id).queryKey, member);
  patch(queryClient, member.id, member);
}

function patch(queryClient: QueryClient, id: string, changed: Partial<StaffMember>): void {
  queryClient.setQueryData(staffMemberOptions(id).queryKey, (member) => member && { ...member, ...changed });
  queryClient.setQueryData(
    staffListQuery.queryKey,
    (list) => list && { rows: list.rows.map((row) => (row.id === id ? { ...row, ...changed } : row)) },
  );
}
