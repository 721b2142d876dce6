import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePort } from '@callout/embedded-postgres/endpoint';
import { beforeAll, describe, expect, it } from 'vitest';
import { createTempFolder, readStoredFiles, toDatabaseUrl } from '../../test/backup.ts';
import { runBackupCommand } from '../../test/backup-process.ts';
import { startServerProcess } from '../../test/crash/server-process.ts';
import { withOwnerClient } from '../../test/database.ts';
import { createFirm } from '../../test/factories/people.ts';
import { buildPng } from '../../test/sample-files.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { buildMultipartBody, MULTIPART_HEADERS, uploadFile } from '../../test/upload.ts';
import { acquireBackupLock } from '../platform/db/locks.sql.ts';
import { ARCHIVE_NAME_PATTERN } from './archive-format.ts';

/** Timeout for a test that creates two database clusters and starts a database five times, all with real disk syncs. */
const SLOW_TEST = { timeout: 240_000 };
const ARCHIVE_PATH = /to (\S+\.tar\.gz) \(/;

describe('npm run backup', () => {
  let test: TestApp;
  let environment: Record<string, string>;

  beforeAll(async () => {
    test = await startTestApp();
    const firm = await createFirm(test);
    // Each upload stores two files: the image and its thumbnail.
    for (const size of [2_000_000, 2_000_000, 2_000_000]) {
      const bytes = Buffer.concat([buildPng(), randomBytes(size)]);
      await uploadFile(test, `/api/files/${randomUUID()}`, firm.people.staff.cookie, 'leak.png', bytes);
    }
    environment = { DATABASE_URL: toDatabaseUrl(test.database), DATA_DIR: test.app.platform.config.dataDir };
  });

  it('prints its progress and a one-line summary', async () => {
    const folder = join(await createTempFolder(), 'not there yet');
    const { code, stdout, errorLines } = await runBackupCommand('backup', [folder], environment);
    const [name = ''] = await readdir(folder);
    expect([code, name]).toEqual([0, expect.stringMatching(ARCHIVE_NAME_PATTERN)]);
    expect(stdout).toMatch(/^Backed up \d+ rows and 6 files to \S+ .* \(5\.\d MB\)\.\n$/);
    expect(errorLines[0]).toMatch(/^Backing up \d+ tables and 6 files \(\d+\.\d MB\) to /);
    expect(errorLines[1]).toMatch(/^Table 1 of \d+: public\.accounts, \d+ rows?$/);
    expect(errorLines.at(-1)).toMatch(/^Files: 6 of 6, 5\.7 MB$/);
  });

  it('never overwrites an existing file', async () => {
    const target = join(await createTempFolder(), 'mine.tar.gz');
    await writeFile(target, 'mine');
    const { code, stdout, errorLines } = await runBackupCommand('backup', [target], environment);
    expect([code, stdout, errorLines]).toEqual([1, '', [`${target} already exists and was not overwritten. Choose another name.`]]);
  });

  it.each([100, 2_000, 6_000, 11_000])(
    'reports a full disk of %i blocks in one line and leaves no partial archive',
    async (maxFileBlocks) => {
      const folder = await createTempFolder();
      const { code, stdout, errorLines } = await runBackupCommand('backup', [folder], environment, { maxFileBlocks });
      expect([code, stdout]).toEqual([1, '']);
      expect(errorLines.at(-1)).toMatch(
        /^Not enough space in \S+: .* is free, and the database and files take \d+\.\d MB before compression\. Free up space and try again\.$/,
      );
      expect(await readdir(folder)).toEqual([]);
    },
  );

  it('leaves nothing behind if it is stopped while it waits for another backup', async () => {
    const folder = await createTempFolder();
    await withOwnerClient(test.database, async (client) => {
      await acquireBackupLock(client, () => undefined);
      const { code, stdout, errorLines } = await runBackupCommand('backup', [folder], environment, {
        onStart: (child) => child.stderr?.once('data', () => child.kill('SIGTERM')),
      });
      expect([code, stdout, errorLines]).toEqual([1, '', ['Waiting for another backup to finish', 'Stopped. Nothing was saved.']]);
    });
    expect(await readdir(folder)).toEqual([]);
  });

  it('reports a missing data folder or database in one line and creates neither', async () => {
    const folder = await createTempFolder();
    const [data, target] = [join(folder, 'data'), join(folder, 'backups')];
    expect(await runBackupCommand('backup', [target], { DATA_DIR: data })).toEqual({
      code: 1,
      stdout: '',
      errorLines: [`DATA_DIR ${data} contains no Callout data.`],
    });
    const unreachable = { DATA_DIR: data, DATABASE_URL: 'postgres://ana:hunter2@127.0.0.1:1/callout' };
    const errorLines = ['DATABASE_URL cannot be reached: connect ECONNREFUSED 127.0.0.1:1'];
    expect(await runBackupCommand('backup', [target], unreachable)).toEqual({ code: 1, stdout: '', errorLines });
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('npm run restore', () => {
  it('reports a missing or invalid archive in one line and changes nothing', async () => {
    const folder = await createTempFolder();
    const [data, archive] = [join(folder, 'data'), join(folder, 'photos.tar.gz')];
    const noArgument = { code: 1, stdout: '', errorLines: ['Specify the backup to restore: npm run restore <archive>'] };
    expect(await runBackupCommand('restore', [], { DATA_DIR: data })).toEqual(noArgument);
    await writeFile(archive, 'photos');
    const { code, stdout, errorLines } = await runBackupCommand('restore', [archive], { DATA_DIR: data });
    expect([code, stdout, errorLines.at(-1)]).toEqual([1, '', `${archive} is not a Callout backup.`]);
    expect(await readdir(folder)).toEqual(['photos.tar.gz']);
  });
});

describe('the embedded database', () => {
  it('can be backed up while running or stopped, and people can sign in after a restore', SLOW_TEST, async () => {
    const [here, there] = [await createTempFolder(), await createTempFolder()];
    const [data, restored, backups] = [join(here, 'data'), join(there, 'data'), join(there, 'backups')];
    const first = await startServerProcess(data, await findFreePort());
    const cookie = await signIn(first.url, 'sign-up');
    const file = `/api/files/${randomUUID()}`;
    const bytes = Buffer.concat([buildPng(), randomBytes(5_000)]);
    const headers = { ...MULTIPART_HEADERS, cookie };
    expect((await fetch(first.url + file, { method: 'PUT', headers, body: buildMultipartBody('leak.png', bytes) })).status).toBe(201);
    const running = await runBackupCommand('backup', [backups], { DATA_DIR: data });
    await first.stop();

    const archive = ARCHIVE_PATH.exec(running.stdout)?.[1] ?? running.errorLines.join('\n');
    expect(await runBackupCommand('restore', [archive], { DATA_DIR: restored })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^Restored \d+ rows and 2 files from the backup of .* Everyone needs to sign in again, unless .* don't include\.\n$/,
      ),
    });
    const again = await runBackupCommand('restore', [archive], { DATA_DIR: restored });
    expect([again.code, again.errorLines.at(-1)]).toEqual([1, expect.stringMatching(/files already contains files/)]);

    const second = await startServerProcess(restored, await findFreePort());
    const session = await signIn(second.url, 'sign-in');
    expect(Buffer.from(await (await fetch(second.url + file, { headers: { cookie: session } })).arrayBuffer())).toEqual(bytes);
    expect((await fetch(`${second.url}${file}/thumbnail`, { headers: { cookie: session } })).headers.get('content-type')).toBe(
      'image/webp',
    );
    await second.stop();

    const stopped = await runBackupCommand('backup', [join(backups, 'stopped.tar.gz')], { DATA_DIR: restored });
    expect([stopped.code, stopped.stdout]).toEqual([0, expect.stringContaining('and 2 files to')]);
    expect(existsSync(join(restored, 'postgres', 'postmaster.pid'))).toBe(false);
    expect(await readStoredFiles(restored)).toEqual(await readStoredFiles(data));
  });
});

/** Signs in and returns the session cookie. The mode 'sign-up' creates the account and its company first. */
async function signIn(url: string, mode: 'sign-up' | 'sign-in'): Promise<string> {
  const post = (path: string, body: object, cookie = '') =>
    fetch(url + path, { method: 'POST', headers: { 'content-type': 'application/json', cookie }, body: JSON.stringify(body) });
  const credentials = { email: 'owner@example.com', password: 'correct horse' };
  if (mode === 'sign-up') await post('/api/auth/sign-up', credentials);
  const session = await post('/api/auth/sign-in', credentials);
  const cookie = session.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  if (mode === 'sign-up') await post('/api/company', {}, cookie);
  expect(session.status).toBe(200);
  return cookie;
}
