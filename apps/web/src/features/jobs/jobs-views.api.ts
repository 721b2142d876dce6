import type { JobView, NewJobView, UpdateJobViewInput } from '@callout/contract/job-views';
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { getErrorMessage, hasErrorCode, ignoreNotFound } from '../../lib/error-messages.ts';

export const jobViewsQueryOptions = queryOptions({
  queryKey: ['job-views'],
  queryFn: async ({ signal }) => (await api.jobViews.list(undefined, { signal })).rows,
  meta: { inlineErrors: true },
});

/** Forms show a taken name next to the field, so there is no toast for it. */
const isShownInForm = (error: unknown) => hasErrorCode(error, 'NAME_TAKEN') || hasErrorCode(error, 'INVALID_INPUT');

export function useSaveJobView() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (view: NewJobView) => api.jobViews.create(view),
    onSuccess: (view) => cacheJobView(queryClient, view),
    meta: {
      success: 'View saved',
      failure: (error) => (isShownInForm(error) ? undefined : `Failed to save view: ${getErrorMessage(error)}`),
      invalidates: [jobViewsQueryOptions.queryKey],
      inlineErrors: true,
    },
  });
}

export function useRenameJobView() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, version, name }: UpdateJobViewInput) => api.jobViews.update({ id, version, name }),
    onSuccess: (view) => cacheJobView(queryClient, view),
    meta: {
      success: 'View renamed',
      failure: (error) => (isShownInForm(error) ? undefined : `Failed to rename view: ${getErrorMessage(error)}`),
      invalidates: [jobViewsQueryOptions.queryKey],
      inlineErrors: true,
    },
  });
}

export function useReplaceJobViewFilter() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (view: UpdateJobViewInput) => api.jobViews.update(view),
    onSuccess: (view) => cacheJobView(queryClient, view),
    meta: {
      success: 'View updated',
      failure: (error) =>
        hasErrorCode(error, 'STALE_VERSION')
          ? 'This view was changed on another device. Please try again.'
          : `Failed to update view: ${getErrorMessage(error)}`,
      invalidates: [jobViewsQueryOptions.queryKey],
    },
  });
}

export function useDeleteJobView() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Pick<JobView, 'id'>) => ignoreNotFound(api.jobViews.remove({ id })),
    onSuccess: (_result, { id: deletedId }) => updateCachedViews(queryClient, (rows) => rows.filter(({ id }) => id !== deletedId)),
    meta: { success: 'View deleted', failure: 'Failed to delete view: {message}', invalidates: [jobViewsQueryOptions.queryKey] },
  });
}

/** Sorts roughly like the server, which determines the exact order at the next refetch. */
const compareByName = (a: JobView, b: JobView) => a.name.localeCompare(b.name, undefined, { sensitivity: 'base' });

function cacheJobView(queryClient: QueryClient, view: JobView): void {
  updateCachedViews(queryClient, (rows) => [...rows.filter(({ id }) => id !== view.id), view].toSorted(compareByName));
}

function updateCachedViews(queryClient: QueryClient, update: (rows: readonly JobView[]) => JobView[]): void {
  queryClient.setQueryData(jobViewsQueryOptions.queryKey, (rows) => rows && update(rows));
}
