import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import type pg from 'pg';
import { extract, pack } from 'tar-stream';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  createRestoreTarget,
  createTempFolder,
  type RestoreTarget,
  readStableRows,
  readStoredFiles,
  readTargetContents,
  runBackup,
  runRestore,
} from '../../test/backup.ts';
import { TEMPLATE_DATABASE, withOwnerClient } from '../../test/database.ts';
import { insertCustomers } from '../../test/factories/customer-rows.ts';
import { createFirm, type Firm } from '../../test/factories/people.ts';
import { buildPng } from '../../test/sample-files.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { uploadFile } from '../../test/upload.ts';
import { migrate, migrateToVersion, readMigrations } from '../platform/db/migrate.ts';
import type { Manifest } from './archive-format.ts';

let test: TestApp;
let firm: Firm;
/** Path of a backup of the test company. Tests must not modify this file. */
let archive: string;
let backupBytes: Buffer;
/** Restore target shared by tests that expect a rejection, because a rejected restore leaves the target empty. */
let emptyTarget: RestoreTarget;

beforeAll(async () => {
  test = await startTestApp();
  firm = await createFirm(test);
  await insertCustomers(
    test,
    firm.companyId,
    Array.from({ length: 300 }, (_, index) => ({ name: `Customer ${index}` })),
  );
  for (const size of [100, 20_000])
    await uploadFile(test, `/api/files/${randomUUID()}`, firm.people.staff.cookie, 'leak.png', buildNoisyPng(size));
  ({ archive } = await runBackup(test));
  backupBytes = await readFile(archive);
  emptyTarget = await createRestoreTarget();
});

/** Builds a PNG padded with random bytes, which don't compress, so that a truncation or flipped bit hits the file's contents. */
const buildNoisyPng = (size: number) => Buffer.concat([buildPng(), randomBytes(size)]);

async function writeArchive(bytes: Buffer | string): Promise<string> {
  const path = join(await createTempFolder(), 'backup.tar.gz');
  await writeFile(path, bytes);
  return path;
}

/** Runs a restore that must be rejected, checks that the target is unchanged, and returns the error message. */
async function tryRestore(file: string, target = emptyTarget): Promise<string> {
  const before = await readTargetContents(target);
  const line = await runRestore(file, target).then(
    () => 'not rejected',
    (error: Error) => error.message,
  );
  expect(await readTargetContents(target)).toEqual(before);
  expect(line).not.toContain('\n');
  return line;
}

type ArchiveEntries = Map<string, Buffer>;

async function unpackArchive(bytes: Buffer): Promise<ArchiveEntries> {
  const tar = extract();
  tar.end(gunzipSync(bytes));
  const entries: ArchiveEntries = new Map();
  for await (const entry of tar) entries.set(entry.header.name, await buffer(entry));
  return entries;
}

async function repackArchive(entries: ArchiveEntries): Promise<string> {
  const tar = pack();
  for (const [name, body] of entries) tar.entry({ name }, body);
  tar.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of tar) chunks.push(chunk as Buffer);
  return writeArchive(gzipSync(Buffer.concat(chunks)));
}

async function changeManifest(change: (manifest: Manifest) => unknown): Promise<string> {
  const entries = await unpackArchive(backupBytes);
  const manifest = JSON.parse(String(entries.get('manifest.json'))) as Manifest;
  return repackArchive(entries.set('manifest.json', Buffer.from(JSON.stringify(change(manifest)))));
}

describe('a restore fails with a one-line error and changes nothing if the archive', () => {
  it('is truncated at any position', async () => {
    const cuts = [0, 5, 20, ...[0.1, 0.5, 0.9].map((part) => part * backupBytes.length), backupBytes.length - 9, backupBytes.length - 1];
    for (const cut of cuts)
      expect(await tryRestore(await writeArchive(backupBytes.subarray(0, Math.floor(cut))))).toMatch(
        /is incomplete\. Copy it again, or use another backup\.$/,
      );
  });

  it('is a valid tar.gz without its last entry', async () => {
    const entries = await unpackArchive(backupBytes);
    entries.delete('end.json');
    expect(await tryRestore(await repackArchive(entries))).toMatch(/is incomplete\. Copy it again, or use another backup\.$/);
  });

  it('has a flipped bit at any position', async () => {
    for (const at of [0.2, 0.4, 0.6, 0.8, 0.95].map((part) => Math.floor(part * backupBytes.length))) {
      const damaged = Buffer.from(backupBytes);
      damaged[at] = (damaged[at] ?? 0) ^ 0x10;
      expect(await tryRestore(await writeArchive(damaged))).toMatch(/is (damaged|incomplete|not a Callout backup)/);
    }
  });

  it('is a valid tar.gz with altered rows', async () => {
    const entries = await unpackArchive(backupBytes);
    await runRestore(await repackArchive(entries), await createRestoreTarget());
    const name = 'rows/public.customers/000001.copy';
    entries.set(name, Buffer.from(String(entries.get(name)).replace('Customer 7', 'Customer 8')));
    expect(await tryRestore(await repackArchive(entries))).toMatch(/is damaged\. Copy it again, or use another backup\.$/);
  });

  it('is not a backup', async () => {
    expect(await tryRestore(await writeArchive('Dear customer, '.repeat(100)))).toMatch(/is not a Callout backup\.$/);
    expect(await tryRestore(await writeArchive(gzipSync(randomBytes(2000))))).toMatch(/is not a Callout backup\.$/);
    expect(await tryRestore(await repackArchive(new Map([['photos/one.txt', Buffer.from('one')]])))).toMatch(/is not a Callout backup\.$/);
    expect(await tryRestore(await repackArchive(new Map([['manifest.json', Buffer.from('{}')]])))).toMatch(/is not a Callout backup\.$/);
    expect(await tryRestore(join(await createTempFolder(), 'nowhere.tar.gz'))).toMatch(/nowhere\.tar\.gz does not exist\.$/);
    expect(await tryRestore(await createTempFolder())).toMatch(/^Cannot read .* \(EISDIR\)\.$/);
  });

  it('was made by a newer version of Callout', async () => {
    const line = /was made by a newer version of Callout \(9\.0\.0\)\. Update Callout first\.$/;
    expect(
      await tryRestore(await changeManifest((manifest) => ({ ...manifest, format: 2, version: '9.0.0', tables: 'elsewhere' }))),
    ).toMatch(line);
    const source = await backUpAfter(await createRestoreTarget(TEMPLATE_DATABASE), async (client) => {
      await client.query(`insert into migrations (name, checksum) values ('9999_later.sql', 'x')`);
    });
    expect(await tryRestore(source)).toMatch(/was made by a newer version of Callout/);
    const queue = await backUpAfter(await createRestoreTarget(TEMPLATE_DATABASE), async (client) => {
      await client.query('insert into graphile_worker.migrations (id) values (999)');
    });
    expect(await tryRestore(queue)).toMatch(/was made by a newer version of Callout/);
  });

  it('was made by a build with different migrations', async () => {
    const source = await backUpAfter(await createRestoreTarget(TEMPLATE_DATABASE), async (client) => {
      await client.query(`update migrations set checksum = 'x' where name = '0003_companies.sql'`);
    });
    expect(await tryRestore(source)).toMatch(
      /was made by another build of Callout \(0003_companies\.sql differs\)\. Restore it with that build\.$/,
    );
  });

  it('would write outside the files folder', async () => {
    const entries = await unpackArchive(backupBytes);
    const end = entries.get('end.json') ?? Buffer.alloc(0);
    entries.delete('end.json');
    entries.set('files/../../evil', Buffer.from('x')).set('end.json', end);
    expect(await tryRestore(await repackArchive(entries))).toMatch(/unexpected entry/);
  });
});

/** Applies `change` to the source database and returns the path of a backup taken afterwards. */
async function backUpAfter(source: RestoreTarget, change: (client: pg.Client) => Promise<unknown>): Promise<string> {
  await withOwnerClient(source.database, change);
  return (await runBackup({ database: source.database, app: test.app })).archive;
}

describe('a restore fails and changes nothing if the target', () => {
  it('is a database that Callout already uses', async () => {
    const target = { database: test.database, dataDir: await createTempFolder() };
    expect(await tryRestore(archive, target)).toMatch(/^The database already contains tables\. Restore into an empty database\.$/);
  });

  it('is a database with another application’s table', async () => {
    const target = await createRestoreTarget();
    await withOwnerClient(target.database, (client) => client.query('create table notes (id int)'));
    expect(await tryRestore(archive, target)).toMatch(/^The database already contains tables/);
  });

  it('is a folder that already contains files', async () => {
    const target = await createRestoreTarget();
    await mkdir(join(target.dataDir, 'files', 'kept', 'one'), { recursive: true });
    await writeFile(join(target.dataDir, 'files', 'kept', 'one', 'two'), 'mine');
    expect(await tryRestore(archive, target)).toMatch(/files already contains files\. Restore into an empty folder\.$/);
  });

  it('has a file instead of a data folder', async () => {
    const target = await createRestoreTarget();
    const file = join(target.dataDir, 'file');
    await writeFile(file, 'mine');
    await expect(runRestore(archive, { ...target, dataDir: file })).rejects.toThrow(/^Cannot use .* \(ENOTDIR\)\.$/);
    expect([await readFile(file, 'utf8'), await withOwnerClient(target.database, readStableRows)]).toEqual(['mine', {}]);
  });
});

describe('a restore', () => {
  it('changes nothing if it is stopped midway, and succeeds when run again', async () => {
    const target = await createRestoreTarget();
    const before = await readTargetContents(target);
    for (const at of [/^Table public\.customers/, /^Files/, /^Checking the restored data/]) {
      const stopping = new AbortController();
      const onProgress = (line: string) => {
        if (at.test(line)) stopping.abort();
      };
      const restoring = runRestore(archive, target, { onProgress, signal: stopping.signal });
      await expect(restoring).rejects.toThrow('aborted');
      expect(await readTargetContents(target)).toEqual(before);
    }
    // Simulate a killed restore, which leaves this folder behind.
    await mkdir(join(target.dataDir, 'files', 'restoring', 'kept', 'half'), { recursive: true });
    await runRestore(archive, target);
    expect(await withOwnerClient(target.database, readStableRows)).toEqual(await withOwnerClient(test.database, readStableRows));
    expect(await readStoredFiles(target.dataDir)).toEqual(await readStoredFiles(test.app.platform.config.dataDir));
  });

  it('migrates the rows of an older backup', async () => {
    const older = (await readMigrations()).filter(({ name }) => name < '0011');
    const backup = await backUpAfter(await createRestoreTarget(), async (client) => {
      await migrateToVersion(client, { migrations: older, queue_migration: 19 });
      for (const { name, checksum } of older)
        await client.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum]);
      await client.query('insert into graphile_worker.migrations (id) select generate_series(1, 19)');
      await client.query(`insert into companies (company_id, updated_at) values (gen_random_uuid(), '2020-02-02')`);
    });
    const lines: string[] = [];
    const target = await createRestoreTarget();
    await runRestore(backup, target, { onProgress: (line) => lines.push(line) });
    const newer = (await readMigrations()).filter(({ name }) => name >= '0011');
    expect(lines.at(-1)).toBe(`Applied newer migrations: ${newer.map(({ name }) => name).join(', ')}`);
    expect(await migrate(target.database)).toEqual([]);
    await withOwnerClient(target.database, async (client) => {
      expect((await client.query('select last_active from companies')).rows).toEqual([{ last_active: new Date('2020-02-02T00:00:00Z') }]);
      expect((await client.query('select max(id) from graphile_worker.migrations')).rows).toEqual([{ max: 20 }]);
    });
  });

  it('skips tables that do not belong to Callout and prints a warning', async () => {
    const backup = await backUpAfter(await createRestoreTarget(TEMPLATE_DATABASE), (client) =>
      client.query('create table notes as select 1 as id'),
    );
    const lines: string[] = [];
    const target = await createRestoreTarget();
    await runRestore(backup, target, { onProgress: (line) => lines.push(line) });
    expect(lines).toContain('Warning: skipped public.notes, which is not a Callout table');
    expect(Object.keys(await withOwnerClient(target.database, readStableRows))).not.toContain('public.notes');
  });

  it('unlocks jobs that were running, and numbers new jobs after the restored ones', async () => {
    const backup = await backUpAfter(await createRestoreTarget(TEMPLATE_DATABASE), async (client) => {
      await client.query(`select graphile_worker.add_job('send-mail') from generate_series(1, 5)`);
      await client.query(`delete from graphile_worker._private_jobs where id = 5`);
      await client.query(`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'worker' where id = 2`);
    });
    const target = await createRestoreTarget();
    await runRestore(backup, target);
    await withOwnerClient(target.database, async (client) => {
      await client.query(`select graphile_worker.add_job('send-mail')`);
      const { rows } = await client.query('select id::int, locked_at, locked_by from graphile_worker.jobs order by id');
      expect(rows).toEqual([1, 2, 3, 4, 6].map((id) => ({ id, locked_at: null, locked_by: null })));
    });
  });
});
