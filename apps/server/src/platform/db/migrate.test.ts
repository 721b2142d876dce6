import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { createDatabase, DATABASE_SECRET, dropDatabase, waitUntilBlocked, withOwnerClient } from '../../../test/database.ts';
import { MIGRATIONS_DIR, migrate, migrateToVersion, prepareDatabase, requirePreparedDatabase } from './migrate.ts';
import type { LockPatience } from './migration-locks.ts';
import type { DatabaseConnection } from './pools.ts';

let database: DatabaseConnection;
let dir: string;

beforeEach(async () => {
  database = await createDatabase(inject('postgres'), `test_${randomUUID().replaceAll('-', '')}`);
  dir = await mkdtemp(join(tmpdir(), 'callout-migrations-'));
});

afterEach(async () => {
  await dropDatabase(inject('postgres'), database.database ?? '');
  await rm(dir, { recursive: true, force: true });
});

const writeMigration = (name: string, sql: string) => writeFile(join(dir, name), sql);
const migrateFromDir = () => migrate(database, dir);
const FIRST = `create table steps (step text); insert into steps values ('first')`;
const INDEXES = `-- transaction: none
-- Finds steps; by their names.
create index concurrently if not exists steps_by_step on steps (step);
create unique index concurrently if not exists steps_by_length on steps (length(step)) where step <> '';
`;
const query = async (sql: string) => (await withOwnerClient(database, (client) => client.query<Record<string, unknown>>(sql))).rows;

describe('migrating the database', () => {
  it('brings an empty database up to date and does nothing the second time', async () => {
    const ran = await migrate(database);
    expect(ran[0]).toBe('0001_roles_and_tenancy.sql');
    expect(await query('select name from migrations order by name')).toEqual(ran.map((name) => ({ name })));
    expect(await migrate(database)).toEqual([]);
  });

  it('runs each file once, in order of name, including files added later', async () => {
    await writeMigration('0002_second.sql', `insert into steps values ('second')`);
    await writeMigration('0001_first.sql', `create table steps (step text); insert into steps values ('first')`);
    await writeMigration('notes.txt', 'not a migration');
    expect(await migrateFromDir()).toEqual(['0001_first.sql', '0002_second.sql']);
    await writeMigration('0003_third.sql', `insert into steps values ('third')`);
    expect(await migrateFromDir()).toEqual(['0003_third.sql']);
    expect(await query('select step from steps')).toEqual([{ step: 'first' }, { step: 'second' }, { step: 'third' }]);
  });

  it('runs each file once when several servers start at the same time', async () => {
    await writeMigration('0001_first.sql', FIRST);
    await writeMigration('0002_indexes.sql', INDEXES);
    const ran = await Promise.all([migrateFromDir(), migrateFromDir(), migrateFromDir()]);
    expect(ran.flat()).toEqual(['0001_first.sql', '0002_indexes.sql']);
    expect(await query('select step from steps')).toEqual([{ step: 'first' }]);
  });

  it('refuses to run any file if one was changed after it ran', async () => {
    await writeMigration('0001_first.sql', 'create table steps (step text)');
    await migrateFromDir();
    await writeMigration('0001_first.sql', 'create table steps (step text, other text)');
    await writeMigration('0000_new.sql', 'create table other (id int)');
    await expect(migrateFromDir()).rejects.toThrow('Migration 0001_first.sql was changed after it ran. Add a new migration instead.');
    expect(await query(`select to_regclass('other') as other`)).toEqual([{ other: null }]);
  });

  it('keeps earlier migrations, rolls back a failing one, and continues once it is fixed', async () => {
    await writeMigration('0001_first.sql', 'create table steps (step text)');
    await writeMigration('0002_second.sql', `insert into steps values ('half'); insert into no_such_table values (1)`);
    await expect(migrateFromDir()).rejects.toThrow('Migration 0002_second.sql failed');
    expect(await query('select * from steps')).toEqual([]);
    expect(await query('select name from migrations')).toEqual([{ name: '0001_first.sql' }]);
    await writeMigration('0002_second.sql', `insert into steps values ('whole')`);
    expect(await migrateFromDir()).toEqual(['0002_second.sql']);
  });

  it('keeps a company’s data when a later migration runs', async () => {
    await cp(MIGRATIONS_DIR, dir, { recursive: true });
    await migrateFromDir();
    await query(`insert into companies (company_id, company_name) values ('018f0000-0000-7000-8000-000000000001', 'Tane')`);
    await writeMigration('9999_later.sql', 'alter table companies add column later text');
    await migrateFromDir();
    expect(await query('select company_name, later from companies')).toEqual([{ company_name: 'Tane', later: null }]);
  });
});

/** Runs the work while a transaction, as an old report would, has changed a row and not committed yet. */
async function withOpenTransaction(work: (holder: pg.Client) => Promise<void>): Promise<void> {
  await withOwnerClient(database, async (holder) => {
    await holder.query(`set application_name = 'a long report'`);
    await holder.query('begin');
    await holder.query(`update steps set step = 'held'`);
    await work(holder);
  });
}

describe('a migration of a table that is in use', () => {
  const patience: LockPatience = { lockTimeoutMs: 300, attempts: 200, pauseMs: 100 };

  beforeEach(async () => {
    await writeMigration('0001_first.sql', FIRST);
    await migrateFromDir();
  });

  it('lets waiting calls through between its attempts and finishes once the table is free', async () => {
    await writeMigration('0002_second.sql', 'alter table steps add column later text');
    await withOpenTransaction(async (holder) => {
      const migrating = migrate(database, dir, { patience });
      await waitUntilBlocked(database);
      // This waits behind the migration, which gives up its place although the transaction is still open.
      expect(await query(`insert into steps values ('call') returning step`)).toEqual([{ step: 'call' }]);
      await holder.query('commit');
      expect(await migrating).toEqual(['0002_second.sql']);
    });
    expect(await query('select step, later from steps order by step')).toEqual([
      { step: 'call', later: null },
      { step: 'held', later: null },
    ]);
  });

  it('fails after its last attempt, names the transaction that blocked it, and leaves nothing behind', async () => {
    await writeMigration('0002_second.sql', 'create table others (id int); alter table steps add column later text');
    const lines: string[] = [];
    await withOpenTransaction(async () => {
      const options = { patience: { ...patience, attempts: 2 }, onWait: (line: string) => void lines.push(line) };
      await expect(migrate(database, dir, options)).rejects.toMatchObject({
        name: 'DatabaseSetupError',
        message: expect.stringMatching(
          /^Migration 0002_second\.sql was undone after 2 attempts, because a transaction of a long report that began \d+ s ago holds a lock\. .+$/,
        ) as string,
      });
    });
    expect(lines).toEqual([expect.stringMatching(/^Migration 0002_second\.sql has to wait, because .+\. Trying again in 0\.1 s\.$/)]);
    expect(await query(`select to_regclass('others') as others`)).toEqual([{ others: null }]);
    expect(await migrateFromDir()).toEqual(['0002_second.sql']);
  });

  it('rebuilds an index after a crash in the middle of its concurrent build', async () => {
    await writeMigration('0002_indexes.sql', INDEXES);
    const indexes = `select c.relname as name, i.indisvalid as valid from pg_index i join pg_class c on c.oid = i.indexrelid
      where i.indrelid = 'steps'::regclass order by 1`;
    await withOpenTransaction(async (holder) => {
      const migrating = migrateFromDir().catch((error: unknown) => error);
      await waitUntilBlocked(database);
      await query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
      expect(await migrating).toMatchObject({ message: 'Migration 0002_indexes.sql failed' });
      expect(await query(indexes)).toEqual([{ name: 'steps_by_step', valid: false }]);
      await holder.query('commit');
    });
    expect(await migrateFromDir()).toEqual(['0002_indexes.sql']);
    expect(await query(indexes)).toEqual([
      { name: 'steps_by_length', valid: true },
      { name: 'steps_by_step', valid: true },
    ]);
  });

  it('removes an index that could not be built', async () => {
    await query(`insert into steps values ('other')`);
    await writeMigration('0002_indexes.sql', INDEXES);
    await expect(migrateFromDir()).rejects.toThrow('Migration 0002_indexes.sql failed');
    expect(await query(`select to_regclass('steps_by_length') as index`)).toEqual([{ index: null }]);
    expect(await query('select name from migrations')).toEqual([{ name: '0001_first.sql' }]);
  });
});

it('a restore builds concurrent indexes inside its transaction', async () => {
  await writeMigration('0001_first.sql', FIRST);
  await writeMigration('0002_indexes.sql', INDEXES);
  await withOwnerClient(database, async (client) => {
    await client.query('begin');
    await migrateToVersion(client, { migrations: [{ name: '0001_first.sql' }, { name: '0002_indexes.sql' }], queue_migration: 0 }, dir);
    await client.query('commit');
  });
  expect(await query(`select to_regclass('steps_by_length')::text as index`)).toEqual([{ index: 'steps_by_length' }]);
});

describe('a server that starts on the operator’s database', () => {
  const start = (secret = DATABASE_SECRET) => requirePreparedDatabase({ owner: database }, [secret]);

  it('refuses a database that was never migrated, and changes nothing in it', async () => {
    await expect(start()).rejects.toThrow(/^The database is older than this version of Callout: \d+ migrations have not run\. Run/);
    expect(await query(`select relname from pg_class where relnamespace = 'public'::regnamespace`)).toEqual([]);
  });

  it('accepts a newer database but no older one, and refuses a secret without logins instead of using weaker connections', async () => {
    const { logins } = await prepareDatabase({ owner: database }, [DATABASE_SECRET]);
    await query(`insert into migrations (name, checksum) values ('9999_later.sql', '')`);
    expect(await start()).toEqual({ logins, warning: null });
    await expect(start(`${DATABASE_SECRET} changed`)).rejects.toThrow(
      'The database has no logins for this DATABASE_SECRET. Run "npm run migrate" with the same settings, then start again.',
    );
    await query('delete from migrations where name = (select min(name) from migrations)');
    await expect(start()).rejects.toThrow('The database is older than this version of Callout: 1 migration has not run. Run');
  });
});
