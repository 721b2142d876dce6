import { beforeAll, describe, expect, it } from 'vitest';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let firm: Firm;

beforeAll(async () => {
  test = await startTestApp({ APP_URL: 'http://work.example.com' });
  firm = await createFirm(test);
});

describe('every response', () => {
  it.each(['/api/health', '/api/me', '/api/no-such-call', '/api/docs', '/', '/no/such/page'])(
    'includes the security headers for %s',
    async (path) => {
      const { headers } = await test.request('GET', path);
      expect(headers).toMatchObject({
        'content-security-policy':
          "default-src 'none';script-src 'self';style-src 'self';img-src 'self' data: blob:;font-src 'self';connect-src 'self';manifest-src 'self';worker-src 'self';base-uri 'none';form-action 'self';frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
      });
      expect(headers).not.toHaveProperty('access-control-allow-origin');
      expect(headers).not.toHaveProperty('x-powered-by');
    },
  );

  it.each([
    ['a successful result', '/api/me'],
    ['a missing record', '/api/customers/018f0000-0000-7000-8000-000000000001'],
    ['invalid input', '/api/customers?sort=foo'],
    ['an unknown path', '/api/no-such-call'],
  ])('is not cached for a call with %s', async (_, path) => {
    const { headers } = await test.request('GET', path, { cookie: firm.people.admin.cookie });
    expect(headers['cache-control']).toBe('no-store');
  });
});

describe('a cross-site change', () => {
  const send = (headers: Record<string, string>) =>
    test.request('PUT', '/api/me/menu-order', {
      cookie: firm.people.admin.cookie,
      body: { menu_order: ['quotes'] },
      headers: { host: 'work.example.com', ...headers },
    });
  const change = (origin?: string) => send(origin ? { origin } : {});

  it.each(['https://evil.example', 'null', 'http://work.example.com.evil.example', 'http://work.example.com:8080', 'not an origin'])(
    'is rejected from the origin %s',
    async (origin) => {
      const response = await change(origin);
      expect([response.statusCode, response.json()]).toMatchObject([403, { code: 'FORBIDDEN' }]);
      expect(await firm.people.admin.client.company.me()).toMatchObject({ menu_order: null });
    },
  );

  it('is accepted with a null origin if the browser marks it as same-origin', async () => {
    expect((await send({ origin: 'null', 'sec-fetch-site': 'same-origin' })).statusCode).toBe(200);
    await firm.people.admin.client.company.saveMenuOrder({ menu_order: null });
  });

  it.each<[string, Record<string, string>]>([
    ['cross-site', {}],
    ['cross-site', { origin: 'null' }],
    ['none', { origin: 'null' }],
    ['same-site', {}],
    ['cross-site', { origin: 'http://work.example.com' }],
    ['same-site', { origin: 'http://other.example.com' }],
    ['something new', {}],
  ])('is rejected if the browser marks it as %s, with the headers %j', async (site, headers) => {
    const response = await send({ 'sec-fetch-site': site, ...headers });
    expect([response.statusCode, response.json()]).toMatchObject([403, { code: 'FORBIDDEN' }]);
    expect(await firm.people.admin.client.company.me()).toMatchObject({ menu_order: null });
  });

  it.each(['/api/auth/sign-out', '/api/auth/sign-in', '/api/customers', '/api/files/018f0000-0000-7000-8000-000000000001'])(
    'is rejected before authentication at %s',
    async (path) => {
      const method = path.includes('files') ? 'PUT' : 'POST';
      expect((await test.request(method, path, { headers: { origin: 'https://evil.example' } })).statusCode).toBe(403);
    },
  );

  it('is never assumed for requests from our own pages or non-browser clients', async () => {
    expect((await change('http://work.example.com')).statusCode).toBe(200);
    expect((await change()).statusCode).toBe(200);
    for (const site of ['same-origin', 'none']) expect((await send({ 'sec-fetch-site': site })).statusCode).toBe(200);
    const upgradedHeaders = { 'sec-fetch-site': 'same-site', origin: 'https://work.example.com' };
    expect((await send(upgradedHeaders)).statusCode).toBe(200);
  });

  it('is never assumed for reads, such as following a link in an email', async () => {
    const crossSite = { headers: { 'sec-fetch-site': 'cross-site' } };
    expect((await test.request('GET', '/api/docs/docs.css', crossSite)).statusCode).toBe(200);
  });
});

describe('the Host header', () => {
  const getStylesheet = (host: string, path = '/api/docs/docs.css', extra: Record<string, string> = {}) =>
    test.request('GET', path, { headers: { host, ...extra } });

  it.each(['work.example.com', 'WORK.example.com', 'work.example.com:8080', 'localhost:3000', '127.0.0.1:3000', '[::1]:3000'])(
    'is accepted if it is %s',
    async (host) => {
      expect((await getStylesheet(host)).statusCode).toBe(200);
    },
  );

  it.each(['evil.example', 'work.example.com.evil.example', '192.168.1.5', 'localhost.evil.example', 'user@work.example.com', '%', 'a b'])(
    'is rejected with an explanation if it is %s, except for health checks',
    async (host) => {
      const response = await getStylesheet(host);
      expect([response.statusCode, response.json()]).toMatchObject([403, { code: 'FORBIDDEN', message: expect.stringMatching(/APP_URL/) }]);
      for (const path of ['/api/health', '/api/ready']) expect((await getStylesheet(host, path)).statusCode).toBe(200);
    },
  );

  it('cannot be overridden by an untrusted client', async () => {
    expect((await getStylesheet('evil.example', undefined, { 'x-forwarded-host': 'work.example.com' })).statusCode).toBe(403);
  });

  it('may be anything if APP_URL is not set', async () => {
    const app = await startTestApp({ APP_URL: '' });
    for (const host of ['192.168.1.5:3000', 'office-server.local', 'anything']) {
      expect((await app.request('GET', '/api/docs/docs.css', { headers: { host } })).statusCode).toBe(200);
    }
  });

  it('is taken from a trusted proxy', async () => {
    const proxied = await startTestApp({ APP_URL: 'http://work.example.com', TRUST_PROXY: '1' });
    const through = (forwarded: string) =>
      proxied.request('GET', '/api/docs/docs.css', { headers: { host: 'callout:3000', 'x-forwarded-host': forwarded } });
    expect([(await through('work.example.com')).statusCode, (await through('evil.example')).statusCode]).toEqual([200, 403]);
  });
});

describe('over HTTPS, the server', () => {
  let secure: TestApp;

  beforeAll(async () => {
    secure = await startTestApp({ APP_URL: 'https://work.example.com' });
  });

  it('sends the Strict-Transport-Security header, which plain HTTP does not', async () => {
    expect((await secure.request('GET', '/api/health')).headers['strict-transport-security']).toMatch(/max-age=\d+/);
    expect((await test.request('GET', '/api/health')).headers).not.toHaveProperty('strict-transport-security');
  });

  it('marks the session cookie as secure', async () => {
    await secure.client().auth.signUp({ email: 'ana@example.com', password: 'secret-1' });
    const { headers } = await secure.request('POST', '/api/auth/sign-in', { body: { email: 'ana@example.com', password: 'secret-1' } });
    expect(String(headers['set-cookie'])).toMatch(/^__Secure-callout\.session_token=.*Secure/);
    const cookie = String(headers['set-cookie']).split(';', 1)[0];
    expect((await secure.request('GET', '/api/me', { cookie })).statusCode).toBe(200);
  });
});
