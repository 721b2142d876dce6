import { api } from '../../lib/api.ts';
import { pagedOptions } from '../../lib/record-queries.ts';

/** Beside comments.api.ts: a customer's page loads nothing of what sends comments. */
export const customerAttachmentsOptions = (id: string) =>
  pagedOptions(['comments', 'customer', id], (page, options) => api.comments.ofCustomer({ id, ...page }, options));
