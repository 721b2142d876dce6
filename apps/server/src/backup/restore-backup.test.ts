import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import type pg from 'pg';
import { extract, pack } from 'tar-stream';
import { beforeAll, describe, expect, it } from 'vitest';
import { backUp, makeFolder, makeTarget, readComparableRows, readKeptFiles, readTarget, restore, type Target } from '../../test/backup.ts';
import { TEMPLATE, withOwner } from '../../test/database.ts';
import { insertCustomers } from '../../test/factories/customer-rows.ts';
import { createFirm, type Firm } from '../../test/factories/people.ts';
import { png } from '../../test/sample-files.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { uploadTo } from '../../test/upload.ts';
import { migrate, migrateUpTo, readMigrations } from '../platform/db/migrate.ts';
import type { Manifest } from './archive-format.ts';

let test: TestApp;
let firm: Firm;
/** A backup of the company, which no test changes. */
let archive: string;
let backupBytes: Buffer;
/** A refused restore leaves it empty for the next one. */
let emptyTarget: Target;

beforeAll(async () => {
  test = await startTestApp();
  firm = await createFirm(test);
  await insertCustomers(
    test,
    firm.companyId,
    Array.from({ length: 300 }, (_, index) => ({ name: `Customer ${index}` })),
  );
  for (const size of [100, 20_000]) await uploadTo(test, `/api/files/${randomUUID()}`, firm.people.staff.cookie, 'leak.png', noise(size));
  ({ archive } = await backUp(test));
  backupBytes = await readFile(archive);
  emptyTarget = await makeTarget();
});

/** Bytes that do not compress, so that a cut or a flipped byte lands in them. */
const noise = (size: number) => Buffer.concat([png(), randomBytes(size)]);

async function fileWith(bytes: Buffer | string): Promise<string> {
  const path = join(await makeFolder(), 'backup.tar.gz');
  await writeFile(path, bytes);
  return path;
}

/** The message of a refused restore, after checking that nothing has changed. */
async function refusalOf(file: string, target = emptyTarget): Promise<string> {
  const before = await readTarget(target);
  const line = await restore(file, target).then(
    () => 'not refused',
    (error: Error) => error.message,
  );
  expect(await readTarget(target)).toEqual(before);
  expect(line).not.toContain('\n');
  return line;
}

type Entries = Map<string, Buffer>;

async function unpack(bytes: Buffer): Promise<Entries> {
  const tar = extract();
  tar.end(gunzipSync(bytes));
  const entries: Entries = new Map();
  for await (const entry of tar) entries.set(entry.header.name, await buffer(entry));
  return entries;
}

async function repack(entries: Entries): Promise<string> {
  const tar = pack();
  for (const [name, body] of entries) tar.entry({ name }, body);
  tar.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of tar) chunks.push(chunk as Buffer);
  return fileWith(gzipSync(Buffer.concat(chunks)));
}

async function withManifest(change: (manifest: Manifest) => unknown): Promise<string> {
  const entries = await unpack(backupBytes);
  const manifest = JSON.parse(String(entries.get('manifest.json'))) as Manifest;
  return repack(entries.set('manifest.json', Buffer.from(JSON.stringify(change(manifest)))));
}

describe('a restore is refused in one line and changes nothing when the archive', () => {
  it('is truncated anywhere', async () => {
    const cuts = [0, 5, 20, ...[0.1, 0.5, 0.9].map((part) => part * backupBytes.length), backupBytes.length - 9, backupBytes.length - 1];
    for (const cut of cuts)
      expect(await refusalOf(await fileWith(backupBytes.subarray(0, Math.floor(cut))))).toMatch(
        /is cut off: the backup is not complete\.$/,
      );
  });

  it('lacks its last entry but is a valid tar.gz', async () => {
    const entries = await unpack(backupBytes);
    entries.delete('end.json');
    expect(await refusalOf(await repack(entries))).toMatch(/is cut off: the backup is not complete\.$/);
  });

  it('has a flipped bit anywhere', async () => {
    for (const at of [0.2, 0.4, 0.6, 0.8, 0.95].map((part) => Math.floor(part * backupBytes.length))) {
      const damaged = Buffer.from(backupBytes);
      damaged[at] = (damaged[at] ?? 0) ^ 0x10;
      expect(await refusalOf(await fileWith(damaged))).toMatch(/is (damaged|cut off|not a backup)/);
    }
  });

  it('has altered rows but is a valid tar.gz', async () => {
    const entries = await unpack(backupBytes);
    await restore(await repack(entries), await makeTarget());
    const name = 'rows/public.customers/000001.copy';
    entries.set(name, Buffer.from(String(entries.get(name)).replace('Customer 7', 'Customer 8')));
    expect(await refusalOf(await repack(entries))).toMatch(/is damaged: the backup is not what was written\.$/);
  });

  it('is not a backup', async () => {
    expect(await refusalOf(await fileWith('Dear customer, '.repeat(100)))).toMatch(/is not a backup made by Callout\.$/);
    expect(await refusalOf(await fileWith(gzipSync(randomBytes(2000))))).toMatch(/is not a backup made by Callout\.$/);
    expect(await refusalOf(await repack(new Map([['photos/one.txt', Buffer.from('one')]])))).toMatch(/is not a backup made by Callout\.$/);
    expect(await refusalOf(await repack(new Map([['manifest.json', Buffer.from('{}')]])))).toMatch(/is not a backup made by Callout\.$/);
    expect(await refusalOf(join(await makeFolder(), 'nowhere.tar.gz'))).toMatch(/^There is no file .*nowhere\.tar\.gz\.$/);
    expect(await refusalOf(await makeFolder())).toMatch(/can't be read \(EISDIR\)\.$/);
  });

  it('was made by a newer Callout', async () => {
    const line = /was made by a newer Callout \(9\.0\.0\): update this one first\.$/;
    expect(await refusalOf(await withManifest((manifest) => ({ ...manifest, format: 2, version: '9.0.0', tables: 'elsewhere' })))).toMatch(
      line,
    );
    const source = await backUpOf(await makeTarget(TEMPLATE), async (client) => {
      await client.query(`insert into migrations (name, checksum) values ('9999_later.sql', 'x')`);
    });
    expect(await refusalOf(source)).toMatch(/was made by a newer Callout/);
    const queue = await backUpOf(await makeTarget(TEMPLATE), async (client) => {
      await client.query('insert into graphile_worker.migrations (id) values (999)');
    });
    expect(await refusalOf(queue)).toMatch(/was made by a newer Callout/);
  });

  it('was made by a Callout with different migrations', async () => {
    const source = await backUpOf(await makeTarget(TEMPLATE), async (client) => {
      await client.query(`update migrations set checksum = 'x' where name = '0003_companies.sql'`);
    });
    expect(await refusalOf(source)).toMatch(
      /was made by another build of Callout: its migration 0003_companies\.sql is not the one here\.$/,
    );
  });

  it('would write outside the files folder', async () => {
    const entries = await unpack(backupBytes);
    const end = entries.get('end.json') ?? Buffer.alloc(0);
    entries.delete('end.json');
    entries.set('files/../../evil', Buffer.from('x')).set('end.json', end);
    expect(await refusalOf(await repack(entries))).toMatch(/neither rows nor a file/);
  });
});

/** A backup of another database, after this change to it. */
async function backUpOf(source: Target, change: (client: pg.Client) => Promise<unknown>): Promise<string> {
  await withOwner(source.database, change);
  return (await backUp({ database: source.database, app: test.app })).archive;
}

describe('a restore is refused and changes nothing when the target', () => {
  it('is a database in use by Callout', async () => {
    const target = { database: test.database, dataDir: await makeFolder() };
    expect(await refusalOf(archive, target)).toMatch(/^The database already holds tables: a restore needs an empty one\.$/);
  });

  it('is a database with another application’s table', async () => {
    const target = await makeTarget();
    await withOwner(target.database, (client) => client.query('create table notes (id int)'));
    expect(await refusalOf(archive, target)).toMatch(/^The database already holds tables/);
  });

  it('is a folder that already has files', async () => {
    const target = await makeTarget();
    await mkdir(join(target.dataDir, 'files', 'kept', 'one'), { recursive: true });
    await writeFile(join(target.dataDir, 'files', 'kept', 'one', 'two'), 'mine');
    expect(await refusalOf(archive, target)).toMatch(/files already holds files: a restore needs an empty folder\.$/);
  });

  it('has a file in place of the data folder', async () => {
    const target = await makeTarget();
    const file = join(target.dataDir, 'file');
    await writeFile(file, 'mine');
    await expect(restore(archive, { ...target, dataDir: file })).rejects.toThrow(/can't be used \(ENOTDIR\)\.$/);
    expect([await readFile(file, 'utf8'), await withOwner(target.database, readComparableRows)]).toEqual(['mine', {}]);
  });
});

describe('a restore', () => {
  it('changes nothing when it is stopped midway, and succeeds when run again', async () => {
    const target = await makeTarget();
    const before = await readTarget(target);
    for (const at of [/^Table public\.customers/, /^Files/, /^Checking what was restored/]) {
      const stopping = new AbortController();
      const onLine = (line: string) => {
        if (at.test(line)) stopping.abort();
      };
      const restoring = restore(archive, target, { onLine, signal: stopping.signal });
      await expect(restoring).rejects.toThrow('aborted');
      expect(await readTarget(target)).toEqual(before);
    }
    // What a killed restore leaves behind.
    await mkdir(join(target.dataDir, 'files.restoring', 'kept', 'half'), { recursive: true });
    await restore(archive, target);
    expect(await withOwner(target.database, readComparableRows)).toEqual(await withOwner(test.database, readComparableRows));
    expect(await readKeptFiles(target.dataDir)).toEqual(await readKeptFiles(test.app.platform.config.dataDir));
  });

  it('migrates the rows of an older backup', async () => {
    const older = (await readMigrations()).filter(({ name }) => name < '0011');
    const backup = await backUpOf(await makeTarget(), async (client) => {
      await migrateUpTo(client, { migrations: older, queue_migration: 19 });
      for (const { name, checksum } of older)
        await client.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum]);
      await client.query('insert into graphile_worker.migrations (id) select generate_series(1, 19)');
      await client.query(`insert into companies (company_id, updated_at) values (gen_random_uuid(), '2020-02-02')`);
    });
    const lines: string[] = [];
    const target = await makeTarget();
    await restore(backup, target, { onLine: (line) => lines.push(line) });
    const newer = (await readMigrations()).filter(({ name }) => name >= '0011');
    expect(lines.at(-1)).toBe(`Brought up to date: ${newer.map(({ name }) => name).join(', ')}`);
    expect(await migrate(target.database)).toEqual([]);
    await withOwner(target.database, async (client) => {
      expect((await client.query('select last_active from companies')).rows).toEqual([{ last_active: new Date('2020-02-02T00:00:00Z') }]);
      expect((await client.query('select max(id) from graphile_worker.migrations')).rows).toEqual([{ max: 20 }]);
    });
  });

  it('skips tables that do not belong to Callout and says so', async () => {
    const backup = await backUpOf(await makeTarget(TEMPLATE), (client) => client.query('create table notes as select 1 as id'));
    const lines: string[] = [];
    const target = await makeTarget();
    await restore(backup, target, { onLine: (line) => lines.push(line) });
    expect(lines).toContain('Warning: public.notes is not a table of Callout and is left out');
    expect(Object.keys(await withOwner(target.database, readComparableRows))).not.toContain('public.notes');
  });

  it('releases jobs that were running and continues their numbering', async () => {
    const backup = await backUpOf(await makeTarget(TEMPLATE), async (client) => {
      await client.query(`select graphile_worker.add_job('send-mail') from generate_series(1, 5)`);
      await client.query(`delete from graphile_worker._private_jobs where id = 5`);
      await client.query(`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'worker' where id = 2`);
    });
    const target = await makeTarget();
    await restore(backup, target);
    await withOwner(target.database, async (client) => {
      await client.query(`select graphile_worker.add_job('send-mail')`);
      const { rows } = await client.query('select id::int, locked_at, locked_by from graphile_worker.jobs order by id');
      expect(rows).toEqual([1, 2, 3, 4, 6].map((id) => ({ id, locked_at: null, locked_by: null })));
    });
  });
});
