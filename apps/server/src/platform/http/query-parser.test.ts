import type { AddressInfo } from 'node:net';
import { defineCall } from '@callout/contract/call';
import { CustomerListInput } from '@callout/contract/customers';
import { createORPCClient } from '@orpc/client';
import type { ContractRouterClient } from '@orpc/contract';
import { OpenAPILink } from '@orpc/openapi-client/fetch';
import { implement } from '@orpc/server';
import type { FastifyInstance } from 'fastify';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createFirm } from '../../../test/factories/people.ts';
import { startTestApp } from '../../../test/test-app.ts';
import type { CallContext } from './call-context.ts';
import { guardCall } from './calls.ts';
import { createQueryParser } from './query-parser.ts';
import { REQUEST_LIMITS } from './request-limits.ts';
import { createServer } from './server.ts';

/** The fields of a test call that echoes its input, with every type of filter. */
const filter = {
  search: z.string().max(200).optional(),
  code: z.string().optional(),
  archived: z.boolean().optional(),
  limit: z.int().min(1).max(500).optional(),
  minimum: z.number().optional(),
  statuses: z
    .array(z.enum(['new', 'done']))
    .max(100)
    .default([]),
  counts: z.array(z.number()).optional(),
  flags: z.array(z.boolean()).max(20).optional(),
  period: z.object({ from: z.iso.date().optional(), days: z.int().optional() }).optional(),
};
const contract = {
  things: {
    list: defineCall('work.view')
      .route({ method: 'GET', path: '/things/{owner}' })
      .input(z.object({ owner: z.string(), ...filter }))
      .output(z.object({ owner: z.string(), ...filter })),
  },
};
type Filter = { owner: string } & z.input<z.ZodObject<typeof filter>>;

let server: FastifyInstance;
let cookie: string;

beforeAll(async () => {
  const test = await startTestApp();
  const firm = await createFirm(test);
  cookie = firm.people.staff.cookie;
  const calls = implement(contract).$context<CallContext>().use(guardCall);
  const router = calls.router({ things: { list: calls.things.list.handler(({ input }) => input) } });
  server = await createServer(test.app.platform, { router, featureRoutes: [], limits: REQUEST_LIMITS });
  await server.listen({ port: 0, host: '127.0.0.1' });
  return () => server.close();
});

const getServerUrl = () => `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;

/** Sends the query through oRPC's client, as the web app does, over a real connection. */
function sendWithClient(input: Filter): Promise<Filter> {
  const link = new OpenAPILink(contract, { url: `${getServerUrl()}/api`, headers: { cookie } });
  return createORPCClient<ContractRouterClient<typeof contract>>(link).things.list(input);
}

const sendRaw = (query: string) => server.inject({ method: 'GET', url: `/api/things/me?${query}`, headers: { cookie } });
const sendRawAndParse = async (query: string): Promise<unknown> => (await sendRaw(query)).json();

describe('a query is received as it was sent', () => {
  it.each<[string, Omit<Filter, 'owner'>]>([
    ['a boolean', { archived: false, statuses: [] }],
    ['the other boolean', { archived: true, statuses: [] }],
    ['numbers', { limit: 25, minimum: -0.5, statuses: [] }],
    ['a list of one', { statuses: ['done'] }],
    ['a list of many', { statuses: ['new', 'done', 'new'] }],
    ['a list of twelve, in order', { statuses: [], counts: [11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0] }],
    ['a list of booleans', { statuses: [], flags: [true, false] }],
    ['a record', { statuses: [], period: { from: '2026-02-03', days: 7 } }],
    ['text that looks like something else', { statuses: [], search: 'true', code: '007' }],
    ['text with brackets and every other symbol', { statuses: [], search: 'a[0]=b&c=d %5B\\ +ā' }],
  ])('%s', async (_, sent) => {
    expect(await sendWithClient({ owner: 'me', ...sent })).toEqual({ owner: 'me', ...sent });
  });

  it('an empty list is received as its default, because a query cannot express it', async () => {
    expect(await sendWithClient({ owner: 'me', statuses: [], counts: [] })).toEqual({ owner: 'me', statuses: [] });
  });

  it('the path takes precedence over the query', async () => {
    expect(await sendRawAndParse('owner=you&limit=3')).toEqual({ owner: 'me', statuses: [], limit: 3 });
  });

  it('a repeated name is parsed as a list, as in HTML forms', async () => {
    expect(await sendRawAndParse('statuses=new&statuses=done')).toEqual({ owner: 'me', statuses: ['new', 'done'] });
  });
});

it.each([
  ['archived=perhaps', 'archived'],
  ['archived=', 'archived'],
  ['limit=many', 'limit'],
  ['limit=1.5', 'limit'],
  ['limit=501', 'limit'],
  ['minimum=Infinity', 'minimum'],
  ['minimum=NaN', 'minimum'],
  ['counts[0]=1&counts[1]=x', 'counts.1'],
  ['statuses[0]=gone', 'statuses.0'],
  ['statuses[one]=new', 'statuses'],
  ['period=today', 'period'],
  ['search[$gt]=', 'search'],
  ['search[]=a', 'search'],
])('%s fails validation of its field', async (query, field) => {
  const response = await sendRaw(query);
  expect(response.statusCode).toBe(422);
  expect(Object.keys(response.json<{ data: { fields: object } }>().data.fields)).toEqual([field]);
});

describe('a hostile query', () => {
  const deep = (name: string) => `${name}${'[0]'.repeat(4000)}=1`;
  const wide = Array.from({ length: 4000 }, (_, index) => `k${index}=`).join('&');

  it.each([
    ['with deep nesting', deep('statuses')],
    ['with deep nesting under an unknown name', deep('unknown')],
    ['with a huge index', 'statuses[999999999]=new'],
    ['with an index too large for a number', `statuses[${'9'.repeat(400)}]=new`],
    ['with an index far beyond the list', 'statuses[9999]=new'],
    ['with the highest allowed index', 'statuses[499]=new&counts[499]=1&flags[499]=true'],
    ['with many huge indexes', Array.from({ length: 400 }, (_, index) => `counts[${index}][9999]=1`).join('&')],
    ['that targets a prototype', '__proto__[admin]=1&constructor[prototype][admin]=1&period[__proto__][days]=1&statuses[__proto__][0]=new'],
    ['that targets the length of a list', 'statuses[0]=new&statuses[length]=4294967295'],
    ['with thousands of names', wide],
    ['with thousands of entries', Array.from({ length: 4000 }, () => 'statuses[]=new').join('&')],
    ['that mixes lists, records and text', 'statuses=a&statuses[]=b&statuses[0]=c&statuses[x][]=d&statuses=e'],
    ['with unclosed brackets', 'statuses[=new&[]=1&]=2&[[[=3&[x]=4&=5&\\[=6'],
    ['that is itself a list', '0=new&1=done'],
    ['that is not encoded as UTF-8', 'search=%ff&statuses[%ff]=%fe%'],
  ])('is rejected or ignored with a small response: %s', async (_, query) => {
    const response = await sendRaw(query);
    const { code = 'none' } = response.json<{ code?: string }>();
    expect(['200 none', '422 INVALID_INPUT']).toContain(`${response.statusCode} ${code}`);
    expect(response.body.length).toBeLessThan(16 * 1024);
    expect(Object.prototype).not.toHaveProperty('admin');
    expect(Object.prototype).not.toHaveProperty('days');
  });

  it('is rejected over a real connection if it is too long', async () => {
    const response = await fetch(`${getServerUrl()}/api/things/me?${wide}${wide}`, { headers: { cookie } });
    expect(response.status).toBe(431);
    expect(await sendRawAndParse('limit=1')).toMatchObject({ limit: 1 });
  });
});

it('a call with only text fields receives the query without conversion', () => {
  const query = { search: 'ana', 'status[0]': 'active' };
  expect(createQueryParser('customers.list', CustomerListInput)(query)).toBe(query);
});

it.each([
  ['a list', z.array(z.string())],
  ['a record', z.object({})],
  ['null', z.string().nullable()],
])('throws at startup if a required field can be %s, because a query cannot express an empty one', (_, field) => {
  expect(() => createQueryParser('things.list', z.object({ field }))).toThrow(`things.list: a query can't express an empty "field"`);
});
