import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createBenchEnvironment } from './bench-environment.ts';
import { startChild } from './child-process.ts';
import type { LoadTask } from './load-generator.ts';
import { startProduct } from './product.ts';
import type { LoadResult } from './run-load.ts';

const PARALLEL_SEARCHES = 60;
const PARALLEL_LOGOS = 40;
const LOAD_MS = 4000;
const HOST = '127.0.0.1';
const NO_RESULT: LoadResult = { ms: 0, latencies: [] };

/**
 * Measures how much a busy company slows another down; run it with `node bench/fairness.ts`. Company A has 20,000 customers, searches
 * them from 60 connections, then uploads 40 logos at once; company B reads one page at a time, then uploads one logo.
 */
async function measureFairness(): Promise<void> {
  const environment = await createBenchEnvironment();
  const product = await startProduct({ env: environment.env, logFile: `${environment.folder}/product.log` });
  const [searches, reads] = [startChild<LoadTask, LoadResult>('load-generator.ts'), startChild<LoadTask, LoadResult>('load-generator.ts')];
  try {
    const url = `http://${HOST}:${product.port}`;
    const busy = environment.company.cookie;
    const quiet = await signUpQuietCompany(url);
    const load = (cookie: string, path: string, connections: number): LoadTask => ({
      host: HOST,
      port: product.port,
      requests: [`GET ${path} HTTP/1.1\r\nhost: localhost\r\ncookie: ${cookie}\r\n\r\n`],
      status: 200,
      connections,
      ms: LOAD_MS,
    });
    const readPage = load(quiet, '/api/customers', 1);
    const search = (word: string, connections: number) => load(busy, `/api/customers?search=${word}`, connections);
    await reads.ask(readPage);
    await searches.ask(search('smith', 4));
    printLatencies('A page of company B', await reads.ask(readPage));
    for (const word of ['smith', 'an']) {
      const [a, b] = await Promise.all([searches.ask(search(word, PARALLEL_SEARCHES)), reads.ask(readPage)]);
      printLatencies(`… while A searches "${word}" from ${PARALLEL_SEARCHES} connections`, b);
      printLatencies(`    The searches of A`, a);
    }
    const logo = readFileSync(join(import.meta.dirname, '../docs/pictures/customers-desk.png'));
    await uploadLogo(url, quiet, logo);
    printLatencies('A logo of company B', { ...NO_RESULT, latencies: [await uploadLogo(url, quiet, logo)] });
    const uploads = Array.from({ length: PARALLEL_LOGOS }, () => uploadLogo(url, busy, logo));
    await Promise.race(uploads);
    printLatencies(`… while A uploads ${PARALLEL_LOGOS}`, { ...NO_RESULT, latencies: [await uploadLogo(url, quiet, logo)] });
    printLatencies(`    The logos of A`, { ...NO_RESULT, latencies: await Promise.all(uploads) });
  } finally {
    await Promise.all([searches.stop(), reads.stop(), product.stop()]);
    await environment.tearDown();
  }
}

async function signUpQuietCompany(url: string): Promise<string> {
  const post = (path: string, body: object, cookie = '') =>
    fetch(`${url}${path}`, { method: 'POST', headers: { cookie, 'content-type': 'application/json' }, body: JSON.stringify(body) });
  const credentials = { email: 'quiet@example.com', password: 'measured twice' };
  await post('/api/auth/sign-up', credentials);
  const [cookie = ''] = (await post('/api/auth/sign-in', credentials)).headers.get('set-cookie')?.split(';', 1) ?? [];
  const created = await post('/api/company', {}, cookie);
  if (!created.ok) throw new Error(await created.text());
  return cookie;
}

function printLatencies(title: string, { latencies }: LoadResult): void {
  const sorted = latencies.toSorted((a, b) => a - b);
  const quantile = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1);
  process.stdout.write(`${title.padEnd(52)} p50 ${quantile(0.5)} ms, p95 ${quantile(0.95)} ms, ${latencies.length} answers\n`);
}

async function uploadLogo(url: string, cookie: string, logo: Buffer): Promise<number> {
  const body = new FormData();
  body.append('file', new Blob([new Uint8Array(logo)]), 'logo.png');
  const start = performance.now();
  const answer = await fetch(`${url}/api/company/logo`, { method: 'PUT', headers: { cookie }, body });
  await answer.text();
  return performance.now() - start;
}

await measureFairness();
