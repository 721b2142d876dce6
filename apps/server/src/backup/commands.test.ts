import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePort } from '@callout/embedded-postgres/endpoint';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeFolder, readKeptFiles, urlOf } from '../../test/backup.ts';
import { runCommand } from '../../test/backup-process.ts';
import { startProduct } from '../../test/crash/product-process.ts';
import { withOwner } from '../../test/database.ts';
import { createFirm } from '../../test/factories/people.ts';
import { png } from '../../test/sample-files.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { multipart, multipartHeaders, uploadTo } from '../../test/upload.ts';
import { holdBackupLock } from '../platform/db/advisory-locks.ts';
import { ARCHIVE_NAME } from './archive-format.ts';

/** Creates two clusters and starts a database five times, all with real disk syncs. */
const STARTS = { timeout: 240_000 };
const ARCHIVE_PATH = /to (\S+\.tar\.gz) \(/;

describe('npm run backup', () => {
  let test: TestApp;
  let environment: Record<string, string>;

  beforeAll(async () => {
    test = await startTestApp();
    const firm = await createFirm(test);
    // Pictures, each with its thumbnail.
    for (const size of [2_000_000, 2_000_000, 2_000_000]) {
      const bytes = Buffer.concat([png(), randomBytes(size)]);
      await uploadTo(test, `/api/files/${randomUUID()}`, firm.people.staff.cookie, 'leak.png', bytes);
    }
    environment = { DATABASE_URL: urlOf(test.database), DATA_DIR: test.app.platform.config.dataDir };
  });

  it('shows its progress and reports in one line what it wrote', async () => {
    const folder = join(await makeFolder(), 'not there yet');
    const { code, out, lines } = await runCommand('backup', [folder], environment);
    const [name = ''] = await readdir(folder);
    expect([code, name]).toEqual([0, expect.stringMatching(ARCHIVE_NAME)]);
    expect(out).toMatch(/^Backed up \d+ rows and 6 files to \S+ .* \(5\.\d MB\)\.\n$/);
    expect(lines[0]).toMatch(/^Backing up \d+ tables and 6 files, \d+\.\d MB, to /);
    expect(lines[1]).toMatch(/^Table 1 of \d+: public\.accounts, \d+ rows?$/);
    expect(lines.at(-1)).toMatch(/^Files: 6 of 6, 5\.7 MB$/);
  });

  it('never overwrites a file', async () => {
    const target = join(await makeFolder(), 'mine.tar.gz');
    await writeFile(target, 'mine');
    const { code, out, lines } = await runCommand('backup', [target], environment);
    expect([code, out, lines]).toEqual([1, '', [`${target} already exists: choose another name, nothing is overwritten.`]]);
  });

  it.each([100, 2_000, 6_000, 11_000])(
    'reports a disk with room for only %i blocks in one line and leaves no partial archive',
    async (maxFileBlocks) => {
      const folder = await makeFolder();
      const { code, out, lines } = await runCommand('backup', [folder], environment, { maxFileBlocks });
      expect([code, out]).toEqual([1, '']);
      expect(lines.at(-1)).toMatch(
        /^\S+ is full: database and files take \d+\.\d MB before compression, and .* are left\. Nothing was kept\.$/,
      );
      expect(await readdir(folder)).toEqual([]);
    },
  );

  it('leaves nothing behind when it is stopped while waiting', async () => {
    const folder = await makeFolder();
    await withOwner(test.database, async (client) => {
      await holdBackupLock(client, () => undefined);
      const { code, out, lines } = await runCommand('backup', [folder], environment, {
        onStart: (child) => child.stderr?.once('data', () => child.kill('SIGTERM')),
      });
      expect([code, out, lines]).toEqual([1, '', ['Waiting for another backup to end', 'Stopped: nothing was kept.']]);
    });
    expect(await readdir(folder)).toEqual([]);
  });

  it('reports missing data or a missing database in one line and creates neither', async () => {
    const folder = await makeFolder();
    const [data, target] = [join(folder, 'data'), join(folder, 'backups')];
    expect(await runCommand('backup', [target], { DATA_DIR: data })).toEqual({
      code: 1,
      out: '',
      lines: [`DATA_DIR ${data} holds no data of Callout.`],
    });
    const away = { DATA_DIR: data, DATABASE_URL: 'postgres://ana:hunter2@127.0.0.1:1/callout' };
    const lines = ['DATABASE_URL cannot be reached: connect ECONNREFUSED 127.0.0.1:1'];
    expect(await runCommand('backup', [target], away)).toEqual({ code: 1, out: '', lines });
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('npm run restore', () => {
  it('reports in one line what it needs and changes nothing', async () => {
    const folder = await makeFolder();
    const [data, archive] = [join(folder, 'data'), join(folder, 'photos.tar.gz')];
    const noArgument = { code: 1, out: '', lines: ['Say which backup to restore: npm run restore <archive>'] };
    expect(await runCommand('restore', [], { DATA_DIR: data })).toEqual(noArgument);
    await writeFile(archive, 'photos');
    const { code, out, lines } = await runCommand('restore', [archive], { DATA_DIR: data });
    expect([code, out, lines.at(-1)]).toEqual([1, '', `${archive} is not a backup made by Callout.`]);
    expect(await readdir(folder)).toEqual(['photos.tar.gz']);
  });
});

describe('the embedded database', () => {
  it('can be backed up while running and while stopped, and restored into an empty folder where people can sign in', STARTS, async () => {
    const [here, there] = [await makeFolder(), await makeFolder()];
    const [data, restored, backups] = [join(here, 'data'), join(there, 'data'), join(there, 'backups')];
    const first = await startProduct(data, await findFreePort());
    const cookie = await signIn(first.url, 'sign-up');
    const file = `/api/files/${randomUUID()}`;
    const bytes = Buffer.concat([png(), randomBytes(5_000)]);
    const headers = { ...multipartHeaders, cookie };
    expect((await fetch(first.url + file, { method: 'PUT', headers, body: multipart('leak.png', bytes) })).status).toBe(201);
    const running = await runCommand('backup', [backups], { DATA_DIR: data });
    await first.stop();

    const archive = ARCHIVE_PATH.exec(running.out)?.[1] ?? running.lines.join('\n');
    expect(await runCommand('restore', [archive], { DATA_DIR: restored })).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Restored \d+ rows and 2 files as of .* everybody signs in again\.\n$/),
    });
    const again = await runCommand('restore', [archive], { DATA_DIR: restored });
    expect([again.code, again.lines.at(-1)]).toEqual([1, expect.stringMatching(/files already holds files/)]);

    const second = await startProduct(restored, await findFreePort());
    const session = await signIn(second.url, 'sign-in');
    expect(Buffer.from(await (await fetch(second.url + file, { headers: { cookie: session } })).arrayBuffer())).toEqual(bytes);
    expect((await fetch(`${second.url}${file}/thumbnail`, { headers: { cookie: session } })).headers.get('content-type')).toBe(
      'image/webp',
    );
    await second.stop();

    const stopped = await runCommand('backup', [join(backups, 'stopped.tar.gz')], { DATA_DIR: restored });
    expect([stopped.code, stopped.out]).toEqual([0, expect.stringContaining('and 2 files to')]);
    expect(existsSync(join(restored, 'postgres', 'postmaster.pid'))).toBe(false);
    expect(await readKeptFiles(restored)).toEqual(await readKeptFiles(data));
  });
});

/** The session cookie of a new account with a company, or of the existing one. */
async function signIn(url: string, how: 'sign-up' | 'sign-in'): Promise<string> {
  const post = (path: string, body: object, cookie = '') =>
    fetch(url + path, { method: 'POST', headers: { 'content-type': 'application/json', cookie }, body: JSON.stringify(body) });
  const credentials = { email: 'owner@example.com', password: 'correct horse' };
  if (how === 'sign-up') await post('/api/auth/sign-up', credentials);
  const session = await post('/api/auth/sign-in', credentials);
  const cookie = session.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  if (how === 'sign-up') await post('/api/company', {}, cookie);
  expect(session.status).toBe(200);
  return cookie;
}
