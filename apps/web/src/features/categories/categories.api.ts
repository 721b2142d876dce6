import type { Category, CategoryChange, NewCategory } from '@callout/contract/categories';
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { hasCode, ignoreNotFound, messageOf } from '../../lib/error-messages.ts';

export const categoriesQuery = queryOptions({
  queryKey: ['categories'],
  queryFn: async ({ signal }) => (await api.categories.list(undefined, { signal })).rows,
  meta: { inlineErrors: true },
});

export function useCreateCategory() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (category: NewCategory) => api.categories.create(category),
    onSuccess: (category) => showCategory(queryClient, category),
    meta: {
      success: 'Category added successfully',
      failure: (error) => {
        // The field shows that the name is taken.
        if (hasCode(error, 'NAME_TAKEN')) return undefined;
        return hasCode(error, 'LIMIT_REACHED') ? `Failed to add category: ${error.message}` : 'Failed to add category';
      },
      refreshes: [categoriesQuery.queryKey],
      inlineErrors: true,
    },
  });
}

export function useRenameCategory() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (renamed: CategoryChange) => api.categories.update(renamed),
    onSuccess: (category) => showCategory(queryClient, category),
    meta: {
      success: 'Category renamed',
      failure: (error) => (hasCode(error, 'NAME_TAKEN') ? undefined : `Failed to rename category: ${messageOf(error)}`),
      refreshes: [categoriesQuery.queryKey],
      inlineErrors: true,
    },
  });
}

export function useDeleteCategory() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Category) => ignoreNotFound(api.categories.remove({ id })),
    onSuccess: (_nothing, { id: gone }) => change(queryClient, (rows) => rows.filter(({ id }) => id !== gone)),
    meta: {
      success: 'Category deleted successfully',
      failure: 'Failed to delete category',
      refreshes: [categoriesQuery.queryKey],
    },
  });
}

/** Close to the server's order, which follows with the next read. */
const byName = (one: Category, other: Category) => one.name.localeCompare(other.name, undefined, { sensitivity: 'base' });

function showCategory(queryClient: QueryClient, category: Category): void {
  change(queryClient, (rows) => [...rows.filter(({ id }) => id !== category.id), category].toSorted(byName));
}

function change(queryClient: QueryClient, rows: (rows: readonly Category[]) => Category[]): void {
  queryClient.setQueryData(categoriesQuery.queryKey, (known) => known && rows(known));
}
