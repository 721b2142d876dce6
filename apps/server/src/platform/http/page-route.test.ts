import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Answer } from './contract-route.ts';
import { pageRoute, readablePageUrl } from './page-route.ts';
import { sendSecurityHeaders } from './security.ts';

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
const CHUNKS = [
  { path: '/auth', in_shell: false, urls: ['/assets/auth.js'] },
  { path: '/customers/$id', in_shell: true, urls: ['/assets/shell.js', '/assets/customer.js'] },
  { path: '/customers/new', in_shell: true, title: 'Add New Customer', urls: ['/assets/shell.js', '/assets/new-customer.js'] },
  { path: '/dashboard', in_shell: true, urls: ['/assets/shell.js', '/assets/dashboard.js'] },
];
const NOT_FOUND = { code: 'NOT_FOUND', message: 'Not found.' };

let folder: string;
let server: FastifyInstance;
let me: Answer = { status: 401, body: { code: 'UNAUTHENTICATED' } };

async function serve(pageDir: string, askMe = async () => me): Promise<FastifyInstance> {
  const app = Fastify({ exposeHeadRoutes: false, rewriteUrl: ({ url = '/' }) => readablePageUrl(url) });
  await sendSecurityHeaders(app, { appUrl: 'https://work.example.com' });
  await pageRoute(app, askMe, pageDir);
  return app;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callout-page-'));
  await mkdir(join(folder, 'assets'));
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(folder, name), text);
  await writeFile(join(folder, 'page-chunks.json'), JSON.stringify(CHUNKS));
  await writeFile(join(folder, 'assets/app-1a2b3c.js.br'), brotliCompressSync(FILES['assets/app-1a2b3c.js']));
  server = await serve(folder);
});

afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const chunksIn = (html: string) =>
  [...html.matchAll(/<link rel="modulepreload" fetchpriority="low" crossorigin href="\/assets\/([\w-]+)\.js">/g)].map(([, name]) => name);

const get = (url: string, headers = {}) => server.inject({ method: 'GET', url, headers });

describe('the page', () => {
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
  ] as const)('serves %s with %s, always revalidated', async (url, file) => {
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
  ])('names the chunks of %s', async (url, chunks) => {
    me = { status: 200, body: { user: { name: 'Mia' } } };
    expect(chunksIn((await get(url)).body)).toEqual(chunks);
  });

  it('names the chunks of the sign-in form for somebody who has to sign in first', async () => {
    me = { status: 401, body: { code: 'UNAUTHENTICATED' } };
    expect(chunksIn((await get('/customers/new')).body)).toEqual(['auth']);
  });

  it('says who is signed in, as data that cannot end its own element', async () => {
    me = { status: 200, body: { user: { name: '</script><script>alert(1)</script>' } } };
    const { body } = await get('/dashboard');
    const [, written = ''] = /<script type="application\/json" id="me">([^<]*)<\/script><\/head>/.exec(body) ?? [];
    expect(JSON.parse(written)).toEqual(me);
  });

  it('shows the frame of a signed-in page before any script runs, with the name of the company and the heading', async () => {
    const shown = async (url: string) => /<div id="app">(.*?)<\/div>/.exec((await get(url)).body)?.[1];
    const user = { name: 'Mia <Tane>', email: 'mia@example.com' };
    me = { status: 200, body: { user, profile: { company_name: '<b>Pipes & Co</b> {title}', timezone: null } } };
    expect(await shown('/customers/new')).toBe('<p>&lt;b&gt;Pipes &amp; Co&lt;/b&gt; {title}</p><h1>Add New Customer</h1>');
    expect(await shown('/customers/018f0000-0000-7000-8000-000000000001')).toMatch(/<h1><\/h1>$/);
    me = { status: 200, body: { user, profile: { company_name: null, timezone: 'Mars/Olympus' } } };
    expect(await shown('/')).toBe('<p>Callout</p><h1></h1>');
    expect(await shown('/auth')).toBe('<p>Loading...</p>');
    const withoutFrame = [
      { status: 200, body: { profile: null } },
      { status: 401, body: { code: 'UNAUTHENTICATED' } },
      { status: 503, body: { code: 'UNAVAILABLE' } },
    ];
    for (me of withoutFrame) expect(await shown('/dashboard')).toBe('<p>Loading...</p>');
  });

  it('greets by the clock of the company', async () => {
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

  it('is kept by browsers as it was built, with nothing of whoever is signed in', async () => {
    me = { status: 200, body: { user: { name: 'Mia' } } };
    for (const url of ['/index.html', '/index.html?x=1']) {
      const { body, headers } = await get(url);
      expect([body, headers['cache-control']]).toEqual([FILES['index.html'], 'no-cache']);
    }
  });

  it('has a worker for all its URLs, which browsers always ask for again', async () => {
    const { statusCode, body, headers } = await get('/sw.js');
    expect([statusCode, body]).toEqual([200, FILES['sw.js']]);
    expect(headers).toMatchObject({
      'content-type': 'application/javascript; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': expect.stringContaining("worker-src 'self'") as string,
    });
  });

  it('is served without it while nobody can be asked', async () => {
    me = { status: 503, body: { code: 'UNAVAILABLE' } };
    const { statusCode, body } = await get('/dashboard');
    expect([statusCode, body.includes('id="me"'), chunksIn(body)]).toEqual([200, false, ['shell', 'dashboard']]);
  });

  describe('while it is not known who is signed in', () => {
    beforeEach(() => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      return () => void vi.useRealTimers();
    });

    /** A page whose question is answered by hand, and whether its HTML has been sent. */
    async function openPage() {
      const asked = Promise.withResolvers<void>();
      const answer = Promise.withResolvers<Answer>();
      const app = await serve(folder, () => {
        asked.resolve();
        return answer.promise;
      });
      onTestFinished(() => app.close());
      let isSent = false;
      const sent = app.inject('/dashboard').then((reply) => {
        isSent = true;
        return reply;
      });
      await asked.promise;
      return { answer, sent, isSent: () => isSent };
    }

    it('waits for it for a second, then is served without it', async () => {
      const { sent, isSent, answer } = await openPage();
      await vi.advanceTimersByTimeAsync(999);
      expect(isSent()).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      const { statusCode, body } = await sent;
      expect([statusCode, body.includes('id="me"'), chunksIn(body)]).toEqual([200, false, ['shell', 'dashboard']]);
      answer.reject(new Error('Too late'));
    });

    it('is served with it as soon as it is, and leaves no timer behind', async () => {
      const { sent, answer } = await openPage();
      answer.resolve({ status: 200, body: { user: { name: 'Mia' } } });
      expect((await sent).body).toContain('Mia');
      expect(vi.getTimerCount()).toBe(0);
    });
  });

  it('keeps the addresses of public pages from other sites and search engines', async () => {
    const quiet = { 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' };
    for (const url of ['/quote/token', '/invoice/token']) expect((await get(url)).headers).toMatchObject(quiet);
    expect((await get('/quotes')).headers).toMatchObject({ 'referrer-policy': 'same-origin' });
    expect((await get('/quotes')).headers['x-robots-tag']).toBeUndefined();
  });

  it('serves hashed assets to be cached forever, compressed for clients that accept it', async () => {
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
  ] as const)('answers %s %s with a typed 404 instead of a page', async (method, url) => {
    const answer = await server.inject({ method, url });
    expect([answer.statusCode, answer.json()]).toMatchObject([404, NOT_FOUND]);
  });

  it.each(['/', '/customers/new', '/quote/token', '/index.html', '/gone.js'])('answers HEAD %s as GET', async (url) => {
    const [head, full] = [await server.inject({ method: 'HEAD', url }), await get(url)];
    expect([head.statusCode, head.headers['content-type']]).toEqual([full.statusCode, full.headers['content-type']]);
  });

  it('is a typed 404 while it is not built', async () => {
    const unbuilt = await serve(join(folder, 'assets'));
    const answer = await unbuilt.inject('/quote/token');
    expect([answer.statusCode, answer.json()]).toMatchObject([404, NOT_FOUND]);
    await unbuilt.close();
  });
});
