import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const tools = fileURLToPath(new URL('../', import.meta.url));

/** Replaces npm, which would need the network. Logs each call and creates the files that an installation would create. */
const FAKE_NPM = `
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

/** Replaces the server. Prints the signals it receives. If END_WITH is set, exits immediately with that code. */
const FAKE_SERVER = `
const code = Number(process.env['END_WITH'] ?? -1);
const onStop = (what: string) => { console.log('received ' + what); setTimeout(() => process.exit(0), 300); };
process.on('SIGINT', () => onStop('SIGINT')).on('SIGTERM', () => onStop('SIGTERM')).on('disconnect', () => onStop('disconnect'));
console.log('started in ' + process.cwd());
if (code >= 0) process.exit(code);
setInterval(() => undefined, 1000);
`;

vi.setConfig({ testTimeout: 60_000 });

let checkout: string;

beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'a check out '));
  cpSync(tools, join(checkout, 'tools'), { recursive: true, filter: (path) => !path.includes('.test.') });
  writeProjectFile('package.json', '{ "type": "module" }');
  writeProjectFile('package-lock.json', '{ "packages": { "": {}, "node_modules/left": { "version": "1.0.0" } } }');
  writeProjectFile('packages/domain/src/money.ts', '');
  writeProjectFile('apps/web/src/page.ts', 'first');
  writeProjectFile('apps/server/src/main.ts', FAKE_SERVER);
  writeProjectFile('npm/npm-cli.js', FAKE_NPM);
});

afterEach(() => rmSync(checkout, { recursive: true, force: true }));

function writeProjectFile(path: string, text: string): void {
  mkdirSync(dirname(join(checkout, path)), { recursive: true });
  writeFileSync(join(checkout, path), text);
}

function launchStart(env: Record<string, string> = {}): { child: ChildProcess; output: () => string } {
  const child = spawn(process.execPath, [join(checkout, 'tools/start.mjs')], {
    cwd: tmpdir(),
    env: { PATH: process.env['PATH'], npm_execpath: join(checkout, 'npm/npm-cli.js'), ...env },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += String(chunk)));
  return { child, output: () => text };
}

async function runStart(env: Record<string, string> = {}): Promise<{ code: unknown; output: string }> {
  const { child, output } = launchStart({ END_WITH: '0', ...env });
  const [code] = (await once(child, 'close')) as unknown[];
  return { code, output: output() };
}

const countInstalls = () => readFileSync(join(checkout, 'npm.log'), 'utf8').trim().split('\n').length;
const listAssets = () => readdirSync(join(checkout, 'apps/web/dist/assets')).toSorted();

test('the launcher installs, builds and runs on the first start, but only runs on the second', async () => {
  const first = await runStart();
  expect(first).toMatchObject({ code: 0, output: expect.stringMatching(/Installing.*Building the web app.*started in .*a check out/s) });
  const second = await runStart();
  expect(second.output.trim()).toMatch(/^started in .*$/);
  expect(countInstalls()).toBe(1);
});

test('the launcher installs again when the lock file has changed', async () => {
  await runStart();
  writeProjectFile('package-lock.json', '{ "packages": { "": {}, "node_modules/left": { "version": "2.0.0" } } }');
  expect((await runStart()).output).toContain('Installing changed dependencies');
});

test('the launcher reports a failed install without a stack trace and retries it on the next start', async () => {
  writeProjectFile('no-network', '');
  const failed = await runStart();
  expect(failed).toMatchObject({ code: 1, output: expect.stringContaining('npm install failed') });
  expect(failed.output).not.toContain('    at ');
  rmSync(join(checkout, 'no-network'));
  expect(await runStart()).toMatchObject({ code: 0 });
});

test('the launcher installs only once when two processes start at the same time', async () => {
  const both = await Promise.all([runStart(), runStart()]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  expect(countInstalls()).toBe(1);
});

test('the launcher rebuilds a changed web app and keeps the assets of only one previous build', async () => {
  for (const build of ['first', 'second', 'third']) {
    writeProjectFile('apps/web/src/page.ts', build);
    expect((await runStart()).output).toContain('Building the web app');
  }
  expect(listAssets()).toEqual(['second.js', 'third.js']);
});

test('the launcher exits with the server’s exit code', async () => {
  expect(await runStart({ END_WITH: '3' })).toMatchObject({ code: 3 });
});

test('the launcher forwards Ctrl-C only once when both the terminal and npm send it', async () => {
  const { child, output } = launchStart();
  await vi.waitUntil(() => output().includes('started'), { timeout: 20_000 });
  child.kill('SIGINT');
  await vi.waitUntil(() => output().includes('received'), { timeout: 20_000 });
  child.kill('SIGINT');
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(output().match(/received/g)).toHaveLength(1);
  expect(output()).toContain('received SIGINT');
});

test('killing the launcher stops the server', async () => {
  const { child, output } = launchStart();
  await vi.waitUntil(() => output().includes('started'), { timeout: 20_000 });
  child.kill('SIGKILL');
  await once(child, 'close');
  expect(output()).toContain('received disconnect');
});
