import { createHash, createHmac, randomBytes } from 'node:crypto';
import { link, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { PASSWORD_FILE, TEMPORARY_NAME_PREFIX } from './data-folder.ts';
import { EmbeddedPostgresError } from './errors.ts';
import type { PostgresInstance } from './postmaster.ts';
import { buildDataDirArgument, runProgram } from './programs.ts';
import { buildServerArguments } from './server-settings.ts';
import { getDataOwner, type SystemAccount } from './system-account.ts';

export interface DatabaseLogin {
  readonly user: string;
  readonly password: string;
}

/** Database that holds the instance lock. The app's own database can't hold it, because it may be dropped and recreated. */
export const LOCK_DATABASE = 'postgres';
const LOCK_ROLE = 'lock_holder';

export function getSuperuserLogin({ superuser, password }: PostgresInstance): DatabaseLogin {
  return { user: superuser, password };
}

export function getLockHolderLogin({ password }: Pick<PostgresInstance, 'password'>): DatabaseLogin {
  return { user: LOCK_ROLE, password: createHmac('sha256', password).update(LOCK_ROLE).digest('base64url') };
}

export async function readPassword(dataDir: string): Promise<string | undefined> {
  const file = join(dataDir, PASSWORD_FILE);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new EmbeddedPostgresError(`The database password in ${file} can't be read (${error.code}).`);
  });
  if (text?.trim() === '') throw new EmbeddedPostgresError(`${file} is empty. Remove it and start again to set a new password.`);
  return text?.trim();
}

/** Stores the superuser's password outside the cluster, because every process of PostgreSQL's account can read the cluster. */
export async function ensurePassword(dataDir: string, account: SystemAccount): Promise<string> {
  const existing = await readPassword(dataDir);
  if (existing !== undefined) return existing;
  const [temporary, file] = [join(dataDir, `${TEMPORARY_NAME_PREFIX}${randomBytes(6).toString('hex')}`), join(dataDir, PASSWORD_FILE)];
  await writeNewFile(temporary, randomBytes(24).toString('base64url'), getDataOwner(account));
  // A hard link publishes only a complete file and never replaces the file that a concurrent start has published.
  const failure = await link(temporary, file).catch((error: NodeJS.ErrnoException) => error);
  await rm(temporary, { force: true });
  const password = await readPassword(dataDir);
  if (password === undefined) throw new EmbeddedPostgresError(`${file} can't be written (${failure?.code}).`, 'data-folder');
  return password;
}

/**
 * Makes the cluster require our password before each launch. This covers a new cluster, a cluster from a version without passwords, and one
 * restored beside another password file. If PostgreSQL can't run, returns its output, as a failed launch does.
 */
export async function secureStoppedCluster(instance: PostgresInstance): Promise<string[] | undefined> {
  if (await hasCurrentAccessRules(instance)) return undefined;
  const { binaries, account, clusterDir, endpoint, settings } = instance;
  const settingArgs = [...buildServerArguments(endpoint, settings), '-c', 'exit_on_error=on'];
  const args = ['--single', '-D', buildDataDirArgument(account, clusterDir), ...settingArgs, LOCK_DATABASE];
  const input = `${buildSetPasswordStatement(getSuperuserLogin(instance))}\n`;
  const { succeeded, output } = await runProgram(binaries.postgres, args, { clusterDir, account, input });
  if (!succeeded) return output.split('\n').filter((line) => line !== '');
  await writeAccessRules(instance);
  return undefined;
}

/** Makes a running database require our password, because a database launched by an earlier version accepts connections without one. */
export async function secureRunningServer(client: pg.Client, instance: PostgresInstance): Promise<void> {
  if (!(await hasCurrentAccessRules(instance))) {
    await client.query(buildSetPasswordStatement(getSuperuserLogin(instance)));
    await writeAccessRules(instance);
  }
  // Reload even if the rules are up to date: an earlier start may have been killed before the database read them.
  await client.query('select pg_reload_conf()');
}

/** Creates the role for the one session that stays open. The role can only hold the instance lock. */
export async function ensureLockRole(client: pg.Client, instance: PostgresInstance): Promise<void> {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [LOCK_ROLE]);
  if (rowCount === 0) await client.query(`create role ${LOCK_ROLE}`);
  await client.query(`alter role ${LOCK_ROLE} login nosuperuser nocreatedb nocreaterole noreplication nobypassrls`);
  await client.query(buildSetPasswordStatement(getLockHolderLogin(instance)));
  await client.query(`revoke all on database ${LOCK_DATABASE} from public`);
  await client.query(`grant connect on database ${LOCK_DATABASE} to ${LOCK_ROLE}`);
}

export function createWrongPasswordError({ clusterDir, dataDir }: PostgresInstance, pid: number | undefined): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The database in ${clusterDir} does not accept the password in ${join(dataDir, PASSWORD_FILE)}. ` +
      `Stop it with "kill -INT ${pid}", remove that file and start again to set a new password.`,
  );
}

function buildSetPasswordStatement({ user, password }: DatabaseLogin): string {
  return `alter role ${pg.escapeIdentifier(user)} password ${pg.escapeLiteral(password)}`;
}

/** Must run last: if this start is killed before, the rules are still outdated and the next start repeats the whole setup. */
async function writeAccessRules(instance: PostgresInstance): Promise<void> {
  const file = join(instance.clusterDir, ACCESS_RULES_FILE);
  const temporary = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    await writeNewFile(temporary, buildAccessRules(instance), instance.account);
    await rename(temporary, file);
  } catch (error) {
    throw new EmbeddedPostgresError(`${file} can't be written (${(error as NodeJS.ErrnoException).code}).`);
  }
}

const ACCESS_RULES_FILE = 'pg_hba.conf';

async function hasCurrentAccessRules(instance: PostgresInstance): Promise<boolean> {
  return (await readFile(join(instance.clusterDir, ACCESS_RULES_FILE), 'utf8').catch(() => '')) === buildAccessRules(instance);
}

/** Includes a hash of the password, so that the rules are rewritten if the password file changes. */
function buildAccessRules({ password }: PostgresInstance): string {
  const hash = createHash('sha256').update(password).digest('hex');
  const [type, address] = process.platform === 'win32' ? ['host', '127.0.0.1/32'] : ['local', ''];
  return `# Written by the program that runs this database, which undoes changes made here. Password ${hash}
${type} ${LOCK_DATABASE} ${LOCK_ROLE} ${address} scram-sha-256
${type} all ${LOCK_ROLE} ${address} reject
${type} all all ${address} scram-sha-256
host all all all reject
`;
}

async function writeNewFile(path: string, text: string, { uid, gid }: SystemAccount): Promise<void> {
  const handle = await open(path, 'wx', 0o600);
  try {
    if (uid !== undefined && gid !== undefined) await handle.chown(uid, gid);
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
