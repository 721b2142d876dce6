import { contract } from '@callout/contract/contract';
import { type ErrorCode, errorStatus } from '@callout/contract/errors';
import type { InvoiceSummary } from '@callout/contract/invoices';
import { DEBT_AGES } from '@callout/domain/invoices/invoice-list';
import { type AnyContractRouter, isContractProcedure } from '@orpc/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, vi } from 'vitest';
import { createAppRouter } from '../src/app/router.ts';
import { createQueryClient } from '../src/lib/query-client.ts';
import { closing, unanswered } from './clean-up.ts';

/** What the server answers, by method and path. A call without an answer fails the test, and so does an answer to no call of the contract. `{id}` stands for any id, `{instant}` for any instant, `?*` for any query. */
export type Answers = Record<string, (input: unknown) => unknown>;

const none = { count: 0, amount: '0.00' };
export const NOTHING_OWED: InvoiceSummary = {
  total: none,
  paid: '0.00',
  outstanding: none,
  ages: DEBT_AGES.map(({ key }) => ({ age: key, ...none })),
  filters: { all: 0, unpaid: 0, overdue: 0, paid: 0 },
};

/** What every page behind the sign-in reads, the pages of a job and of a customer beside their record, and To Do without tasks. */
const SHELL: Answers = {
  'GET /notifications': () => ({ rows: [], unread: 0 }),
  'GET /jobs/{id}/history': () => ({ rows: [], next_cursor: null }),
  'GET /comments?job_id={id}': () => ({ rows: [] }),
  'GET /invoices/summary?customer_id={id}': () => NOTHING_OWED,
  'GET /jobs?sort=created_at&order=desc&group=active&customer_id={id}': () => ({ rows: [], next_cursor: null }),
  'GET /quotes?sort=created_at&order=desc&customer_id={id}': () => ({ rows: [], next_cursor: null }),
  'GET /tasks?status=active': () => ({ rows: [], next_cursor: null }),
  'GET /tasks/count?status=active': () => ({ total: 0 }),
  'GET /tasks/count?status=completed': () => ({ total: 0 }),
  'GET /calendar/clashes?*': () => ({ clashes: [] }),
  'GET /timer': () => ({ timer: null, server_time: new Date().toISOString() }),
};

/** For tests that only pass through the dashboard. */
export const DASHBOARD: Answers = {
  'GET /customers/count': () => ({ total: 1 }),
  'GET /jobs/count': () => ({ total: 0 }),
  'GET /items/search': () => ({ rows: [], next_cursor: null }),
  'GET /staff': () => ({ rows: [] }),
  'GET /dashboard/counts': () => ({ customers: 1, active_jobs: 0, tasks: 0, staff: 1, categories: 0 }),
  'GET /dashboard/categories?created_from={instant}&created_to={instant}': () => ({ rows: [] }),
  'GET /dashboard/jobs?created_from={instant}&created_to={instant}&order=desc': () => ({ rows: [], total: 0 }),
  'GET /dashboard/money': () => ({
    currency: 'NZD',
    outstanding: { amount: '0.00', invoices: 0 },
    overdue: { amount: '0.00', invoices: 0 },
    uninvoiced: { amount: '0.00', jobs: 0 },
  }),
  'GET /calendar?from={instant}&to={instant}&staff_id=staff-1': () => ({ jobs: [], tasks: [], is_cut: false }),
};

function routesOf(router: AnyContractRouter): string[] {
  if (!isContractProcedure(router)) return Object.values(router).flatMap(routesOf);
  const { method = 'POST', path = '' } = router['~orpc'].route;
  return [`${method} ${path}`];
}

const ROUTES = routesOf(contract).map((route) => new RegExp(`^${route.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`));

function expectContractCalls(answers: Answers): void {
  const unknown = Object.keys(answers).filter((call) => !ROUTES.some((route) => route.test(call.replace(/\?.*$/, ''))));
  if (unknown.length > 0) throw new Error(`The contract has no ${unknown.join(', ')}`);
}

const ANY_ID = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g;
const ANY_INSTANT = /\d{4}-\d\d-\d\dT\d\d%3A\d\d%3A[\d.]+Z/g;

class Refusal extends Error {
  readonly code: ErrorCode;
  readonly data: unknown;
  constructor(code: ErrorCode, message: string, data: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** For an answer: the server refuses the call. */
export function refuse(code: ErrorCode, message = 'A failure on purpose', data?: unknown): never {
  throw new Refusal(code, message, data);
}

async function answerTo(answers: Answers, request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const call = `${request.method} ${pathname.replace(/^\/api/, '')}${search}`;
  const withAnyId = call.replaceAll(ANY_ID, '{id}');
  const answer =
    answers[call] ?? answers[withAnyId] ?? answers[withAnyId.replaceAll(ANY_INSTANT, '{instant}')] ?? answers[call.replace(/\?.*$/, '?*')];
  if (!answer) {
    unanswered.push(call);
    throw new Error(`The test has no answer to ${call}`);
  }
  try {
    const body = await request.text();
    return Response.json(await answer(body === '' ? undefined : JSON.parse(body)));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { code, message, data } = error;
    const status = errorStatus[code];
    return Response.json({ defined: true, code, status, message, data }, { status });
  }
}

/** Every request of the test gets one of these answers. */
export function playServer(answers: Answers): void {
  expectContractCalls(answers);
  vi.stubGlobal('fetch', (request: Request) => answerTo(answers, request));
}

/** The whole application at a path, with its own router and cache; only the server is simulated. */
export function openPage(path: string, more: Answers) {
  playServer({ ...SHELL, ...more });
  window.history.replaceState(null, '', path);
  const queryClient = createQueryClient();
  const router = createAppRouter(queryClient);
  closing.push(
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

/** The newest first. */
export const toastTexts = () => [...screen.getByRole('region', { name: 'Messages' }).children].map((toast) => toast.textContent);

export const typeInto = (label: string | RegExp, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });

export const valueOf = (label: string | RegExp) => screen.getByLabelText<HTMLInputElement>(label).value;

export async function press(name: string | RegExp): Promise<void> {
  const button = await screen.findByRole('button', { name });
  await act(async () => fireEvent.click(button));
}

export const waitForToasts = (...texts: string[]) => waitFor(() => expect(toastTexts()).toEqual(texts));

export const waitForFocus = (label: string) => waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(label)));
