import type { Customer } from '@callout/contract/customers';
import { act } from '@testing-library/react';
import { type Answers, DASHBOARD, openPage, refuse } from './open-page.tsx';
import { CUSTOMER, OWNER } from './people.ts';

export const PATH = `/customers/${CUSTOMER.id}`;
export const LIST = 'GET /customers?sort=name&order=asc';

export const OPEN_JOBS = `GET /jobs?sort=created_at&order=desc&group=active&customer_id=${CUSTOMER.id}`;
export const QUOTES = `GET /quotes?sort=created_at&order=desc&customer_id=${CUSTOMER.id}`;

export const duplicatesCall = (asked: Record<string, string>) => `GET /customers/duplicates?${new URLSearchParams(asked)}`;
const noDuplicates = (...asked: Record<string, string>[]): Answers =>
  Object.fromEntries(asked.map((contact) => [duplicatesCall(contact), () => ({ rows: [] })]));

/** The server's customer, which tests may change under the page, and what was sent to it. */
export function openCustomer(path: string, more: Answers = {}) {
  const server = { customer: CUSTOMER as Customer | null, sent: [] as unknown[] };
  const save = (input: unknown) => {
    const change = input as Customer;
    server.sent.push(change);
    if (!server.customer) return refuse('NOT_FOUND', 'Customer not found');
    if (change.version !== server.customer.version) {
      return refuse('STALE_VERSION', 'Someone else has changed this.', { current: server.customer });
    }
    server.customer = { ...server.customer, ...change, notes: change.notes || null, version: change.version + 1 };
    return server.customer;
  };
  const page = openPage(path, {
    'GET /me': () => OWNER,
    ...DASHBOARD,
    [LIST]: () => ({ rows: [CUSTOMER], next_cursor: null }),
    [`GET ${PATH}`]: () => server.customer ?? refuse('NOT_FOUND', 'Customer not found'),
    [`PUT ${PATH}`]: save,
    [`GET /jobs?sort=created_at&order=desc&customer_id=${CUSTOMER.id}`]: () => ({ rows: [], next_cursor: null }),
    [`GET /customers/${CUSTOMER.id}/attachments`]: () => ({ rows: [], next_cursor: null }),
    ...noDuplicates({ phone: '021 555 999' }, { email: 'ana@example.com' }),
    ...more,
  });
  /** As if a colleague had saved, and the live update had arrived. */
  const changeElsewhere = async (change: Partial<Customer> | null) => {
    server.customer = change && server.customer && { ...server.customer, ...change, version: server.customer.version + 1 };
    await act(async () => page.queryClient.invalidateQueries({ queryKey: ['customers'] }));
  };
  return { ...page, server, changeElsewhere, search: () => page.router.state.location.search };
}
