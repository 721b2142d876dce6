import { defineCall } from '@callout/contract/call';
import { contract as product } from '@callout/contract/contract';
import { staleVersionError } from '@callout/contract/errors';
import { visibleWith } from '@callout/contract/field-visibility';
import { ROLES } from '@callout/domain/roles/roles';
import { implement } from '@orpc/server';
import type { FastifyInstance } from 'fastify';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startAppWithAdministrator } from '../../../test/factories/administrator.ts';
import { createFirm, createPerson, type Firm, type Person } from '../../../test/factories/people.ts';
import type { TestApp } from '../../../test/test-app.ts';
import type { CallContext } from './call-context.ts';
import { guardCall } from './calls.ts';
import { REQUEST_LIMITS } from './request-limits.ts';
import { createResponseRedactor } from './response-redactor.ts';
import { createServer } from './server.ts';

const Item = z.object({ name: z.string(), cost: visibleWith('costs.view', z.string().nullable()) });
const Labor = z.object({ kind: z.literal('labor'), rate: z.string() });
const Part = z.object({ kind: z.literal('part'), item: Item, margin: visibleWith('costs.view', z.int()) });
const Job = z.object({
  id: z.string(),
  items: z.array(Item),
  first: Item.nullable(),
  lines: z.array(z.discriminatedUnion('kind', [Labor, Part])),
  byName: z.record(z.string(), Item),
  totals: visibleWith('costs.view', z.object({ sum: z.string() })),
  wage: visibleWith('staff.manage', z.string()).nullable(),
});

const tap = { name: 'Tap', cost: '12.00' };
const job = {
  id: '1',
  items: [tap, { name: 'Pipe', cost: null }],
  first: tap,
  lines: [
    { kind: 'labor' as const, rate: '95.00' },
    { kind: 'part' as const, item: tap, margin: 30 },
  ],
  byName: { tap },
  totals: { sum: '12.00' },
  wage: '45.00',
};
const withoutCosts = {
  id: '1',
  items: [{ name: 'Tap' }, { name: 'Pipe' }],
  first: { name: 'Tap' },
  lines: [
    { kind: 'labor', rate: '95.00' },
    { kind: 'part', item: { name: 'Tap' } },
  ],
  byName: { tap: { name: 'Tap' } },
};
const { wage: _, ...withCosts } = job;
const VISIBLE_JOBS = { admin: job, manager: withCosts, accountant: withCosts, staff: withoutCosts };

const contract = {
  view: defineCall('public').route({ method: 'GET', path: '/job/public' }).output(Job),
  mine: defineCall('signed-in').route({ method: 'GET', path: '/job/mine' }).output(Job),
  companies: defineCall('system-admin').route({ method: 'GET', path: '/job/all' }).output(Job),
  get: defineCall('work.view').route({ method: 'GET', path: '/job' }).output(Job),
  update: defineCall('work.view').route({ method: 'PUT', path: '/job' }).output(z.object({})).errors(staleVersionError(Job)),
};

let test: TestApp;
let server: FastifyInstance;
let firm: Firm;
let administrator: Person;

beforeAll(async () => {
  ({ test, administrator } = await startAppWithAdministrator());
  firm = await createFirm(test);
  const calls = implement(contract).$context<CallContext>().use(guardCall);
  const router = calls.router({
    view: calls.view.handler(() => job),
    mine: calls.mine.handler(() => job),
    companies: calls.companies.handler(() => job),
    get: calls.get.handler(() => job),
    update: calls.update.handler(({ errors }) => {
      throw errors.STALE_VERSION({ data: { current: job } });
    }),
  });
  server = await createServer(test.app.platform, { router, featureRoutes: [], limits: REQUEST_LIMITS });
  return () => server.close();
});

const request = async (method: 'GET' | 'PUT', url: string, cookie = ''): Promise<unknown> => {
  const { body } = await server.inject({ method, url, headers: { cookie } });
  return JSON.parse(body);
};

describe.each(ROLES)('%s', (role) => {
  it('gets only the fields that this role may see', async () => {
    expect(await request('GET', '/api/job', firm.people[role].cookie)).toEqual(VISIBLE_JOBS[role]);
  });

  it('gets no other fields in a STALE_VERSION error', async () => {
    const response = await request('PUT', '/api/job', firm.people[role].cookie);
    expect(response).toMatchObject({ code: 'STALE_VERSION', status: 409, data: { current: VISIBLE_JOBS[role] } });
    expect(response).toHaveProperty('data', { current: VISIBLE_JOBS[role] });
  });
});

it('callers without a role in a company get no restricted fields', async () => {
  const loner = await createPerson(test);
  expect(await request('GET', '/api/job/public')).toEqual(withoutCosts);
  expect(await request('GET', '/api/job/mine', loner.cookie)).toEqual(withoutCosts);
  expect(await request('GET', '/api/job/mine', administrator.cookie)).toEqual(withoutCosts);
  expect(await request('GET', '/api/job/all', administrator.cookie)).toEqual(withoutCosts);
});

it('does not modify the value that the handler returned', () => {
  expect(job.items[0]).toEqual({ name: 'Tap', cost: '12.00' });
});

it('creates no redactor for calls without marked fields', () => {
  const procedure = implement(product.customers.list).handler(() => ({ rows: [], next_cursor: null }));
  expect(createResponseRedactor(procedure)).toBeNull();
});

it.each([
  ['the entries of a list', z.object({ costs: z.array(visibleWith('costs.view', z.string())) })],
  ['a whole response', visibleWith('costs.view', z.object({}))],
])('throws at startup if a call marks %s', (__, output) => {
  const procedure = implement(defineCall('work.view').output(output)).handler(() => ({}));
  expect(() => createResponseRedactor(procedure)).toThrow('visibleWith marks a field of an object');
});

it('copies nothing for a role that may see all fields', () => {
  const procedure = implement(defineCall('work.view').output(Job.omit({ byName: true }))).handler(() => job);
  const redactor = createResponseRedactor(procedure);
  expect(redactor?.redactOutput(job, 'admin')).toBe(job);
  expect(redactor?.redactOutput(job, 'staff')).toEqual({ ...withoutCosts, byName: job.byName });
});
