import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@callout/embedded-postgres/embedded-postgres';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createRestoreTarget } from '../../../test/backup.ts';
import { DATABASE_SECRET, withOwnerClient } from '../../../test/database.ts';
import { createFirm } from '../../../test/factories/people.ts';
import { startTestApp } from '../../../test/test-app.ts';
import { deriveLogins } from './database-logins.ts';
import { prepareDatabase } from './migrate.ts';
import { buildClientConfig, createPools, DATABASE_ROLES, type DatabaseConnection, type DatabaseLogins } from './pools.ts';

const SECRET = 'the secret of these tests, long enough';

describe('an application connection', () => {
  it.each(DATABASE_ROLES)('as %s gains no privileges by resetting or switching its role', async (role) => {
    const { logins } = await startTestApp();
    const client = new pg.Client(buildClientConfig(logins[role], { application_name: 'test' }));
    await client.connect();
    try {
      for (const statement of ['reset role', 'reset session authorization', 'set role none', 'reset all', 'discard all']) {
        await client.query(statement);
        const { rows } = await client.query(`select current_user::text, session_user::text, current_setting('is_superuser') as superuser`);
        expect({ statement, ...rows[0] }).toEqual({ statement, current_user: role, session_user: role, superuser: 'off' });
      }
      const others = [inject('postgres').user, ...DATABASE_ROLES.filter((other) => other !== role)];
      for (const other of others) {
        await expect(client.query(`set role ${other}`)).rejects.toMatchObject({ code: '42501' });
        await expect(client.query(`set session authorization ${other}`)).rejects.toMatchObject({ code: '42501' });
      }
      await expect(client.query('alter table customers disable row level security')).rejects.toMatchObject({ code: '42501' });
    } finally {
      await client.end();
    }
  });

  it.each(DATABASE_ROLES)('as %s cannot create temporary tables or large objects, which no quota would count', async (role) => {
    const { database } = await createRestoreTarget();
    const { logins } = await prepareDatabase(database, DATABASE_SECRET);
    const client = new pg.Client(buildClientConfig(logins[role], { application_name: 'test' }));
    await client.connect();
    try {
      for (const statement of [
        'create temporary table t (n integer)',
        'select lo_creat(-1)',
        'select lo_create(0)',
        `select lo_from_bytea(0, 'x')`,
        `select lo_import('/etc/hostname')`,
      ]) {
        await expect(client.query(statement), statement).rejects.toMatchObject({ code: '42501' });
      }
    } finally {
      await client.end();
    }
  });

  it('is refused before its first use if it runs as the wrong role', async () => {
    const { database, logins } = await startTestApp();
    const mixedUp: DatabaseLogins = { ...logins, callout_app: database, callout_system: logins.callout_app };
    const pools = createPools(mixedUp, 2, () => undefined);
    await expect(pools.app.query('select 1')).rejects.toThrow(/Refused a connection for callout_app that runs as \w+/);
    await expect(pools.system.query('select 1')).rejects.toThrow('Refused a connection for callout_system that runs as callout_app');
    await pools.end();
  });

  it('is never a superuser or the table owner while the server runs', async () => {
    const test = await startTestApp();
    const { people } = await createFirm(test);
    await people.admin.client.customers.list({});
    const { rows } = await test.owner.query<{ usename: string }>(
      `select distinct usename from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and application_name like 'callout%'`,
    );
    expect(rows.map(({ usename }) => usename).toSorted()).toEqual([...DATABASE_ROLES].toSorted());
  });
});

describe('on a managed PostgreSQL server', () => {
  let postgres: EmbeddedPostgres;
  let dataDir: string;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'callout-logins-'));
    postgres = await startEmbeddedPostgres({
      appName: 'Test',
      superuser: 'postgres',
      database: 'test',
      dataDir,
      log: () => undefined,
      settings: { fsync: 'off' },
    });
  });

  afterAll(async () => {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** Creates a database user that is not a superuser, and a database with the same name. */
  async function createDatabaseOwner(name: string, attributes: string): Promise<DatabaseConnection> {
    await withOwnerClient(postgres.connection, async (client) => {
      await client.query(`create role ${name} login password 'rent' ${attributes}`);
      await client.query(`create database ${name} owner ${name}`);
    });
    return { ...postgres.connection, user: name, password: 'rent', database: name };
  }

  async function queryCustomerCount(logins: DatabaseLogins): Promise<unknown> {
    const pools = createPools(logins, 2, () => undefined);
    try {
      return (await pools.system.query('select count(*)::int from customers')).rows;
    } finally {
      await pools.end();
    }
  }

  it('the application gets its own logins if the database user may create roles', async () => {
    const owner = await createDatabaseOwner('renting', 'createrole');
    const { logins, warning } = await prepareDatabase(owner, SECRET);
    expect(warning).toBeNull();
    expect(logins).toEqual(deriveLogins(owner, SECRET));
    expect(await queryCustomerCount(logins)).toEqual([{ count: 0 }]);
    expect((await prepareDatabase(owner, SECRET)).warning).toBeNull();
    // Setup with a different secret, as after losing the data folder, resets the passwords.
    expect(await queryCustomerCount((await prepareDatabase(owner, `${SECRET}, changed`)).logins)).toEqual([{ count: 0 }]);
  });

  it('setup succeeds with a warning if the database user cannot create roles', async () => {
    const owner = await createDatabaseOwner('sharing', '');
    await withOwnerClient(postgres.connection, async (client) => {
      for (const role of DATABASE_ROLES) await client.query(`grant ${role} to sharing with admin option`);
    });
    const { logins, warning } = await prepareDatabase(owner, `${SECRET} of another Callout`);
    expect(warning).toMatch(/^The database user sharing cannot create logins\. .+$/);
    expect(await queryCustomerCount(logins)).toEqual([{ count: 0 }]);
  });

  it('setup fails with a one-sentence error and changes nothing if privileges are missing', async () => {
    const owner = await createDatabaseOwner('guest', '');
    await expect(prepareDatabase(owner, SECRET)).rejects.toMatchObject({
      name: 'DatabaseSetupError',
      message: expect.stringMatching(/^The database user guest lacks a privilege that Callout needs: .+$/) as string,
    });
    const tables = await withOwnerClient(owner, (client) =>
      client.query(`select relname from pg_class where relnamespace = 'public'::regnamespace`),
    );
    expect(tables.rows.map(({ relname }: { relname: string }) => relname)).not.toContain('companies');
  });

  it('setup reports another Callout installation with a different secret and leaves its passwords unchanged', async () => {
    const databases = ['first_firm', 'second_firm'];
    await withOwnerClient(postgres.connection, async (client) => {
      for (const database of databases) await client.query(`create database ${database}`);
    });
    const [first, second] = databases.map((database) => ({ ...postgres.connection, database }));
    const { logins } = await prepareDatabase(first ?? {}, SECRET);
    const activePools = createPools(logins, 2, () => undefined);
    await activePools.app.query('select 1');
    await expect(prepareDatabase(second ?? {}, `${SECRET} of the second`)).rejects.toMatchObject({
      name: 'DatabaseSetupError',
      message: expect.stringMatching(
        /^Another Callout installation uses the database first_firm on this server with a different SESSION_SECRET\. .+$/,
      ) as string,
    });
    expect((await prepareDatabase(second ?? {}, SECRET)).warning).toBeNull();
    await activePools.end();
    expect(await queryCustomerCount(logins)).toEqual([{ count: 0 }]);
  });
});
