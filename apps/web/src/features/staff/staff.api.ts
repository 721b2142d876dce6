import type { MyDetails, MyDetailsChange, NewStaffMember, StaffMember, StaffMemberChange } from '@callout/contract/staff';
import { type QueryClient, type QueryKey, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { api } from '../../lib/api.ts';
import { CallError, hasCode, isSignedOut, messageOf } from '../../lib/error-messages.ts';
import { newId } from '../../lib/new-id.ts';
import { UNEXPECTED } from '../../lib/request.ts';
import { uploadFile } from '../../lib/upload-file.ts';
import { meQuery } from '../company/company.api.ts';

const keys = {
  list: ['staff', 'list'],
  detail: (id: string) => ['staff', 'detail', id],
  feed: (id: string) => ['staff', 'feed', id],
  colors: ['staff-colors'],
};

/** The screens show failed reads themselves, with Retry. */
const meta = { inlineErrors: true };

export const staffListQuery = queryOptions({
  queryKey: keys.list,
  queryFn: ({ signal }) => api.staff.list(undefined, { signal }),
  meta,
});

/** Whom work can be assigned to; everyone may read it, unlike the list. */
export const staffNamesQuery = queryOptions({
  queryKey: ['staff', 'names'],
  queryFn: async ({ signal }) => (await api.staff.names(undefined, { signal })).rows,
  meta,
});

/** Part of the product; they never change. */
export const staffColorsQuery = queryOptions({
  queryKey: keys.colors,
  queryFn: ({ signal }) => api.staff.colors(undefined, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
  meta,
});

const staffMemberOptions = (id: string) =>
  queryOptions({ queryKey: keys.detail(id), queryFn: ({ signal }) => api.staff.get({ id }, { signal }), meta });

/** A cached list has whole members, so their page opens at once. */
export function useStaffMember(id: string) {
  const queryClient = useQueryClient();
  return useQuery({
    ...staffMemberOptions(id),
    initialData: () => queryClient.getQueryData(staffListQuery.queryKey)?.rows.find((member) => member.id === id),
    initialDataUpdatedAt: () => queryClient.getQueryState(staffListQuery.queryKey)?.dataUpdatedAt,
  });
}

type Invited = Awaited<ReturnType<typeof api.staff.invite>>;

export function useInviteStaffMember() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (member: NewStaffMember) => api.staff.invite(member),
    onSuccess: ({ member }) => show(queryClient, member),
    onError: (error) => noticeUnconfirmed(queryClient, error),
    meta: {
      success: ({ mail }: Invited) =>
        mail === 'kept' ? undefined : 'Staff member invited successfully! They will receive an email to set up their account.',
      failure: (error) => `Failed to add staff member: ${invitationFailure(error)}`,
      refreshes: [keys.list],
      inlineErrors: true,
    },
  });
}

/** The reason in 'Failed to add staff member: …', as the spec words it. */
export function invitationFailure(error: unknown): string {
  if (isSignedOut(error)) return 'No access token available';
  if (hasCode(error, 'FORBIDDEN')) return 'You do not have permission to add staff members';
  if (error instanceof CallError && error.code === 'UNREADABLE_ANSWER') return `Server error: ${error.status}`;
  const message = messageOf(error);
  return message === UNEXPECTED ? 'An unexpected error occurred. Please try again.' : message;
}

export function useUpdateStaffMember() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (change: StaffMemberChange) => api.staff.update(change),
    onSuccess: ({ member }) => {
      show(queryClient, member);
      // My new role may allow less.
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
  // The same until it succeeds: pressed again after a lost response, it mails nothing more.
  const requestId = useRef(newId());
  return useMutation({
    mutationFn: (id: string) => api.staff.resendInvitation({ id, request_id: requestId.current }),
    onSuccess: ({ member }) => {
      requestId.current = newId();
      show(queryClient, member);
    },
    onError: (error) => noticeUnconfirmed(queryClient, error),
    meta: {
      success: ({ member, mail }: Invited) => (mail === 'queued' ? `Invitation sent to ${member.email}` : undefined),
      failure: 'Failed to send the invitation: {message}',
      refreshes: [keys.list],
    },
  });
}

/** Makes a link to text or to hand over. The answer is the only place that has it, so keep it while the page is open. */
export function useCopyInvitationLink() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.staff.copyInvitationLink({ id }),
    onSuccess: ({ member }) => show(queryClient, member),
    onError: (error) => noticeUnconfirmed(queryClient, error),
    meta: { failure: 'Failed to create the link: {message}', refreshes: [keys.list] },
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

/** Whether other calendars can read a member's jobs. */
export const staffFeedOptions = (id: string) =>
  queryOptions({ queryKey: keys.feed(id), queryFn: ({ signal }) => api.calendar.staffFeed({ id }, { signal }), meta });

export function useCloseStaffFeed(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => api.calendar.closeStaffFeed({ id }),
    onSuccess: (feed) => queryClient.setQueryData(staffFeedOptions(id).queryKey, feed),
    meta: { success: 'Calendar link turned off', failure: 'Failed to turn off the calendar link: {message}' },
  });
}

interface AvatarFile {
  file: File;
  onProgress: (share: number) => void;
}

/** Whose picture is changed: a member's by an admin, or one's own. */
interface AvatarOwner {
  path: string;
  remove: () => Promise<unknown>;
  refreshes: readonly QueryKey[];
  onUploaded?: (avatar: Pick<StaffMember, 'avatar_url'>) => void;
}

function useAvatarChange({ path, remove, refreshes, onUploaded }: AvatarOwner) {
  return {
    upload: useMutation({
      mutationFn: async ({ file, onProgress }: AvatarFile) => (await uploadFile(path, file, onProgress)) as Pick<StaffMember, 'avatar_url'>,
      ...(onUploaded && { onSuccess: onUploaded }),
      meta: { success: 'Avatar uploaded successfully', failure: 'Error uploading avatar', refreshes },
    }),
    remove: useMutation({
      mutationFn: remove,
      meta: { success: 'Avatar removed', failure: 'Failed to remove avatar: {message}', refreshes },
    }),
  };
}
export type AvatarChange = ReturnType<typeof useAvatarChange>;

export function useStaffAvatar(id: string): AvatarChange {
  const queryClient = useQueryClient();
  return useAvatarChange({
    path: `/staff/${id}/avatar`,
    remove: async () => show(queryClient, await api.staff.removeAvatar({ id })),
    refreshes: [keys.list],
    onUploaded: (avatar) => patch(queryClient, id, avatar),
  });
}

/** Below 'me', so that whatever refreshes who I am refreshes these too. */
export const myDetailsQuery = queryOptions({
  queryKey: [...meQuery.queryKey, 'details'],
  queryFn: ({ signal }) => api.staff.myDetails(undefined, { signal }),
  meta,
});

export function useUpdateMyDetails() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (change: MyDetailsChange) => api.staff.updateMyDetails(change),
    onSuccess: (details) => queryClient.setQueryData(myDetailsQuery.queryKey, details),
    meta: {
      success: 'Details saved',
      failure: 'Failed to save your details: {message}',
      refreshes: [meQuery.queryKey],
      inlineErrors: true,
    },
  });
}

export function useMyAvatar(): AvatarChange {
  const queryClient = useQueryClient();
  const showMine = (changed: Partial<MyDetails>) =>
    queryClient.setQueryData(myDetailsQuery.queryKey, (details) => details && { ...details, ...changed });
  return useAvatarChange({
    path: '/me/avatar',
    remove: async () => showMine(await api.staff.removeMyAvatar()),
    refreshes: [meQuery.queryKey],
    onUploaded: showMine,
  });
}

/** Refreshes nothing: whoever leaves may no longer read, and everyone else gets a live update. */
export function useDeleteStaffMember() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: StaffMember) => api.staff.remove({ id }),
    onSuccess: (_answer, { id }) =>
      queryClient.setQueryData(staffListQuery.queryKey, (list) => list && { rows: list.rows.filter((member) => member.id !== id) }),
    meta: {
      success: (_answer: unknown, { id }: StaffMember) => {
        const me = queryClient.getQueryData(meQuery.queryKey);
        return id === me?.user.staff_id ? leftText(me.profile?.company_name) : 'Staff member deleted successfully';
      },
      failure: 'Failed to delete staff member: {message}',
    },
  });
}

const leftText = (company: string | null | undefined) => `You left ${company ?? 'the company'}`;

/** Refreshes nothing: it ends the session. */
export function useLeaveCompany(company: string | null | undefined) {
  return useMutation({
    mutationFn: () => api.staff.leave(),
    meta: { success: leftText(company), failure: 'Failed to leave: {message}' },
  });
}

/** For when the page has been left, so that nothing reads the deleted member again. */
export function forgetStaffMember(queryClient: QueryClient, id: string): void {
  queryClient.removeQueries({ queryKey: keys.detail(id) });
}

/** What the page knows about me is out of date: refreshed, it offers to confirm my email. */
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
