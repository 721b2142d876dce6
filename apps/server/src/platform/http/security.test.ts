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
    'of %s has the security headers',
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
    ['a result', '/api/me'],
    ['a missing record', '/api/customers/018f0000-0000-7000-8000-000000000001'],
    ['invalid input', '/api/customers?sort=foo'],
    ['an unknown path', '/api/no-such-call'],
  ])('of a call with %s is not cached', async (_, path) => {
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
    'from %s is refused and changes nothing',
    async (origin) => {
      const answer = await change(origin);
      expect([answer.statusCode, answer.json()]).toMatchObject([403, { code: 'FORBIDDEN' }]);
      expect(await firm.people.admin.client.company.me()).toMatchObject({ menu_order: null });
    },
  );

  it('from a page that names itself to nobody is taken when the browser marks it as our own', async () => {
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
  ])('that the browser marks as %s is refused and changes nothing, with the origin %j', async (site, headers) => {
    const answer = await send({ 'sec-fetch-site': site, ...headers });
    expect([answer.statusCode, answer.json()]).toMatchObject([403, { code: 'FORBIDDEN' }]);
    expect(await firm.people.admin.client.company.me()).toMatchObject({ menu_order: null });
  });

  it.each(['/api/auth/sign-out', '/api/auth/sign-in', '/api/customers', '/api/files/018f0000-0000-7000-8000-000000000001'])(
    'is refused at %s before anything else',
    async (path) => {
      const method = path.includes('files') ? 'PUT' : 'POST';
      expect((await test.request(method, path, { headers: { origin: 'https://evil.example' } })).statusCode).toBe(403);
    },
  );

  it('is not what our own page or a program without a page sends', async () => {
    expect((await change('http://work.example.com')).statusCode).toBe(200);
    expect((await change()).statusCode).toBe(200);
    for (const site of ['same-origin', 'none']) expect((await send({ 'sec-fetch-site': site })).statusCode).toBe(200);
    const upgraded = { 'sec-fetch-site': 'same-site', origin: 'https://work.example.com' };
    expect((await send(upgraded)).statusCode).toBe(200);
  });

  it('may still be a read, such as a link in a mail', async () => {
    const link = { headers: { 'sec-fetch-site': 'cross-site' } };
    expect((await test.request('GET', '/api/docs/docs.css', link)).statusCode).toBe(200);
  });
});

describe('a host', () => {
  const ask = (host: string, path = '/api/docs/docs.css', extra: Record<string, string> = {}) =>
    test.request('GET', path, { headers: { host, ...extra } });

  it.each(['work.example.com', 'WORK.example.com', 'work.example.com:8080', 'localhost:3000', '127.0.0.1:3000', '[::1]:3000'])(
    '%s is accepted',
    async (host) => {
      expect((await ask(host)).statusCode).toBe(200);
    },
  );

  it.each(['evil.example', 'work.example.com.evil.example', '192.168.1.5', 'localhost.evil.example', 'user@work.example.com', '%', 'a b'])(
    '%s is refused with an explanation, except for health checks',
    async (host) => {
      const answer = await ask(host);
      expect([answer.statusCode, answer.json()]).toMatchObject([403, { code: 'FORBIDDEN', message: expect.stringMatching(/APP_URL/) }]);
      expect((await ask(host, '/api/health')).statusCode).toBe(200);
    },
  );

  it('forwarded by an untrusted client is ignored', async () => {
    expect((await ask('evil.example', undefined, { 'x-forwarded-host': 'work.example.com' })).statusCode).toBe(403);
  });

  it('may be anything while no public URL is configured', async () => {
    const anywhere = await startTestApp({ APP_URL: '' });
    for (const host of ['192.168.1.5:3000', 'office-server.local', 'anything']) {
      expect((await anywhere.request('GET', '/api/docs/docs.css', { headers: { host } })).statusCode).toBe(200);
    }
  });

  it('is taken from the trusted proxy', async () => {
    const proxied = await startTestApp({ APP_URL: 'http://work.example.com', TRUST_PROXY: '1' });
    const through = (forwarded: string) =>
      proxied.request('GET', '/api/docs/docs.css', { headers: { host: 'callout:3000', 'x-forwarded-host': forwarded } });
    expect([(await through('work.example.com')).statusCode, (await through('evil.example')).statusCode]).toEqual([200, 403]);
  });
});

describe('over https', () => {
  let secure: TestApp;

  beforeAll(async () => {
    secure = await startTestApp({ APP_URL: 'https://work.example.com' });
  });

  it('browsers are told to stay on https, and only then', async () => {
    expect((await secure.request('GET', '/api/health')).headers['strict-transport-security']).toMatch(/max-age=\d+/);
    expect((await test.request('GET', '/api/health')).headers).not.toHaveProperty('strict-transport-security');
  });

  it('the session cookie is secure', async () => {
    await secure.client().auth.signUp({ email: 'ana@example.com', password: 'secret-1' });
    const { headers } = await secure.request('POST', '/api/auth/sign-in', { body: { email: 'ana@example.com', password: 'secret-1' } });
    expect(String(headers['set-cookie'])).toMatch(/^__Secure-callout\.session_token=.*Secure/);
    const cookie = String(headers['set-cookie']).split(';', 1)[0];
    expect((await secure.request('GET', '/api/me', { cookie })).statusCode).toBe(200);
  });
});
