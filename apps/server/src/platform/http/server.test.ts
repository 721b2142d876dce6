import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { insertCustomers } from '../../../test/factories/customer-rows.ts';
import { newCustomer } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let firm: Firm;

beforeAll(async () => {
  test = await startTestApp();
  firm = await createFirm(test);
});

const lines = () => test.logged.map((line) => JSON.parse(line) as Record<string, unknown>);

describe('a request', () => {
  it('has a server-made id in its response and in its one log line', async () => {
    const answer = await test.request('GET', '/api/customers?search=hidden', {
      cookie: firm.people.admin.cookie,
      headers: { 'x-request-id': 'forged', 'request-id': 'forged' },
    });
    const id = answer.headers['x-request-id'];
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    const mine = lines().filter((line) => line['reqId'] === id);
    expect(mine).toMatchObject([{ method: 'GET', path: '/api/customers', status: 200, msg: 'answered' }]);
    expect(mine[0]?.['ms']).toEqual(expect.any(Number));
  });

  it('is not logged when it is a health check', async () => {
    const before = test.logged.length;
    await test.request('GET', '/api/health');
    expect(test.logged.length).toBe(before);
  });

  it.each(['/api/no-such-call', '/api/', '/api/customers/a/b/c', '/api/auth/sign-in', '/api/..%2fsecret'])(
    'for %s, which does not exist, is answered with a typed 404',
    async (path) => {
      const answer = await test.request('GET', path, { cookie: firm.people.admin.cookie });
      expect([answer.statusCode, answer.json()]).toMatchObject([404, { code: 'NOT_FOUND' }]);
      expect(answer.headers['content-type']).toContain('application/json');
    },
  );

  it('with thousands of invalid entries gets a small answer', async () => {
    const menu_order = Array.from({ length: 50_000 }, () => 1);
    const answer = await test.request('PUT', '/api/me/menu-order', { cookie: firm.people.admin.cookie, body: { menu_order } });
    expect([answer.statusCode, answer.json()]).toMatchObject([422, { code: 'INVALID_INPUT' }]);
    expect(answer.body.length).toBeLessThan(16 * 1024);
  });

  it('that fails on the server is answered with a typed 500 without details', async () => {
    await test.owner.query('alter table customers rename column notes to notes_away');
    try {
      const answer = await test.request('POST', '/api/customers', { cookie: firm.people.admin.cookie, body: newCustomer() });
      expect([answer.statusCode, answer.json()]).toEqual([
        500,
        { defined: false, code: 'INTERNAL', status: 500, message: 'Something went wrong on our side.' },
      ]);
      const logged = lines().filter((line) => line['reqId'] === answer.headers['x-request-id'] && line['level'] === 50);
      expect(logged).toMatchObject([{ msg: 'call failed', err: { cause: { code: '42703' } } }]);
    } finally {
      await test.owner.query('alter table customers rename column notes_away to notes');
    }
  });
});

describe('a long response', () => {
  beforeAll(async () => {
    await insertCustomers(
      test,
      firm.companyId,
      Array.from({ length: 30 }, (_, index) => ({ name: `Customer ${index}` })),
    );
  });

  const list = (encoding: string) =>
    test.request('GET', '/api/customers', { cookie: firm.people.admin.cookie, headers: { 'accept-encoding': encoding } });

  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('is sent as %s to clients that accept it', async (encoding, unpack) => {
    const [packed, plain] = [await list(encoding), await list('identity')];
    expect(packed.headers['content-encoding']).toBe(encoding);
    expect(packed.headers['vary']).toContain('accept-encoding');
    expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 3);
    expect(unpack(packed.rawPayload).toString()).toBe(plain.body);
  });

  it('is sent uncompressed to other clients, and so is a short one', async () => {
    expect((await list('identity')).headers).not.toHaveProperty('content-encoding');
    const short = await test.request('GET', '/api/customers/count', {
      cookie: firm.people.admin.cookie,
      headers: { 'accept-encoding': 'br' },
    });
    expect(short.headers).not.toHaveProperty('content-encoding');
  });
});
