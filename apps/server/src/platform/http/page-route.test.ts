import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { CallResponse } from './contract-route.ts';
import { registerPageRoutes, sanitizePageUrl } from './page-route.ts';
import { registerSecurityHeaders } from './security.ts';

const FILES = {
  'index.html':
    '<head><title>Callout</title></head><div id="app"><p>Loading...</p></div><template id="frame"><p>{company}</p><h1>{title}</h1></template>',
  'quote.html': '<title>Quote</title>',
  'invoice.html': '<title>Invoice</title>',
  'sw.js': 'install()',
  '.built': 'stamp',
  'assets/app-1a2b3c.js': 'start()',
};
const TITLES = { 'index.html': '<title>Callout</title>', 'quote.html': '<title>Quote</title>', 'invoice.html': '<title>Invoice</title>' };
const PAGE_CHUNKS = [
  { path: '/auth', in_shell: false, urls: ['/assets/auth.js'] },
  { path: '/customers/$id', in_shell: true, urls: ['/assets/shell.js', '/assets/customer.js'] },
  { path: '/customers/new', in_shell: true, title: 'Add New Customer', urls: ['/assets/shell.js', '/assets/new-customer.js'] },
  { path: '/dashboard', in_shell: true, urls: ['/assets/shell.js', '/assets/dashboard.js'] },
];
const NOT_FOUND = { code: 'NOT_FOUND', message: 'Not found.' };

let folder: string;
let server: FastifyInstance;
let me: CallResponse = { status: 401, body: { code: 'UNAUTHENTICATED' } };

async function startServer(pageDir: string, fetchMe = async () => me): Promise<FastifyInstance> {
  const app = Fastify({ exposeHeadRoutes: false, rewriteUrl: ({ url = '/' }) => sanitizePageUrl(url) });
  await registerSecurityHeaders(app, { appUrl: 'https://work.example.com', files: { getReadOrigin: async () => null } });
  await registerPageRoutes(app, fetchMe, pageDir);
  return app;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callout-page-'));
  await mkdir(join(folder, 'assets'));
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(folder, name), text);
  await writeFile(join(folder, 'page-chunks.json'), JSON.stringify(PAGE_CHUNKS));
  await writeFile(join(folder, 'assets/app-1a2b3c.js.br'), brotliCompressSync(FILES['assets/app-1a2b3c.js']));
  server = await startServer(folder);
});

afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const listPreloadedChunks = (html: string) =>
  [...html.matchAll(/<link rel="modulepreload" fetchpriority="low" crossorigin href="\/assets\/([\w-]+)\.js">/g)].map(([, name]) => name);

const get = (url: string, headers = {}) => server.inject({ method: 'GET', url, headers });

describe('the web app', () => {
  it.each([
    ['/', 'index.html'],
    ['/customers/018f0000-0000-7000-8000-000000000001?edit=true', 'index.html'],
    ['/quotes/018f0000-0000-7000-8000-000000000001', 'index.html'],
    ['/quote', 'index.html'],
    ['/jobs/quote/1', 'index.html'],
    ['/quote/token', 'quote.html'],
    ['/quote/token?print=true', 'quote.html'],
    ['/invoice/token', 'invoice.html'],
    ['/quote/token.', 'quote.html'],
    ['/quote/token.html', 'quote.html'],
    ['/customers?search=a.b', 'index.html'],
    ['/invoices/1', 'index.html'],
    ['/invoice/x%00%2f', 'invoice.html'],
    ['/invoice/%zz', 'invoice.html'],
    ['/quote/x%5c?print=true', 'quote.html'],
    ['/jobs/%00/payment', 'index.html'],
    ['/%', 'index.html'],
  ] as const)('serves %s as %s, which is always revalidated', async (url, file) => {
    const { statusCode, body, headers } = await get(url);
    expect([statusCode, body]).toEqual([200, expect.stringContaining(TITLES[file])]);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': file === 'index.html' ? 'no-store' : 'no-cache',
      'content-security-policy': expect.stringMatching(/default-src 'none';script-src 'self';.*frame-ancestors 'none'/) as string,
      'x-content-type-options': 'nosniff',
    });
  });

  it.each([
    ['/', ['shell', 'dashboard']],
    ['/dashboard?x=1', ['shell', 'dashboard']],
    ['/customers/new', ['shell', 'new-customer']],
    ['/customers/018f0000-0000-7000-8000-000000000001', ['shell', 'customer']],
    ['/customers/', []],
    ['/auth', ['auth']],
    ['/no/such/page', []],
  ])('preloads the chunks of %s', async (url, chunks) => {
    me = { status: 200, body: { user: { name: 'Mia' } } };
    expect(listPreloadedChunks((await get(url)).body)).toEqual(chunks);
  });

  it('preloads the chunks of the sign-in form for a signed-out visitor', async () => {
    me = { status: 401, body: { code: 'UNAUTHENTICATED' } };
    expect(listPreloadedChunks((await get('/customers/new')).body)).toEqual(['auth']);
  });

  it('embeds the signed-in user as JSON that cannot break out of its script element', async () => {
    me = { status: 200, body: { user: { name: '</script><script>alert(1)</script>' } } };
    const { body } = await get('/dashboard');
    const [, embedded = ''] = /<script type="application\/json" id="me">([^<]*)<\/script><\/head>/.exec(body) ?? [];
    expect(JSON.parse(embedded)).toEqual(me);
  });

  it('renders the frame of a signed-in page, with company name and heading, before any script runs', async () => {
    const readAppContent = async (url: string) => /<div id="app">(.*?)<\/div>/.exec((await get(url)).body)?.[1];
    const user = { name: 'Mia <Tane>', email: 'mia@example.com' };
    me = { status: 200, body: { user, profile: { company_name: '<b>Pipes & Co</b> {title}', timezone: null } } };
    expect(await readAppContent('/customers/new')).toBe('<p>&lt;b&gt;Pipes &amp; Co&lt;/b&gt; {title}</p><h1>Add New Customer</h1>');
    expect(await readAppContent('/customers/018f0000-0000-7000-8000-000000000001')).toMatch(/<h1><\/h1>$/);
    me = { status: 200, body: { user, profile: { company_name: null, timezone: 'Mars/Olympus' } } };
    expect(await readAppContent('/')).toBe('<p>Callout</p><h1></h1>');
    expect(await readAppContent('/auth')).toBe('<p>Loading...</p>');
    const withoutFrame = [
      { status: 200, body: { profile: null } },
      { status: 401, body: { code: 'UNAUTHENTICATED' } },
      { status: 503, body: { code: 'UNAVAILABLE' } },
    ];
    for (me of withoutFrame) expect(await readAppContent('/dashboard')).toBe('<p>Loading...</p>');
  });

  it('greets the user according to the time of day in the company’s time zone', async () => {
    vi.useFakeTimers({ now: new Date('2026-11-15T20:30:00Z'), toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const user = { name: '<Mia> Tane', email: 'mia@example.com' };
    for (const [timezone, heading] of [
      ['Pacific/Auckland', 'Good morning, &lt;Mia&gt;'],
      ['UTC', 'Good evening, &lt;Mia&gt;'],
    ]) {
      me = { status: 200, body: { user, profile: { company_name: 'Pipes', timezone } } };
      expect((await get('/')).body).toContain(`<h1>${heading}</h1>`);
    }
  });

  it('serves /index.html as built, without the signed-in user, for offline use', async () => {
    me = { status: 200, body: { user: { name: 'Mia' } } };
    for (const url of ['/index.html', '/index.html?x=1']) {
      const { body, headers } = await get(url);
      expect([body, headers['cache-control']]).toEqual([FILES['index.html'], 'no-cache']);
    }
  });

  it('serves the service worker, which browsers always revalidate', async () => {
    const { statusCode, body, headers } = await get('/sw.js');
    expect([statusCode, body]).toEqual([200, FILES['sw.js']]);
    expect(headers).toMatchObject({
      'content-type': 'application/javascript; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': expect.stringContaining("worker-src 'self'") as string,
    });
  });

  it('is served without the user while the server is unavailable', async () => {
    me = { status: 503, body: { code: 'UNAVAILABLE' } };
    const { statusCode, body } = await get('/dashboard');
    expect([statusCode, body.includes('id="me"'), listPreloadedChunks(body)]).toEqual([200, false, ['shell', 'dashboard']]);
  });

  describe('while the signed-in user is being loaded', () => {
    beforeEach(() => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      return () => void vi.useRealTimers();
    });

    /** Requests a page. Its `me` call stays pending until the test resolves it. `isSent` returns true once the HTML has been sent. */
    async function requestPage() {
      const called = Promise.withResolvers<void>();
      const meResponse = Promise.withResolvers<CallResponse>();
      const app = await startServer(folder, () => {
        called.resolve();
        return meResponse.promise;
      });
      onTestFinished(() => app.close());
      let isSent = false;
      const sent = app.inject('/dashboard').then((reply) => {
        isSent = true;
        return reply;
      });
      await called.promise;
      return { meResponse, sent, isSent: () => isSent };
    }

    it('waits for up to a second, then is served without the user', async () => {
      const { sent, isSent, meResponse } = await requestPage();
      await vi.advanceTimersByTimeAsync(999);
      expect(isSent()).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      const { statusCode, body } = await sent;
      expect([statusCode, body.includes('id="me"'), listPreloadedChunks(body)]).toEqual([200, false, ['shell', 'dashboard']]);
      meResponse.reject(new Error('Too late'));
    });

    it('is served with the user as soon as the user is loaded, and clears its timer', async () => {
      const { sent, meResponse } = await requestPage();
      meResponse.resolve({ status: 200, body: { user: { name: 'Mia' } } });
      expect((await sent).body).toContain('Mia');
      expect(vi.getTimerCount()).toBe(0);
    });
  });

  it('hides the URLs of public pages from other sites and search engines', async () => {
    const privacyHeaders = { 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' };
    for (const url of ['/quote/token', '/invoice/token']) expect((await get(url)).headers).toMatchObject(privacyHeaders);
    expect((await get('/quotes')).headers).toMatchObject({ 'referrer-policy': 'same-origin' });
    expect((await get('/quotes')).headers['x-robots-tag']).toBeUndefined();
  });

  it('serves hashed assets with an unlimited cache lifetime, compressed if the client accepts it', async () => {
    const plain = await get('/assets/app-1a2b3c.js');
    expect([plain.statusCode, plain.body]).toEqual([200, 'start()']);
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const compressed = await get('/assets/app-1a2b3c.js', { 'accept-encoding': 'br' });
    expect(compressed.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(compressed.rawPayload).toString()).toBe('start()');
  });

  it.each([
    ['GET', '/assets/app-old.js'],
    ['GET', '/gone.js?x=1'],
    ['GET', '/images/logo.png'],
    ['GET', '/.built'],
    ['GET', '/.env'],
    ['GET', '/api/quote/token'],
    ['POST', '/quote/token'],
  ] as const)('responds to %s %s with a typed 404 instead of a page', async (method, url) => {
    const response = await server.inject({ method, url });
    expect([response.statusCode, response.json()]).toMatchObject([404, NOT_FOUND]);
  });

  it.each(['/', '/customers/new', '/quote/token', '/index.html', '/gone.js'])('responds to HEAD %s as it does to GET', async (url) => {
    const [head, full] = [await server.inject({ method: 'HEAD', url }), await get(url)];
    expect([head.statusCode, head.headers['content-type']]).toEqual([full.statusCode, full.headers['content-type']]);
  });

  it('responds with a typed 404 if it has not been built', async () => {
    const unbuilt = await startServer(join(folder, 'assets'));
    const response = await unbuilt.inject('/quote/token');
    expect([response.statusCode, response.json()]).toMatchObject([404, NOT_FOUND]);
    await unbuilt.close();
  });
});
