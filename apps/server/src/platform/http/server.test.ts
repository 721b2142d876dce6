import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { insertCustomers } from '../../../test/factories/customer-rows.ts';
import { buildCustomer } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let firm: Firm;

beforeAll(async () => {
  test = await startTestApp();
  firm = await createFirm(test);
});

const parseLogLines = () => test.logLines.map((line) => JSON.parse(line) as Record<string, unknown>);

describe('an HTTP request', () => {
  it('has a server-generated id in its response and its log line', async () => {
    const response = await test.request('GET', '/api/customers?search=hidden', {
      cookie: firm.people.admin.cookie,
      headers: { 'x-request-id': 'forged', 'request-id': 'forged' },
    });
    const id = response.headers['x-request-id'];
    expect(id).toMatch(/^[0-9a-f]{12}$/);
    const requestLines = parseLogLines().filter((line) => line['reqId'] === id);
    expect(requestLines).toMatchObject([{ method: 'GET', path: '/api/customers', status: 200, msg: 'Request completed' }]);
    expect(requestLines[0]?.['ms']).toEqual(expect.any(Number));
  });

  it('keeps a well-formed id from a trusted proxy', async () => {
    const proxied = await startTestApp({ TRUST_PROXY: '1' });
    const sendWithId = async (id: string) =>
      (await proxied.request('GET', '/api/me', { headers: { 'x-request-id': id } })).headers['x-request-id'];
    expect(await sendWithId('01JD-proxy_id')).toBe('01JD-proxy_id');
    expect(proxied.logLines.some((line) => line.includes('01JD-proxy_id'))).toBe(true);
    for (const malformed of ['short', 'a b c d e f g h', 'x'.repeat(65), 'quote"quote"quote'])
      expect(await sendWithId(malformed)).toMatch(/^[0-9a-f]{12}$/);
  });

  it.each(['/api/health', '/api/ready'])('is not logged if it is a probe of %s', async (path) => {
    const before = test.logLines.length;
    await test.request('GET', path);
    expect(test.logLines.length).toBe(before);
  });

  it.each(['/api/no-such-call', '/api/', '/api/customers/a/b/c', '/api/auth/sign-in', '/api/..%2fsecret'])(
    'gets a typed 404 for the unknown URL %s',
    async (path) => {
      const response = await test.request('GET', path, { cookie: firm.people.admin.cookie });
      expect([response.statusCode, response.json()]).toMatchObject([404, { code: 'NOT_FOUND' }]);
      expect(response.headers['content-type']).toContain('application/json');
    },
  );

  it('gets a small response to thousands of invalid entries', async () => {
    const menu_order = Array.from({ length: 50_000 }, () => 1);
    const response = await test.request('PUT', '/api/me/menu-order', { cookie: firm.people.admin.cookie, body: { menu_order } });
    expect([response.statusCode, response.json()]).toMatchObject([422, { code: 'INVALID_INPUT' }]);
    expect(response.body.length).toBeLessThan(16 * 1024);
  });

  it('gets a typed 500 without details if the server fails', async () => {
    await test.owner.query('alter table customers rename column notes to notes_away');
    try {
      const response = await test.request('POST', '/api/customers', { cookie: firm.people.admin.cookie, body: buildCustomer() });
      expect([response.statusCode, response.json()]).toEqual([
        500,
        {
          defined: false,
          code: 'INTERNAL',
          status: 500,
          message: 'Something went wrong on our side.',
          data: { reference: response.headers['x-request-id'] },
        },
      ]);
      const logged = parseLogLines().filter((line) => line['reqId'] === response.headers['x-request-id'] && line['level'] === 50);
      expect(logged).toMatchObject([{ msg: 'Call failed', err: { cause: { code: '42703' } } }]);
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

  const listCustomers = (encoding: string) =>
    test.request('GET', '/api/customers', { cookie: firm.people.admin.cookie, headers: { 'accept-encoding': encoding } });

  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('is compressed with %s for clients that accept it', async (encoding, decompress) => {
    const [compressed, plain] = [await listCustomers(encoding), await listCustomers('identity')];
    expect(compressed.headers['content-encoding']).toBe(encoding);
    expect(compressed.headers['vary']).toContain('accept-encoding');
    expect(compressed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 3);
    expect(decompress(compressed.rawPayload).toString()).toBe(plain.body);
  });

  it('is not compressed for other clients, nor is a short response', async () => {
    expect((await listCustomers('identity')).headers).not.toHaveProperty('content-encoding');
    const short = await test.request('GET', '/api/customers/count', {
      cookie: firm.people.admin.cookie,
      headers: { 'accept-encoding': 'br' },
    });
    expect(short.headers).not.toHaveProperty('content-encoding');
  });
});
