import { spawnSync } from 'node:child_process';
import { chmod, lstat, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { getLockHolderLogin } from './authentication.ts';
import { tryToConnect } from './connection-attempt.fixture.ts';
import { createDataFolder, runQuery, type TestDataFolder } from './data-folder.fixture.ts';
import type { EmbeddedPostgres } from './embedded-postgres.ts';
import { canAccess } from './system-account.ts';

const isRoot = process.getuid?.() === 0;

async function readMode(folder: TestDataFolder, name: string): Promise<string> {
  return ((await lstat(join(folder.path, name))).mode & 0o777).toString(8);
}

describe('a running database', () => {
  let folder: TestDataFolder;
  let postgres: EmbeddedPostgres;
  const log: string[] = [];

  beforeAll(async () => {
    folder = await createDataFolder();
    postgres = await folder.start({ log });
    return () => folder.remove();
  });

  test('rejects a connection with a wrong password or without a password', async () => {
    const { connection } = postgres;
    const { password: _password, ...withoutPassword } = connection;
    for (const user of [connection.user, 'lock_holder', 'postgres']) {
      for (const password of [undefined, '', 'guess']) {
        expect([user, password, await tryToConnect({ ...withoutPassword, user, password })]).toEqual([user, password, 'refused']);
      }
    }
    expect(await tryToConnect(connection)).toBe('connected');
  });

  test.runIf(isRoot && canAccess({ uid: 1, gid: 1 }, import.meta.dirname))(
    'hides the password from the account that PostgreSQL runs as, so that account cannot connect',
    async () => {
      const { connection } = postgres;
      const { uid, gid } = await lstat(folder.clusterDir);
      expect(uid).not.toBe(0);
      const run = (script: string, ...args: string[]) =>
        spawnSync(process.execPath, ['--input-type=module', '-e', script, ...args], { uid, gid, cwd: '/', encoding: 'utf8' });
      const attempt = `import { tryToConnect } from '${import.meta.dirname}/connection-attempt.fixture.ts';
        process.stdout.write(await tryToConnect(JSON.parse(process.argv[1])));`;

      const { password: _password, ...withoutPassword } = connection;
      expect(run(attempt, JSON.stringify(withoutPassword)).stdout).toBe('refused');
      // With the password, the same account can connect, so only the missing password kept it out.
      expect(run(attempt, JSON.stringify(connection)).stdout).toBe('connected');

      const file = join(folder.path, 'postgres.password');
      expect(run(`import { readFileSync } from 'node:fs'; readFileSync(process.argv[1]);`, file).stderr).toContain('EACCES');
      expect((await lstat(file)).uid).toBe(0);
    },
  );

  test('makes its files readable only to our account, and the socket folder accessible only to the database', async () => {
    expect(await readMode(folder, 'postgres.password')).toBe('600');
    expect(await readMode(folder, 'postgres.log')).toBe('600');
    expect(await readMode(folder, 'run')).toBe('700');
    expect(await readMode(folder, 'postgres')).toBe('700');
    // If root starts the database, PostgreSQL runs as another account, which must be able to open the folder.
    expect(await readMode(folder, '.')).toBe(isRoot ? '711' : '700');
  });

  test("does not let the lock role connect to the app's database, even with the right password", async () => {
    const { connection } = postgres;
    const login = { ...connection, ...getLockHolderLogin(connection) };
    expect(await tryToConnect({ ...login, database: 'postgres' })).toBe('connected');
    expect(await tryToConnect(login)).toBe('refused');
  });

  test('never writes the password to a log or to the cluster', async () => {
    const { connection } = postgres;
    const files = [join(folder.path, 'postgres.log'), join(folder.clusterDir, 'pg_hba.conf')];
    const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
    expect(connection.password).toMatch(/^[\w-]{32,}$/);
    expect([...log, ...texts].join('\n')).not.toContain(connection.password);
  });
});

describe('starting the database', () => {
  let folder: TestDataFolder;

  beforeEach(async () => {
    folder = await createDataFolder();
    return () => folder.remove();
  });

  test('restricts files that an earlier start left readable to other accounts', async () => {
    await (await folder.start()).stop();
    await writeFile(join(folder.path, 'postgres.log.1'), '');
    for (const name of ['.', 'run', 'postgres']) await chmod(join(folder.path, name), 0o755);
    for (const name of ['postgres.password', 'postgres.log', 'postgres.log.1']) await chmod(join(folder.path, name), 0o644);

    await folder.start();

    expect(await readMode(folder, '.')).toBe(isRoot ? '711' : '700');
    for (const name of ['run', 'postgres']) expect([name, await readMode(folder, name)]).toEqual([name, '700']);
    for (const name of ['postgres.password', 'postgres.log', 'postgres.log.1'])
      expect([name, await readMode(folder, name)]).toEqual([name, '600']);
  });

  test('keeps the mode of a shared folder such as /tmp', async () => {
    await mkdir(join(folder.path, 'shared'));
    await chmod(join(folder.path, 'shared'), 0o1777);
    await folder.start({ subfolder: 'shared' });
    expect(await readMode(folder, 'shared')).toBe('777');
  });

  test('leaves only the lock session open, which has no privileges', async () => {
    const log: string[] = [];
    const { connection } = await folder.start({ settings: {}, log });
    const sessions = `select usename, datname from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`;
    expect(await runQuery(connection, sessions)).toEqual([{ usename: 'lock_holder', datname: 'postgres' }]);
    expect(
      await runQuery(
        connection,
        `select rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls,
           has_database_privilege(rolname, 'postgres', 'create, temporary') as writes,
           (select count(*)::int from pg_auth_members where member = pg_roles.oid) as memberships
         from pg_roles where rolname = 'lock_holder'`,
      ),
    ).toEqual([
      {
        rolsuper: false,
        rolcreatedb: false,
        rolcreaterole: false,
        rolreplication: false,
        rolbypassrls: false,
        writes: false,
        memberships: 0,
      },
    ]);

    process.kill(await folder.readPostmasterPid(), 'SIGKILL');
    await vi.waitUntil(() => log.includes('The database is running again.'), { timeout: 20_000 });
    expect(await runQuery(connection, sessions)).toEqual([{ usename: 'lock_holder', datname: 'postgres' }]);
  });
});
