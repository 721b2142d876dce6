import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createBenchEnvironment } from './bench-environment.ts';
import { startWorker } from './child-worker.ts';
import type { LoadTask } from './load-generator.ts';
import type { LoadResult } from './run-load.ts';
import { startServerProcess } from './server-process.ts';

const PARALLEL_SEARCHES = 60;
const PARALLEL_LOGOS = 40;
const LOAD_MS = 4000;
const HOST = '127.0.0.1';
const NO_RESULT: LoadResult = { ms: 0, latencies: [] };

/**
 * Measures how much one busy company slows down another. Company A searches its 20,000 customers over 60 connections, then uploads 40 logos
 * at once. Meanwhile, company B reads one page at a time, then uploads one logo. Run it with `node bench/fairness.ts`.
 */
async function measureFairness(): Promise<void> {
  const environment = await createBenchEnvironment(() => false);
  const server = await startServerProcess({ env: environment.env, logFile: `${environment.folder}/server.log` });
  const [searches, reads] = [
    startWorker<LoadTask, LoadResult>('load-generator.ts'),
    startWorker<LoadTask, LoadResult>('load-generator.ts'),
  ];
  try {
    const url = `http://${HOST}:${server.port}`;
    const busy = environment.company.cookie;
    const quiet = await signUpQuietCompany(url);
    const load = (cookie: string, path: string, connections: number): LoadTask => ({
      host: HOST,
      port: server.port,
      requests: [`GET ${path} HTTP/1.1\r\nhost: localhost\r\ncookie: ${cookie}\r\n\r\n`],
      status: 200,
      connections,
      ms: LOAD_MS,
    });
    const readPage = load(quiet, '/api/customers', 1);
    const search = (word: string, connections: number) => load(busy, `/api/customers?search=${word}`, connections);
    await reads.request(readPage);
    await searches.request(search('smith', 4));
    printLatencies('Company B reads a page', await reads.request(readPage));
    for (const word of ['smith', 'an']) {
      const [a, b] = await Promise.all([searches.request(search(word, PARALLEL_SEARCHES)), reads.request(readPage)]);
      printLatencies(`… while A searches "${word}" over ${PARALLEL_SEARCHES} connections`, b);
      printLatencies('    Searches of company A', a);
    }
    const logo = readFileSync(join(import.meta.dirname, '../docs/pictures/customers-desk.png'));
    await uploadLogo(url, quiet, logo);
    printLatencies('Company B uploads a logo', { ...NO_RESULT, latencies: [await uploadLogo(url, quiet, logo)] });
    const uploads = Array.from({ length: PARALLEL_LOGOS }, () => uploadLogo(url, busy, logo));
    await Promise.race(uploads);
    printLatencies(`… while A uploads ${PARALLEL_LOGOS} logos`, { ...NO_RESULT, latencies: [await uploadLogo(url, quiet, logo)] });
    printLatencies('    Logo uploads of company A', { ...NO_RESULT, latencies: await Promise.all(uploads) });
  } finally {
    await Promise.all([searches.stop(), reads.stop(), server.stop()]);
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
  process.stdout.write(`${title.padEnd(52)} p50 ${quantile(0.5)} ms, p95 ${quantile(0.95)} ms, ${latencies.length} responses\n`);
}

async function uploadLogo(url: string, cookie: string, logo: Buffer): Promise<number> {
  const body = new FormData();
  body.append('file', new Blob([new Uint8Array(logo)]), 'logo.png');
  const start = performance.now();
  const response = await fetch(`${url}/api/company/logo`, { method: 'PUT', headers: { cookie }, body });
  await response.text();
  return performance.now() - start;
}

await measureFairness();
