import type { Category, NewCategory, UpdateCategoryInput } from '@callout/contract/categories';
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { getErrorMessage, hasErrorCode, ignoreNotFound } from '../../lib/error-messages.ts';

/** For a filter by a category that was deleted. */
export const DELETED_CATEGORY_LABEL = 'Deleted category';

export const categoriesQueryOptions = queryOptions({
  queryKey: ['categories'],
  queryFn: async ({ signal }) => (await api.categories.list(undefined, { signal })).rows,
  meta: { inlineErrors: true },
});

export function useCreateCategory() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (category: NewCategory) => api.categories.create(category),
    onSuccess: (category) => cacheCategory(queryClient, category),
    meta: {
      success: 'Category added successfully',
      failure: (error) => {
        // The form shows this error next to the name field, so don't show a toast.
        if (hasErrorCode(error, 'NAME_TAKEN')) return undefined;
        return hasErrorCode(error, 'LIMIT_REACHED') ? `Failed to add category: ${error.message}` : 'Failed to add category';
      },
      invalidates: [categoriesQueryOptions.queryKey],
      inlineErrors: true,
    },
  });
}

export function useRenameCategory() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (category: UpdateCategoryInput) => api.categories.update(category),
    onSuccess: (category) => cacheCategory(queryClient, category),
    meta: {
      success: 'Category renamed',
      failure: (error) => (hasErrorCode(error, 'NAME_TAKEN') ? undefined : `Failed to rename category: ${getErrorMessage(error)}`),
      invalidates: [categoriesQueryOptions.queryKey],
      inlineErrors: true,
    },
  });
}

export function useDeleteCategory() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Category) => ignoreNotFound(api.categories.remove({ id })),
    onSuccess: (_result, { id: deletedId }) => updateCachedCategories(queryClient, (rows) => rows.filter(({ id }) => id !== deletedId)),
    meta: {
      success: 'Category deleted successfully',
      failure: 'Failed to delete category',
      invalidates: [categoriesQueryOptions.queryKey],
    },
  });
}

/** Sorts roughly like the server, which determines the exact order at the next refetch. */
const compareByName = (a: Category, b: Category) => a.name.localeCompare(b.name, undefined, { sensitivity: 'base' });

function cacheCategory(queryClient: QueryClient, category: Category): void {
  updateCachedCategories(queryClient, (rows) => [...rows.filter(({ id }) => id !== category.id), category].toSorted(compareByName));
}

function updateCachedCategories(queryClient: QueryClient, update: (rows: readonly Category[]) => Category[]): void {
  queryClient.setQueryData(categoriesQueryOptions.queryKey, (rows) => rows && update(rows));
}
