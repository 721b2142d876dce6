import { api } from '../../lib/api.ts';
import { pagedQueryOptions } from '../../lib/record-queries.ts';

/** Not in comments.api.ts, so that the customer page doesn't load the code that sends comments. */
export const customerAttachmentsQueryOptions = (id: string) =>
  pagedQueryOptions(['comments', 'customer', id], (page, options) => api.comments.ofCustomer({ id, ...page }, options));
