import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { createDatabase, dropDatabase, withOwnerClient } from '../../../test/database.ts';
import { MIGRATIONS_DIR, migrate } from './migrate.ts';
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
    await writeMigration('0001_first.sql', `create table steps (step text); insert into steps values ('first')`);
    const ran = await Promise.all([migrateFromDir(), migrateFromDir(), migrateFromDir()]);
    expect(ran.flat()).toEqual(['0001_first.sql']);
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
