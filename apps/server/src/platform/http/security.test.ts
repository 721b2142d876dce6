import { beforeAll, describe, expect, it } from 'vitest';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
let firm: Firm;

beforeAll(async () => {
  test = await startTestApp({ APP_URL: 'http://work.example.com' });
  firm = await createFirm(test);
});

describe('every answer', () => {
  it.each(['/api/health', '/api/me', '/api/no-such-call', '/api/docs', '/', '/no/such/page'])('of %s carries the guards', async (path) => {
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
  });

  it.each([
    ['what was asked for', '/api/me'],
    ['that it is not there', '/api/customers/018f0000-0000-7000-8000-000000000001'],
    ['what is wrong', '/api/customers?sort=foo'],
    ['that there is no such call', '/api/no-such-call'],
  ])('of a call is stored nowhere when it says %s', async (_, path) => {
    const { headers } = await test.request('GET', path, { cookie: firm.people.admin.cookie });
    expect(headers['cache-control']).toBe('no-store');
  });
});

describe('a change asked for by another site', () => {
  const change = (origin?: string) =>
    test.request('PUT', '/api/me/menu-order', {
      cookie: firm.people.admin.cookie,
      body: { menu_order: ['quotes'] },
      headers: { host: 'work.example.com', ...(origin && { origin }) },
    });

  it.each(['https://evil.example', 'null', 'http://work.example.com.evil.example', 'http://work.example.com:8080', 'not an origin'])(
    'from %s is refused and changes nothing',
    async (origin) => {
      const answer = await change(origin);
      expect([answer.statusCode, answer.json()]).toMatchObject([403, { code: 'FORBIDDEN' }]);
      expect(await firm.people.admin.client.company.me()).toMatchObject({ menu_order: null });
    },
  );

  it.each(['/api/auth/sign-out', '/api/auth/sign-in', '/api/customers', '/api/files/018f0000-0000-7000-8000-000000000001'])(
    'is refused at %s before anything else',
    async (path) => {
      const method = path.includes('files') ? 'PUT' : 'POST';
      expect((await test.request(method, path, { headers: { origin: 'https://evil.example' } })).statusCode).toBe(403);
    },
  );

  it('is what our own page, or a program without a page, may do', async () => {
    expect((await change('http://work.example.com')).statusCode).toBe(200);
    expect((await change()).statusCode).toBe(200);
  });
});

describe('over https', () => {
  let secure: TestApp;

  beforeAll(async () => {
    secure = await startTestApp({ APP_URL: 'https://work.example.com' });
  });

  it('browsers are told to stay with it, and only there', async () => {
    expect((await secure.request('GET', '/api/health')).headers['strict-transport-security']).toMatch(/max-age=\d+/);
    expect((await test.request('GET', '/api/health')).headers).not.toHaveProperty('strict-transport-security');
  });

  it('the session is a secure cookie', async () => {
    await secure.client().auth.signUp({ email: 'ana@example.com', password: 'secret-1' });
    const { headers } = await secure.request('POST', '/api/auth/sign-in', { body: { email: 'ana@example.com', password: 'secret-1' } });
    expect(String(headers['set-cookie'])).toMatch(/^__Secure-callout\.session_token=.*Secure/);
    const cookie = String(headers['set-cookie']).split(';', 1)[0];
    expect((await secure.request('GET', '/api/me', { cookie })).statusCode).toBe(200);
  });
});
