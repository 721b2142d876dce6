import type { Category, NewCategory } from '@callout/contract/categories';
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';

export const categoriesQuery = queryOptions({
  queryKey: ['categories'],
  queryFn: async ({ signal }) => (await api.categories.list(undefined, { signal })).rows,
  meta: { quiet: true },
});

export function useCreateCategory() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (category: NewCategory) => api.categories.create(category),
    onSuccess: (category) => change(queryClient, (rows) => [...rows.filter(({ id }) => id !== category.id), category].toSorted(byName)),
    onSettled: () => refresh(queryClient),
  });
}

export function useDeleteCategory() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Category) => api.categories.remove({ id }),
    onSuccess: (_nothing, { id: gone }) => change(queryClient, (rows) => rows.filter(({ id }) => id !== gone)),
    onSettled: () => refresh(queryClient),
  });
}

/** Near enough until the server's own order is read. */
const byName = (one: Category, other: Category) => one.name.localeCompare(other.name, undefined, { sensitivity: 'base' });

function change(queryClient: QueryClient, rows: (rows: readonly Category[]) => Category[]): void {
  queryClient.setQueryData(categoriesQuery.queryKey, (known) => known && rows(known));
}

function refresh(queryClient: QueryClient): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: categoriesQuery.queryKey });
}
