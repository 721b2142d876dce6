import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@callout/embedded-postgres/embedded-postgres';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { createRestoreTarget } from '../../../test/backup.ts';
import { DATABASE_SECRET, withOwnerClient } from '../../../test/database.ts';
import { createFirm } from '../../../test/factories/people.ts';
import { startTestApp } from '../../../test/test-app.ts';
import { deriveLogins } from './database-logins.ts';
import { prepareDatabase, requirePreparedDatabase } from './migrate.ts';
import { type AllPools, buildClientConfig, createPools, DATABASE_ROLES, type DatabaseConnection, type DatabaseLogins } from './pools.ts';

const SECRET = 'the secret of these tests, long enough';
const NEW_SECRET = 'the secret that replaces it, long enough';

describe('an application connection', () => {
  it.each(DATABASE_ROLES)('as %s gains no privileges by resetting or switching its role', async (role) => {
    const { logins } = await startTestApp();
    const client = new pg.Client(buildClientConfig(logins[role], { application_name: 'test' }));
    await client.connect();
    try {
      for (const statement of ['reset role', 'reset session authorization', 'set role none', 'reset all', 'discard all']) {
        await client.query(statement);
        const { rows } = await client.query(`select current_user::text, session_user::text, current_setting('is_superuser') as superuser`);
        const { user } = logins[role];
        // The login itself has no rights besides connecting and becoming its role.
        const current_user = expect.stringMatching(`^(${role}|${user})$`) as string;
        expect({ statement, ...rows[0] }).toEqual({ statement, current_user, session_user: user, superuser: 'off' });
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
    const { logins } = await prepareDatabase({ owner: database }, [DATABASE_SECRET]);
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
    const users = Object.values(test.logins).map(({ user }) => user ?? '');
    expect(rows.map(({ usename }) => usename).toSorted()).toEqual(users.toSorted());
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
    const { logins, warning } = await prepareDatabase({ owner }, [SECRET]);
    expect(warning).toBeNull();
    expect(logins).toEqual(deriveLogins({ owner }, SECRET));
    expect(await queryCustomerCount(logins)).toEqual([{ count: 0 }]);
    expect((await prepareDatabase({ owner }, [SECRET])).warning).toBeNull();
    // Setup with a different secret, as after losing the data folder, replaces the logins.
    expect(await queryCustomerCount((await prepareDatabase({ owner }, [NEW_SECRET])).logins)).toEqual([{ count: 0 }]);
    await expect(queryCustomerCount(logins)).rejects.toMatchObject({ code: '28P01' });
  });

  it('setup succeeds with a warning if the database user cannot create roles', async () => {
    const owner = await createDatabaseOwner('sharing', '');
    await withOwnerClient(postgres.connection, async (client) => {
      for (const role of DATABASE_ROLES) await client.query(`grant ${role} to sharing with admin option`);
    });
    const { logins, warning } = await prepareDatabase({ owner }, [SECRET]);
    expect(warning).toMatch(/^The database user sharing cannot create logins\. .+$/);
    expect(await queryCustomerCount(logins)).toEqual([{ count: 0 }]);
    await expect(requirePreparedDatabase({ owner, pooler: owner }, [SECRET])).rejects.toMatchObject({
      name: 'DatabaseSetupError',
      message: 'DATABASE_POOL_URL needs logins, which the database user sharing cannot create or PostgreSQL rejects.',
    });
  });

  it('setup fails with a one-sentence error and changes nothing if privileges are missing', async () => {
    const owner = await createDatabaseOwner('guest', '');
    await expect(prepareDatabase({ owner }, [SECRET])).rejects.toMatchObject({
      name: 'DatabaseSetupError',
      message: expect.stringMatching(/^The database user guest lacks a privilege that Callout needs: .+$/) as string,
    });
    const tables = await withOwnerClient(owner, (client) =>
      client.query(`select relname from pg_class where relnamespace = 'public'::regnamespace`),
    );
    expect(tables.rows.map(({ relname }: { relname: string }) => relname)).not.toContain('companies');
  });

  describe('with two Callouts in two databases', () => {
    let first: DatabaseConnection;
    let second: DatabaseConnection;

    beforeAll(async () => {
      await withOwnerClient(postgres.connection, async (client) => {
        for (const database of ['first_firm', 'second_firm']) await client.query(`create database ${database}`);
      });
      first = { ...postgres.connection, database: 'first_firm' };
      second = { ...postgres.connection, database: 'second_firm' };
    });

    /** Queries through new connections until stopped. Returns the errors. */
    function keepQuerying(pools: AllPools): { stop(): Promise<unknown[]> } {
      const errors: unknown[] = [];
      const stopping = new AbortController();
      const querying = (async () => {
        while (!stopping.signal.aborted) {
          const client = await pools.system.connect();
          await client.query('select from customers').catch((error: unknown) => errors.push(error));
          client.release(true);
        }
      })();
      return {
        async stop() {
          stopping.abort();
          await querying;
          return errors;
        },
      };
    }

    const listLogins = () =>
      withOwnerClient(postgres.connection, async (client) => {
        const { rows } = await client.query<{ rolname: string }>('select rolname from pg_roles where rolcanlogin');
        return rows.map(({ rolname }) => rolname);
      });

    it('neither can connect to the other, and one changes its secret while both are in use', { timeout: 60_000 }, async () => {
      const [{ logins: old }, { logins: other }] = [
        await prepareDatabase({ owner: first }, [SECRET]),
        await prepareDatabase({ owner: second }, [SECRET]),
      ];
      for (const role of DATABASE_ROLES) {
        const foreign = new pg.Client({ ...old[role], database: 'second_firm' });
        await expect(foreign.connect()).rejects.toMatchObject({ code: '42501' });
      }
      const [oldPools, otherPools] = [createPools(old, 2, () => undefined), createPools(other, 2, () => undefined)];
      const [oldServer, otherServer] = [keepQuerying(oldPools), keepQuerying(otherPools)];

      const rotated = await prepareDatabase({ owner: first }, [NEW_SECRET, SECRET]);
      expect(rotated).toMatchObject({ logins: deriveLogins({ owner: first }, NEW_SECRET), warning: null });
      expect(await queryCustomerCount(rotated.logins)).toEqual([{ count: 0 }]);
      const client = await oldPools.app.connect();
      expect(await prepareDatabase({ owner: first }, [NEW_SECRET])).toMatchObject({
        warning: expect.stringMatching(/^A Callout that is still running uses an earlier DATABASE_SECRET\. .+$/),
      });
      client.release();
      expect([await oldServer.stop(), await otherServer.stop()]).toEqual([[], []]);

      await oldPools.end();
      expect((await prepareDatabase({ owner: first }, [NEW_SECRET])).warning).toBeNull();
      const users = (logins: DatabaseLogins) => Object.values(logins).map(({ user }) => user ?? '');
      expect(await listLogins()).toEqual(expect.arrayContaining([...users(rotated.logins), ...users(other)]));
      expect(await listLogins()).not.toEqual(expect.arrayContaining([expect.stringMatching(users(old).join('|'))]));
      expect((await otherPools.app.query('select 1')).rowCount).toBe(1);
      await otherPools.end();
    });

    it('a start uses the newest secret that has logins, and names the command if none has', async () => {
      await prepareDatabase({ owner: first }, [SECRET]);
      expect(await requirePreparedDatabase({ owner: first }, [NEW_SECRET, SECRET])).toEqual({
        logins: deriveLogins({ owner: first }, SECRET),
        warning: null,
      });
      await expect(requirePreparedDatabase({ owner: first }, [NEW_SECRET])).rejects.toMatchObject({
        name: 'DatabaseSetupError',
        message: 'The database has no logins for this DATABASE_SECRET. Run "npm run migrate" with the same settings, then start again.',
      });
    });

    it('a login that changed its own settings and password gets them back', async () => {
      const { logins } = await prepareDatabase({ owner: first }, [SECRET]);
      const { user } = logins.callout_app;
      await withOwnerClient({ ...logins.callout_app }, async (client) => {
        await client.query('set role none');
        await client.query(`alter role ${user} set statement_timeout = 0`);
        await client.query(`alter role ${user} password 'mine'`);
      });
      await prepareDatabase({ owner: first }, [SECRET]);
      const { rows } = await withOwnerClient({ ...logins.callout_app }, (client) => client.query('show statement_timeout'));
      expect(rows).toEqual([{ statement_timeout: '15s' }]);
    });

    it('the shared logins of earlier versions are closed once no server uses them', async () => {
      await withOwnerClient(first, (client) => client.query(`alter role callout_app login password 'shared'`));
      const isOpen = async () => (await listLogins()).includes('callout_app');
      await withOwnerClient({ ...first, user: 'callout_app', password: 'shared' }, async () => {
        await prepareDatabase({ owner: first }, [SECRET]);
        expect(await isOpen()).toBe(true);
      });
      await vi.waitUntil(async () => {
        await prepareDatabase({ owner: first }, [SECRET]);
        return !(await isOpen());
      });
    });
  });
});
