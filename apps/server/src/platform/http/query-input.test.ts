import type { AddressInfo } from 'node:net';
import { call } from '@callout/contract/call';
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
import { guard } from './calls.ts';
import { createQueryReader } from './query-input.ts';
import { REQUEST_LIMITS } from './request-limits.ts';
import { createServer } from './server.ts';

/** A list with every kind of filter, which returns the filter its handler was given. */
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
    list: call('work.view')
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
  const calls = implement(contract).$context<CallContext>().use(guard);
  const router = calls.router({ things: { list: calls.things.list.handler(({ input }) => input) } });
  server = await createServer(test.app.platform, { router, uploadRoutes: [], limits: REQUEST_LIMITS });
  await server.listen({ port: 0, host: '127.0.0.1' });
  return () => server.close();
});

const urlOf = () => `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;

/** The page's own link, over a real connection. */
function sendOverSocket(input: Filter): Promise<Filter> {
  const link = new OpenAPILink(contract, { url: `${urlOf()}/api`, headers: { cookie } });
  return createORPCClient<ContractRouterClient<typeof contract>>(link).things.list(input);
}

const sendRaw = (query: string) => server.inject({ method: 'GET', url: `/api/things/me?${query}`, headers: { cookie } });
const answerTo = async (query: string): Promise<unknown> => (await sendRaw(query)).json();

describe('a query arrives as it was sent', () => {
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
    expect(await sendOverSocket({ owner: 'me', ...sent })).toEqual({ owner: 'me', ...sent });
  });

  it('an empty list cannot be expressed in a query: its default is used', async () => {
    expect(await sendOverSocket({ owner: 'me', statuses: [], counts: [] })).toEqual({ owner: 'me', statuses: [] });
  });

  it('the path takes precedence over the query', async () => {
    expect(await answerTo('owner=you&limit=3')).toEqual({ owner: 'me', statuses: [], limit: 3 });
  });

  it('a repeated name is a list, as in HTML forms', async () => {
    expect(await answerTo('statuses=new&statuses=done')).toEqual({ owner: 'me', statuses: ['new', 'done'] });
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
])('%s is refused at its field', async (query, field) => {
  const answer = await sendRaw(query);
  expect(answer.statusCode).toBe(422);
  expect(Object.keys(answer.json<{ data: { fields: object } }>().data.fields)).toEqual([field]);
});

describe('a hostile query', () => {
  const deep = (name: string) => `${name}${'[0]'.repeat(4000)}=1`;
  const wide = Array.from({ length: 4000 }, (_, index) => `k${index}=`).join('&');

  it.each([
    ['nested endlessly', deep('statuses')],
    ['nested endlessly under an unknown name', deep('unknown')],
    ['with a huge index', 'statuses[999999999]=new'],
    ['with an index too large for a number', `statuses[${'9'.repeat(400)}]=new`],
    ['with an index far beyond the list', 'statuses[9999]=new'],
    ['with the highest allowed index', 'statuses[499]=new&counts[499]=1&flags[499]=true'],
    ['with many huge indexes', Array.from({ length: 400 }, (_, index) => `counts[${index}][9999]=1`).join('&')],
    ['aimed at a prototype', '__proto__[admin]=1&constructor[prototype][admin]=1&period[__proto__][days]=1&statuses[__proto__][0]=new'],
    ['aimed at the length of a list', 'statuses[0]=new&statuses[length]=4294967295'],
    ['with thousands of names', wide],
    ['with thousands of entries', Array.from({ length: 4000 }, () => 'statuses[]=new').join('&')],
    ['that mixes lists, records and text', 'statuses=a&statuses[]=b&statuses[0]=c&statuses[x][]=d&statuses=e'],
    ['with brackets left open', 'statuses[=new&[]=1&]=2&[[[=3&[x]=4&=5&\\[=6'],
    ['that is a list itself', '0=new&1=done'],
    ['that is not encoded as UTF-8', 'search=%ff&statuses[%ff]=%fe%'],
  ])('%s is refused or ignored, with a small answer', async (_, query) => {
    const answer = await sendRaw(query);
    const { code = 'none' } = answer.json<{ code?: string }>();
    expect(['200 none', '422 INVALID_INPUT']).toContain(`${answer.statusCode} ${code}`);
    expect(answer.body.length).toBeLessThan(16 * 1024);
    expect(Object.prototype).not.toHaveProperty('admin');
    expect(Object.prototype).not.toHaveProperty('days');
  });

  it('over a real connection is limited by its size', async () => {
    const answer = await fetch(`${urlOf()}/api/things/me?${wide}${wide}`, { headers: { cookie } });
    expect(answer.status).toBe(431);
    expect(await answerTo('limit=1')).toMatchObject({ limit: 1 });
  });
});

it('a call with only text fields takes the query as it is, without conversion', () => {
  const query = { search: 'ana', 'status[0]': 'active' };
  expect(createQueryReader('customers.list', CustomerListInput)(query)).toBe(query);
});

it.each([
  ['a list', z.array(z.string())],
  ['a record', z.object({})],
  ['null', z.string().nullable()],
])('refuses to start when a required field can be %s, since a query cannot express that it is empty', (_, field) => {
  expect(() => createQueryReader('things.list', z.object({ field }))).toThrow('things.list: an empty "field" leaves no trace in a query');
});
