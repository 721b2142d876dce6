import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startChild } from './child-process.ts';
import type { LoadTask } from './load-generator.ts';
import { startProduct } from './product.ts';
import type { Slice } from './slice.ts';
import { setStage } from './stage.ts';

const PARALLEL_SEARCHES = 60;
const PARALLEL_LOGOS = 40;
const SLICE_MS = 4000;
const HOST = '127.0.0.1';
const EMPTY_SLICE: Slice = { ms: 0, latencies: [] };

/**
 * What one busy company costs another: run by hand with `node bench/fairness.ts`. Company A has 20,000 customers and searches them from
 * 60 connections, then sends 40 logos at once; company B reads one page at a time, then sends one logo.
 */
async function measureFairness(): Promise<void> {
  const stage = await setStage();
  const product = await startProduct({ environment: stage.environment, logFile: `${stage.folder}/product.log` });
  const [searches, reads] = [startChild<LoadTask, Slice>('load-generator.ts'), startChild<LoadTask, Slice>('load-generator.ts')];
  try {
    const url = `http://${HOST}:${product.port}`;
    const busy = stage.company.cookie;
    const quiet = await signUpQuietCompany(url);
    const load = (cookie: string, path: string, connections: number): LoadTask => ({
      host: HOST,
      port: product.port,
      requests: [`GET ${path} HTTP/1.1\r\nhost: localhost\r\ncookie: ${cookie}\r\n\r\n`],
      status: 200,
      connections,
      ms: SLICE_MS,
    });
    const readPage = load(quiet, '/api/customers', 1);
    const search = (word: string, connections: number) => load(busy, `/api/customers?search=${word}`, connections);
    await reads.ask(readPage);
    await searches.ask(search('smith', 4));
    say('A page of company B', await reads.ask(readPage));
    for (const word of ['smith', 'an']) {
      const [a, b] = await Promise.all([searches.ask(search(word, PARALLEL_SEARCHES)), reads.ask(readPage)]);
      say(`… while A searches "${word}" from ${PARALLEL_SEARCHES} connections`, b);
      say(`    A's own searches`, a);
    }
    const logo = readFileSync(join(import.meta.dirname, '../docs/pictures/customers-desk.png'));
    await sendLogo(url, quiet, logo);
    say('A logo of company B', { ...EMPTY_SLICE, latencies: [await sendLogo(url, quiet, logo)] });
    const crowd = Array.from({ length: PARALLEL_LOGOS }, () => sendLogo(url, busy, logo));
    await Promise.race(crowd);
    say(`… while A sends ${PARALLEL_LOGOS}`, { ...EMPTY_SLICE, latencies: [await sendLogo(url, quiet, logo)] });
    say(`    A's own logos`, { ...EMPTY_SLICE, latencies: await Promise.all(crowd) });
  } finally {
    await Promise.all([searches.stop(), reads.stop(), product.stop()]);
    await stage.strike();
  }
}

async function signUpQuietCompany(url: string): Promise<string> {
  const post = (path: string, body: object, cookie = '') =>
    fetch(`${url}${path}`, { method: 'POST', headers: { cookie, 'content-type': 'application/json' }, body: JSON.stringify(body) });
  const credentials = { email: 'quiet@example.com', password: 'measured twice' };
  await post('/api/auth/sign-up', credentials);
  const [cookie = ''] = (await post('/api/auth/sign-in', credentials)).headers.get('set-cookie')?.split(';', 1) ?? [];
  const founded = await post('/api/company', {}, cookie);
  if (!founded.ok) throw new Error(await founded.text());
  return cookie;
}

function say(what: string, { latencies }: Slice): void {
  const sorted = latencies.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1);
  process.stdout.write(`${what.padEnd(52)} p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, ${latencies.length} answers\n`);
}

async function sendLogo(url: string, cookie: string, logo: Buffer): Promise<number> {
  const body = new FormData();
  body.append('file', new Blob([new Uint8Array(logo)]), 'logo.png');
  const began = performance.now();
  const answer = await fetch(`${url}/api/company/logo`, { method: 'PUT', headers: { cookie }, body });
  await answer.text();
  return performance.now() - began;
}

await measureFairness();
