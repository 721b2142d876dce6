import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { beforeAll, describe, expect, it } from 'vitest';
import { CONTRACT_CALLS } from '../../../../test/contract-calls.ts';
import { createFirm, type Firm } from '../../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../../test/test-app.ts';
import { registerDocsRoutes } from './docs-route.ts';
import { FILE_ROUTES } from './file-routes.ts';
import { buildOpenApiDocument } from './openapi-document.ts';

interface Operation {
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
  readonly responses?: Readonly<Record<string, unknown>>;
}

interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

let test: TestApp;
let firm: Firm;
let document: Document;

beforeAll(async () => {
  test = await startTestApp();
  firm = await createFirm(test);
  document = (await test.request('GET', '/api/docs/openapi.json')).json();
});

it('the API is described in OpenAPI 3.1', () => {
  expect(document).toMatchObject({
    openapi: expect.stringMatching(/^3\.1\./) as string,
    info: { title: 'Callout API' },
    servers: [{ url: '/api' }],
  });
});

it.each(CONTRACT_CALLS)('describes $name with its responses and errors', ({ method, path, access }) => {
  const operation = document.paths[path.replace(/^\/api/, '')]?.[method.toLowerCase()];
  expect(operation).toMatchObject({ summary: expect.any(String) as string, tags: [expect.any(String)] });
  expect(Object.keys(operation?.responses ?? {})).toEqual(
    expect.arrayContaining([...(access === 'public' ? [] : ['401']), '403', '422', '429', '503']),
  );
});

it('describes only calls and file routes', () => {
  const described = Object.values(document.paths).flatMap((operations) => Object.keys(operations));
  expect(described).toHaveLength(CONTRACT_CALLS.length + FILE_ROUTES.length);
});

it.each(FILE_ROUTES.filter(({ path }) => path.includes('{')))('documents the 404 response of $method $path', async ({ method, path }) => {
  const operation = document.paths[path]?.[method];
  expect(operation?.responses).toMatchObject({ 404: { $ref: '#/components/responses/NotFound' } });
  const { people } = firm;
  const unknownUrl = `/api${path.replaceAll(/\{\w+\}/g, 'x')}`;
  const response = await test.request(method === 'get' ? 'GET' : 'PUT', unknownUrl, { cookie: people.admin.cookie });
  expect([response.statusCode, response.json()]).toMatchObject([404, { code: 'NOT_FOUND' }]);
});

it.each(FILE_ROUTES.filter(({ uploadSchema }) => uploadSchema))('documents the upload errors of $path', ({ path }) => {
  const responses = document.paths[path]?.['put']?.responses;
  const descriptions = ['413', '415', '507'].map((status) => (responses?.[status] as { description?: string } | undefined)?.description);
  expect(descriptions).toEqual([
    expect.stringMatching(/TOO_LARGE[^]*QUOTA_EXCEEDED/),
    expect.stringContaining('UNSUPPORTED_FILE'),
    expect.stringContaining('DISK_FULL'),
  ]);
});

it('documents the filters of the invoice CSV export', () => {
  const { parameters, responses } = document.paths['/invoices.csv']?.['get'] ?? {};
  expect(parameters?.map((parameter) => `${parameter.in} ${parameter.name}`).toSorted()).toEqual(
    ['age', 'customer_id', 'filter', 'from', 'search', 'to'].map((name) => `query ${name}`),
  );
  expect(Object.keys(responses ?? {})).toContain('422');
});

it('the docs are rebuilt after a failed build', async () => {
  let attempts = 0;
  const app = Fastify();
  registerDocsRoutes(app, test.app.platform, () => {
    attempts += 1;
    return attempts === 1 ? Promise.reject(new Error('Build failed')) : buildOpenApiDocument();
  });
  const statuses = [];
  for (let time = 0; time < 3; time += 1) statuses.push((await app.inject('/api/docs/openapi.json')).statusCode);
  expect([statuses, attempts]).toEqual([[500, 200, 200], 2]);
  await app.close();
});

it('the OpenAPI document has no dangling references', () => {
  const text = JSON.stringify(document);
  for (const [, path = ''] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    const target = path.split('/').reduce<unknown>((node, part) => (node as Record<string, unknown> | undefined)?.[part], document);
    expect({ path, found: target !== undefined }).toEqual({ path, found: true });
  }
});

it('the docs page lists every call and contains no scripts', async () => {
  const { body, statusCode, headers } = await test.request('GET', '/api/docs');
  expect([statusCode, headers['content-type']]).toEqual([200, expect.stringContaining('text/html')]);
  for (const { path, method } of CONTRACT_CALLS) expect(body).toContain(`<b>${method}</b> ${path.replace(/^\/api/, '')}`);
  expect(body).not.toMatch(/<script|style="/);
  expect((await test.request('GET', '/api/docs/docs.css')).headers['content-type']).toContain('text/css');
});

describe.each(['/api/docs', '/api/docs/openapi.json'])('%s', (path) => {
  const getDocs = (headers: Record<string, string>) => test.request('GET', path, { headers });

  it('returns 304 to a client that has it cached', async () => {
    const { headers } = await getDocs({});
    expect(headers).toMatchObject({ etag: expect.any(String) as string, 'cache-control': 'no-cache' });
    const again = await getDocs({ 'if-none-match': String(headers.etag) });
    expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', headers.etag]);
    expect((await getDocs({ 'if-none-match': '"older"' })).statusCode).toBe(200);
  });

  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('is compressed with %s for clients that accept it, with the same bytes each time', async (encoding, decompress) => {
    const plain = await getDocs({ 'accept-encoding': 'identity' });
    const [first, second] = [await getDocs({ 'accept-encoding': encoding }), await getDocs({ 'accept-encoding': encoding })];
    expect(first.headers).toMatchObject({ 'content-encoding': encoding, vary: 'accept-encoding', etag: plain.headers.etag });
    expect(decompress(first.rawPayload).toString()).toBe(plain.body);
    expect(second.rawPayload.equals(first.rawPayload)).toBe(true);
  });

  it('is rate limited per network', async () => {
    await test.owner.query('delete from rate_limits');
    const statuses = [];
    for (let n = 0; n < 121; n += 1) statuses.push((await getDocs({ 'if-none-match': '*' })).statusCode);
    expect(statuses.slice(-2)).toEqual([304, 429]);
    await test.owner.query('delete from rate_limits');
  });
});
