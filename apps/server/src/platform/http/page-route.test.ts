import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageRoute, readablePageUrl } from './page-route.ts';
import { sendSecurityHeaders } from './security.ts';

const FILES = {
  'index.html': '<title>Callout</title>',
  'quote.html': '<title>Quote</title>',
  'invoice.html': '<title>Invoice</title>',
  'assets/app-1a2b3c.js': 'start()',
};
const NOT_FOUND = { code: 'NOT_FOUND', message: 'Not found.' };

let folder: string;
let server: FastifyInstance;

async function serve(pageDir: string): Promise<FastifyInstance> {
  const app = Fastify({ rewriteUrl: ({ url = '/' }) => readablePageUrl(url) });
  await sendSecurityHeaders(app, { appUrl: 'https://work.example.com' });
  await pageRoute(app, pageDir);
  return app;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callout-page-'));
  await mkdir(join(folder, 'assets'));
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(folder, name), text);
  await writeFile(join(folder, 'assets/app-1a2b3c.js.br'), brotliCompressSync(FILES['assets/app-1a2b3c.js']));
  server = await serve(folder);
});

afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

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
    ['/invoices/1', 'index.html'],
    ['/invoice/x%00%2f', 'invoice.html'],
    ['/invoice/%zz', 'invoice.html'],
    ['/quote/x%5c?print=true', 'quote.html'],
    ['/jobs/%00/payment', 'index.html'],
    ['/%', 'index.html'],
  ] as const)('serves %s with %s, always revalidated', async (url, file) => {
    const { statusCode, body, headers } = await get(url);
    expect([statusCode, body]).toEqual([200, FILES[file]]);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': expect.stringMatching(/default-src 'none';script-src 'self';.*frame-ancestors 'none'/) as string,
      'x-content-type-options': 'nosniff',
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
    ['GET', '/api/quote/token'],
    ['POST', '/quote/token'],
  ] as const)('answers %s %s with a typed 404 instead of a page', async (method, url) => {
    const answer = await server.inject({ method, url });
    expect([answer.statusCode, answer.json()]).toMatchObject([404, NOT_FOUND]);
  });

  it('is a typed 404 while it is not built', async () => {
    const unbuilt = await serve(join(folder, 'assets'));
    const answer = await unbuilt.inject('/quote/token');
    expect([answer.statusCode, answer.json()]).toMatchObject([404, NOT_FOUND]);
    await unbuilt.close();
  });
});
