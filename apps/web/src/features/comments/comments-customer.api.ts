import { infiniteQueryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';

/** Beside comments.api.ts: a customer's page loads nothing of what sends comments. */
export function customerAttachmentsOptions(id: string) {
  return infiniteQueryOptions({
    queryKey: ['comments', 'customer', id],
    queryFn: ({ pageParam, signal }) => api.comments.ofCustomer({ id, cursor: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    // The screen shows a failed read in place, with Retry.
    meta: { inlineErrors: true },
  });
}
