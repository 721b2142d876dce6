import { contract } from '@callout/contract/contract';
import { ERROR_STATUS, type ErrorCode } from '@callout/contract/errors';
import type { InvoiceSummary } from '@callout/contract/invoices';
import { DEBT_AGES } from '@callout/domain/invoices/invoice-list';
import { type AnyContractRouter, isContractProcedure } from '@orpc/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, vi } from 'vitest';
import { createAppRouter } from '../src/app/router.ts';
import { createQueryClient } from '../src/lib/query-client.ts';
import { cleanupCallbacks, unmockedCalls } from './clean-up.ts';

/** Mock responses, keyed by call. `{id}`, `{instant}` and `?*` are wildcards. A call without a response fails the test. */
export type MockApi = Record<string, (input: unknown) => unknown>;

const ZERO_AMOUNT = { count: 0, amount: '0.00' };
export const EMPTY_INVOICE_SUMMARY: InvoiceSummary = {
  total: { invoices: 0, credit_notes: 0, amount: '0.00', tax_amount: '0.00' },
  paid: '0.00',
  overpaid: '0.00',
  outstanding: { ...ZERO_AMOUNT, unsent: 0 },
  ages: DEBT_AGES.map(({ key }) => ({ age: key, ...ZERO_AMOUNT })),
  filters: { all: 0, unpaid: 0, overdue: 0, paid: 0, unsent: 0 },
  is_capped: false,
};

/** Empty responses for requests that every signed-in page sends, and for minor requests of the job, customer, settings and To Do pages. */
const SHELL_RESPONSES: MockApi = {
  'GET /notifications': () => ({ rows: [], unread: 0 }),
  'GET /job-views': () => ({ rows: [] }),
  'GET /company/currency': () => ({ is_final: false }),
  'GET /jobs/{id}/history': () => ({ rows: [], next_cursor: null }),
  'GET /comments?job_id={id}': () => ({ rows: [] }),
  'GET /invoices/summary?customer_id={id}': () => EMPTY_INVOICE_SUMMARY,
  'GET /jobs?sort=created_at&order=desc&group=active&customer_id={id}': () => ({ rows: [], next_cursor: null }),
  'GET /quotes?sort=created_at&order=desc&customer_id={id}': () => ({ rows: [], next_cursor: null }),
  'GET /tasks?status=active': () => ({ rows: [], next_cursor: null }),
  'GET /tasks/count?status=active': () => ({ total: 0 }),
  'GET /tasks/count?status=completed': () => ({ total: 0 }),
  'GET /calendar/clashes?*': () => ({ clashes: [] }),
  'GET /timer': () => ({ timer: null, server_time: new Date().toISOString() }),
};

/** Responses for tests that open the dashboard only on the way to another page. */
export const DASHBOARD_RESPONSES: MockApi = {
  'GET /customers/count': () => ({ total: 1 }),
  'GET /jobs/count': () => ({ total: 0 }),
  'GET /quotes/count': () => ({ total: 0 }),
  'GET /items/search': () => ({ rows: [], next_cursor: null }),
  'GET /staff': () => ({ rows: [] }),
  'GET /dashboard/counts': () => ({ customers: 1, active_jobs: 0, tasks: 0, staff: 1, categories: 0 }),
  'GET /dashboard/categories?created_from={instant}&created_to={instant}': () => ({ rows: [] }),
  'GET /dashboard/jobs?created_from={instant}&created_to={instant}&order=desc': () => ({ rows: [], total: 0 }),
  'GET /dashboard/money': () => ({
    currency: 'NZD',
    outstanding: { amount: '0.00', invoices: 0 },
    overdue: { amount: '0.00', invoices: 0 },
    unsent: { amount: '0.00', invoices: 0 },
    uninvoiced: { amount: '0.00', jobs: 0 },
  }),
  'GET /calendar?from={instant}&to={instant}&staff_id=staff-1': () => ({ jobs: [], tasks: [], is_cut: false }),
};

function listRoutes(router: AnyContractRouter): string[] {
  if (!isContractProcedure(router)) return Object.values(router).flatMap(listRoutes);
  const { method = 'POST', path = '' } = router['~orpc'].route;
  return [`${method} ${path}`];
}

const ROUTES = listRoutes(contract).map((route) => new RegExp(`^${route.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`));

function requireContractCalls(responses: MockApi): void {
  const unknown = Object.keys(responses).filter((call) => !ROUTES.some((route) => route.test(call.replace(/\?.*$/, ''))));
  if (unknown.length > 0) throw new Error(`Not in the contract: ${unknown.join(', ')}`);
}

const ANY_ID = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g;
const ANY_INSTANT = /\d{4}-\d\d-\d\dT\d\d%3A\d\d%3A[\d.]+Z/g;

class MockFailure extends Error {
  readonly code: ErrorCode;
  readonly data: unknown;
  constructor(code: ErrorCode, message: string, data: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** Call this in a mock response to make the request fail with `code`. */
export function failWith(code: ErrorCode, message = 'A failure on purpose', data?: unknown): never {
  throw new MockFailure(code, message, data);
}

async function respondToRequest(responses: MockApi, request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const call = `${request.method} ${pathname.replace(/^\/api/, '')}${search}`;
  const withAnyId = call.replaceAll(ANY_ID, '{id}');
  const response =
    responses[call] ??
    responses[withAnyId] ??
    responses[withAnyId.replaceAll(ANY_INSTANT, '{instant}')] ??
    responses[call.replace(/\?.*$/, '?*')];
  if (!response) {
    unmockedCalls.push(call);
    throw new Error(`The test has no mock response for ${call}`);
  }
  try {
    const body = await request.text();
    return Response.json(await response(body === '' ? undefined : JSON.parse(body)));
  } catch (error) {
    if (!(error instanceof MockFailure)) throw error;
    const { code, message, data } = error;
    const status = ERROR_STATUS[code];
    return Response.json({ defined: true, code, status, message, data }, { status });
  }
}

/** Replaces `fetch`, so that every request gets its response from `responses`. */
export function mockServer(responses: MockApi): void {
  requireContractCalls(responses);
  vi.stubGlobal('fetch', (request: Request) => respondToRequest(responses, request));
}

/** Renders the whole application at `path` with a new router and a new cache. Only the server is mocked. */
export function openPage(path: string, responses: MockApi) {
  mockServer({ ...SHELL_RESPONSES, ...responses });
  window.history.replaceState(null, '', path);
  const queryClient = createQueryClient();
  const router = createAppRouter(queryClient);
  cleanupCallbacks.push(
    () => router.history.destroy(),
    () => queryClient.clear(),
  );
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return { router, queryClient, path: () => router.state.location.pathname };
}

/** Returns the text of each visible toast, newest first. */
export const getToasts = () => [...screen.getByRole('region', { name: 'Messages' }).children].map((toast) => toast.textContent);

export const typeInto = (label: string | RegExp, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });

export const getValue = (label: string | RegExp) => screen.getByLabelText<HTMLInputElement>(label).value;

export async function pressButton(name: string | RegExp): Promise<void> {
  const button = await screen.findByRole('button', { name });
  await act(async () => fireEvent.click(button));
}

export const waitForToasts = (...texts: string[]) => waitFor(() => expect(getToasts()).toEqual(texts));

export const waitForFocus = (label: string) => waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(label)));
