import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { expect, it, onTestFinished } from 'vitest';
import { signIn, signUp } from '../../../../test/accounts.ts';
import { buildCustomer, buildProfile } from '../../../../test/factories/inputs.ts';
import { startTestApp } from '../../../../test/test-app.ts';

const run = promisify(execFile);
const ROOT = path.resolve(import.meta.dirname, '../../../../../..');

/** A third-party program that knows the API only from the OpenAPI document. */
const CLIENT = `
import createClient from 'openapi-fetch';
import type { paths } from './callout.ts';

const [baseUrl, email = '', password = ''] = process.argv.slice(2);
const callout = createClient<paths>({ baseUrl });
const signIn = await callout.POST('/auth/sign-in', { body: { email, password } });
if (signIn.error) throw new Error(signIn.error.code + ': ' + signIn.error.message);
const cookie = signIn.response.headers.getSetCookie().map((line) => line.split(';')[0]).join('; ');
const me = await callout.GET('/me', { headers: { cookie } });
const page = await callout.GET('/customers', { headers: { cookie }, params: { query: { search: 'chen', status: 'active' } } });
const names: string[] = page.data?.rows.map(({ name }) => name) ?? [];
const refused = await callout.GET('/customers/{id}', { headers: { cookie }, params: { path: { id: crypto.randomUUID() } } });
console.log(JSON.stringify({ company: me.data?.profile?.company_name, names, refused: refused.error?.code }));
// @ts-expect-error The status doesn't exist.
void callout.GET('/customers', { params: { query: { status: 'asleep' } } }).catch(() => null);
`;

it('a client generated from the OpenAPI document compiles, signs in and reads data', async () => {
  const test = await startTestApp();
  const { email, password } = await signUp(test);
  const owner = test.client(await signIn(test, email, password));
  await owner.company.start();
  await owner.company.completeOnboarding(buildProfile());
  await owner.customers.create({ ...buildCustomer(), name: 'Sarah Chen' });
  const folder = await mkdtemp(path.join(tmpdir(), 'callout-client-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  const document = (await test.request('GET', '/api/docs/openapi.json')).body;
  await writeFile(path.join(folder, 'callout.ts'), astToString(await openapiTypescript(document)));
  await writeFile(path.join(folder, 'client.ts'), CLIENT);
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');

  const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2023', '--types', 'node', '--allowImportingTsExtensions'];
  await run(process.execPath, [path.join(ROOT, 'node_modules/typescript/bin/tsc'), ...options, 'client.ts'], { cwd: folder });

  const serverUrl = await test.app.server.listen({ host: '127.0.0.1', port: 0 });
  const { stdout } = await run(process.execPath, ['client.ts', `${serverUrl.replace('127.0.0.1', 'localhost')}/api`, email, password], {
    cwd: folder,
  });
  expect(JSON.parse(stdout)).toEqual({ company: 'Tane Plumbing', names: ['Sarah Chen'], refused: 'NOT_FOUND' });
});
