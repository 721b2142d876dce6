import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const tools = fileURLToPath(new URL('../', import.meta.url));

/** Stands in for npm, which would need the network: notes the call and lays out what an install leaves behind. */
const NPM = `
import { appendFileSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
appendFileSync('npm.log', process.argv.slice(2).join(' ') + '\\n');
if (existsSync('no-network')) process.exit(1);
mkdirSync('node_modules/node/bin', { recursive: true });
mkdirSync('node_modules/vite/bin', { recursive: true });
writeFileSync('node_modules/node/package.json', JSON.stringify({ version: process.versions.node }));
rmSync('node_modules/node/bin/node', { force: true });
symlinkSync(process.execPath, 'node_modules/node/bin/node');
writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages: {} }));
writeFileSync('node_modules/vite/bin/vite.js', ${JSON.stringify(`
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
const folder = process.argv[process.argv.indexOf('--outDir') + 1];
mkdirSync(folder + '/assets', { recursive: true });
mkdirSync(folder + '/.vite', { recursive: true });
writeFileSync(folder + '/.vite/manifest.json', '{}');
writeFileSync(folder + '/assets/' + readFileSync('src/page.ts', 'utf8') + '.js', '');
`)});
`;

/** Stands in for the server: says what reaches it, and ends as it is told. */
const SERVER = `
const code = Number(process.env['END_WITH'] ?? -1);
const hear = (what: string) => { console.log('heard ' + what); setTimeout(() => process.exit(0), 300); };
process.on('SIGINT', () => hear('SIGINT')).on('SIGTERM', () => hear('SIGTERM')).on('disconnect', () => hear('the launcher end'));
console.log('started in ' + process.cwd());
if (code >= 0) process.exit(code);
setInterval(() => undefined, 1000);
`;

vi.setConfig({ testTimeout: 60_000 });

let checkout: string;

beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'a check out '));
  cpSync(tools, join(checkout, 'tools'), { recursive: true, filter: (path) => !path.includes('.test.') });
  write('package.json', '{ "type": "module" }');
  write('package-lock.json', '{ "packages": { "": {}, "node_modules/left": { "version": "1.0.0" } } }');
  write('packages/domain/src/money.ts', '');
  write('apps/web/src/page.ts', 'first');
  write('apps/server/src/main.ts', SERVER);
  write('npm/npm-cli.js', NPM);
});

afterEach(() => rmSync(checkout, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(checkout, path)), { recursive: true });
  writeFileSync(join(checkout, path), text);
}

function launchStart(env: Record<string, string> = {}): { child: ChildProcess; said: () => string } {
  const child = spawn(process.execPath, [join(checkout, 'tools/start.mjs')], {
    cwd: tmpdir(),
    env: { PATH: process.env['PATH'], npm_execpath: join(checkout, 'npm/npm-cli.js'), ...env },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += String(chunk)));
  return { child, said: () => text };
}

async function runStart(env: Record<string, string> = {}): Promise<{ code: unknown; said: string }> {
  const { child, said } = launchStart({ END_WITH: '0', ...env });
  const [code] = (await once(child, 'close')) as unknown[];
  return { code, said: said() };
}

const installs = () => readFileSync(join(checkout, 'npm.log'), 'utf8').trim().split('\n').length;
const assets = () => readdirSync(join(checkout, 'apps/web/dist/assets')).toSorted();

test('the first start installs, builds and runs in the checkout; the second only runs', async () => {
  const first = await runStart();
  expect(first).toMatchObject({ code: 0, said: expect.stringMatching(/Installing.*Building the pages.*started in .*a check out/s) });
  const second = await runStart();
  expect(second.said.trim()).toMatch(/^started in .*$/);
  expect(installs()).toBe(1);
});

test('a changed lock installs again', async () => {
  await runStart();
  write('package-lock.json', '{ "packages": { "": {}, "node_modules/left": { "version": "2.0.0" } } }');
  expect((await runStart()).said).toContain('Installing what has changed');
});

test('a failed install ends the start in one sentence and is done again the next time', async () => {
  write('no-network', '');
  const failed = await runStart();
  expect(failed).toMatchObject({ code: 1, said: expect.stringContaining('npm install did not succeed') });
  expect(failed.said).not.toContain('    at ');
  rmSync(join(checkout, 'no-network'));
  expect(await runStart()).toMatchObject({ code: 0 });
});

test('two starts at once install once', async () => {
  const both = await Promise.all([runStart(), runStart()]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  expect(installs()).toBe(1);
});

test('a change of the pages builds them again and keeps the files of the last build, not of the one before', async () => {
  for (const build of ['first', 'second', 'third']) {
    write('apps/web/src/page.ts', build);
    expect((await runStart()).said).toContain('Building the pages');
  }
  expect(assets()).toEqual(['second.js', 'third.js']);
});

test('the exit code of the server is that of the start', async () => {
  expect(await runStart({ END_WITH: '3' })).toMatchObject({ code: 3 });
});

test('Ctrl-C that arrives from the terminal and from npm reaches the server once', async () => {
  const { child, said } = launchStart();
  await vi.waitUntil(() => said().includes('started'), { timeout: 20_000 });
  child.kill('SIGINT');
  await vi.waitUntil(() => said().includes('heard'), { timeout: 20_000 });
  child.kill('SIGINT');
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(said().match(/heard/g)).toHaveLength(1);
  expect(said()).toContain('heard SIGINT');
});

test('a launcher that is killed takes the server with it', async () => {
  const { child, said } = launchStart();
  await vi.waitUntil(() => said().includes('started'), { timeout: 20_000 });
  child.kill('SIGKILL');
  await once(child, 'close');
  expect(said()).toContain('heard the launcher end');
});
