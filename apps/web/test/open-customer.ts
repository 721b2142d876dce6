import type { Customer } from '@callout/contract/customers';
import { act } from '@testing-library/react';
import { ADMIN_USER, CUSTOMER } from './fixtures.ts';
import { DASHBOARD_RESPONSES, failWith, type MockApi, openPage } from './open-page.tsx';

export const CUSTOMER_PATH = `/customers/${CUSTOMER.id}`;
export const CUSTOMER_LIST_CALL = 'GET /customers?sort=name&order=asc';

export const OPEN_JOBS_CALL = `GET /jobs?sort=created_at&order=desc&group=active&customer_id=${CUSTOMER.id}`;
export const QUOTES_CALL = `GET /quotes?sort=created_at&order=desc&customer_id=${CUSTOMER.id}`;

export const buildDuplicatesCall = (asked: Record<string, string>) => `GET /customers/duplicates?${new URLSearchParams(asked)}`;
const buildNoDuplicatesResponses = (...asked: Record<string, string>[]): MockApi =>
  Object.fromEntries(asked.map((contact) => [buildDuplicatesCall(contact), () => ({ rows: [] })]));

/** Opens the page. Returns the mock server, which holds the customer (tests can change it) and the inputs received. */
export function openCustomerPage(path: string, responses: MockApi = {}) {
  const server = { customer: CUSTOMER as Customer | null, sent: [] as unknown[] };
  const save = (input: unknown) => {
    const change = input as Customer;
    server.sent.push(change);
    if (!server.customer) return failWith('NOT_FOUND', 'Customer not found');
    if (change.version !== server.customer.version) {
      return failWith('STALE_VERSION', 'Someone else has changed this.', { current: server.customer });
    }
    server.customer = { ...server.customer, ...change, notes: change.notes || null, version: change.version + 1 };
    return server.customer;
  };
  const page = openPage(path, {
    'GET /me': () => ADMIN_USER,
    ...DASHBOARD_RESPONSES,
    [CUSTOMER_LIST_CALL]: () => ({ rows: [CUSTOMER], next_cursor: null }),
    [`GET ${CUSTOMER_PATH}`]: () => server.customer ?? failWith('NOT_FOUND', 'Customer not found'),
    [`PUT ${CUSTOMER_PATH}`]: save,
    [`GET /jobs?sort=created_at&order=desc&customer_id=${CUSTOMER.id}`]: () => ({ rows: [], next_cursor: null }),
    [`GET /customers/${CUSTOMER.id}/attachments`]: () => ({ rows: [], next_cursor: null }),
    ...buildNoDuplicatesResponses({ phone: '021 555 999' }, { email: 'ana@example.com' }),
    ...responses,
  });
  /** Simulates a change saved by a colleague and its live update. Null deletes the customer. */
  const changeElsewhere = async (change: Partial<Customer> | null) => {
    server.customer = change && server.customer && { ...server.customer, ...change, version: server.customer.version + 1 };
    await act(async () => page.queryClient.invalidateQueries({ queryKey: ['customers'] }));
  };
  return { ...page, server, changeElsewhere, search: () => page.router.state.location.search };
}
