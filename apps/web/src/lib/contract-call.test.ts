import { call } from '@callout/contract/call';
import type { ContractClient } from '@callout/contract/contract';
import { contract } from '@callout/contract/contract';
import { createORPCClient } from '@orpc/client';
import { OpenAPILink } from '@orpc/openapi-client/fetch';
import { expect, test } from 'vitest';
import { CallError } from './call-error.ts';
import { answerOf, requestFor } from './contract-call.ts';

type Contract = ConstructorParameters<typeof OpenAPILink>[0];

const id = '018f0000-0000-7000-8000-000000000000';

/** What oRPC's own link sends. */
async function sentByReferenceLink(run: (client: ContractClient) => Promise<unknown>, calls: Contract = contract) {
  const sent: Request[] = [];
  const link = new OpenAPILink(calls, {
    url: 'http://callout.test/api',
    fetch: (request) => {
      sent.push(request);
      return Promise.resolve(Response.json({}));
    },
  });
  await run(createORPCClient(link)).catch(() => undefined);
  const [request] = sent;
  if (!request) throw new Error('Nothing was sent');
  return { method: request.method, url: request.url, body: await request.text() };
}

function sentByOurs(route: [string, string], input: Record<string, unknown>) {
  const { method, url, body } = requestFor(route, input);
  return { method, url: `http://callout.test/api${url}`, body: body ?? '' };
}

test('a read travels as the contract wants it: text of every kind in the query', async () => {
  const input = { search: "O'Neil & Søn +64 %_", sort: 'name', order: 'asc', cursor: undefined } as const;
  expect(sentByOurs(['GET', '/customers'], input)).toEqual(await sentByReferenceLink((client) => client.customers.list(input)));
});

/** The server reads a query as this link writes it, see its query-input.test.ts. */
test.each<[string, object]>([
  ['booleans and numbers', { archived: false, read: true, limit: 25, minimum: -0.5, nothing: 0 }],
  ['lists', { statuses: ['new', 'done'], counts: [3, 1, 2], flags: [true, false], empty: [] }],
  ['records, also in lists', { period: { from: '2026-02-03', days: 7 }, rows: [{ a: 1, b: [2] }, { a: 3 }] }],
  ['what is not there', { search: '', status: null, cursor: undefined, list: ['a', undefined, 'b', null], not: Number.NaN }],
  ['names with brackets', { 'a[b]': 1, 'c\\d': { 'e]': 2 } }],
])('a query has %s as oRPC writes them', async (_, input) => {
  const calls = { customers: { list: call('public').route({ method: 'GET', path: '/things' }) } };
  const reference = await sentByReferenceLink((client) => client.customers.list(input), calls);
  expect(sentByOurs(['GET', '/things'], { ...input })).toEqual(reference);
});

test('a change travels as the contract wants it: the id in the path, the rest in the body', async () => {
  const input = { id, version: 3, type: 'individual', status: 'active', name: 'Mia', email: 'a@b.co', phone: '1', address: 'x' } as const;
  expect(sentByOurs(['PUT', '/customers/{id}'], input)).toEqual(await sentByReferenceLink((client) => client.customers.update(input)));
});

test('a deletion travels without a body', async () => {
  expect(sentByOurs(['DELETE', '/customers/{id}'], { id })).toEqual(await sentByReferenceLink((client) => client.customers.remove({ id })));
});

test('an id cannot leave its place in the path', () => {
  expect(requestFor(['GET', '/customers/{id}'], { id: '../me?x' }).url).toBe('/customers/..%2Fme%3Fx');
});

test('a refusal becomes an error with its code, text and data', async () => {
  const response = Response.json({ code: 'NOT_FOUND', message: 'Customer not found', data: { a: 1 } }, { status: 404 });
  await expect(answerOf(response)).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404, message: 'Customer not found', data: { a: 1 } });
});

test('a page of a proxy is not taken for an answer', async () => {
  await expect(answerOf(new Response('<html>', { status: 200 }))).rejects.toBeInstanceOf(CallError);
  await expect(answerOf(new Response('<html>', { status: 502 }))).rejects.toMatchObject({ status: 502, code: 'UNREADABLE_ANSWER' });
});
