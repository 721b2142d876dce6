import { createHash, createHmac, randomBytes } from 'node:crypto';
import { link, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { type Account, ownerOf } from './account.ts';
import { PASSWORD_FILE, TEMPORARY_PREFIX } from './data-folder.ts';
import { EmbeddedPostgresError } from './errors.ts';
import type { Instance } from './postmaster.ts';
import { dataDirArgument, runProgram } from './programs.ts';
import { serverArguments } from './server-settings.ts';

export interface Login {
  readonly user: string;
  readonly password: string;
}

/** The database of the lock; that of the product may be dropped and made again. */
export const LOCK_DATABASE = 'postgres';
const LOCK_ROLE = 'lock_holder';

export function superuserLogin({ superuser, password }: Instance): Login {
  return { user: superuser, password };
}

export function lockLogin({ password }: Pick<Instance, 'password'>): Login {
  return { user: LOCK_ROLE, password: createHmac('sha256', password).update(LOCK_ROLE).digest('base64url') };
}

export async function readPassword(dataDir: string): Promise<string | undefined> {
  const file = join(dataDir, PASSWORD_FILE);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new EmbeddedPostgresError(`The password of the database in ${file} can't be read (${error.code}).`);
  });
  if (text?.trim() === '') throw new EmbeddedPostgresError(`${file} is empty: remove it and start again, and a new password is set.`);
  return text?.trim();
}

/** The superuser's password: in a file beside the cluster, because every process of the database's account can read the cluster. */
export async function ensurePassword(dataDir: string, account: Account): Promise<string> {
  const existing = await readPassword(dataDir);
  if (existing !== undefined) return existing;
  const [temporary, file] = [join(dataDir, `${TEMPORARY_PREFIX}${randomBytes(6).toString('hex')}`), join(dataDir, PASSWORD_FILE)];
  await writeNewFile(temporary, randomBytes(24).toString('base64url'), ownerOf(account));
  // Under its name only when it is complete, and never over that of another start at the same moment.
  const failure = await link(temporary, file).catch((error: NodeJS.ErrnoException) => error);
  await rm(temporary, { force: true });
  const password = await readPassword(dataDir);
  if (password === undefined) throw new EmbeddedPostgresError(`${file} can't be written (${failure?.code}).`, 'data-folder');
  return password;
}

/**
 * Before every launch: makes the password the one that counts, whether the cluster is new, from a version without passwords, or was
 * restored beside another password file. Gives what PostgreSQL wrote when it does not run, as a failed launch does.
 */
export async function secureStoppedCluster(instance: Instance): Promise<string[] | undefined> {
  if (await isSecured(instance)) return undefined;
  const { binaries, account, clusterDir, endpoint, settings } = instance;
  const single = ['--single', '-D', dataDirArgument(account, clusterDir), ...serverArguments(endpoint, settings), '-c', 'exit_on_error=on'];
  const input = `${setPasswordStatement(superuserLogin(instance))}\n`;
  const { succeeded, output } = await runProgram(binaries.postgres, [...single, LOCK_DATABASE], { clusterDir, account, input });
  if (!succeeded) return output.split('\n').filter((line) => line !== '');
  await writeAccessRules(instance);
  return undefined;
}

/** For a database that this process has not launched: one of an earlier version lets everybody in. */
export async function secureRunningServer(client: pg.Client, instance: Instance): Promise<void> {
  if (!(await isSecured(instance))) {
    await client.query(setPasswordStatement(superuserLogin(instance)));
    await writeAccessRules(instance);
  }
  // Also when the rules are in place: an earlier start may have been killed before the database has read them.
  await client.query('select pg_reload_conf()');
}

/** For the one session that stays open: it can hold the instance lock, and nothing else. */
export async function ensureLockRole(client: pg.Client, instance: Instance): Promise<void> {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [LOCK_ROLE]);
  if (rowCount === 0) await client.query(`create role ${LOCK_ROLE}`);
  await client.query(`alter role ${LOCK_ROLE} login nosuperuser nocreatedb nocreaterole noreplication nobypassrls`);
  await client.query(setPasswordStatement(lockLogin(instance)));
  await client.query(`revoke all on database ${LOCK_DATABASE} from public`);
  await client.query(`grant connect on database ${LOCK_DATABASE} to ${LOCK_ROLE}`);
}

export function passwordRefusedError({ clusterDir, dataDir }: Instance, pid: number | undefined): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The database in ${clusterDir} does not accept the password in ${join(dataDir, PASSWORD_FILE)}. ` +
      `End it with "kill -INT ${pid}", remove that file and start again: a new password is set.`,
  );
}

function setPasswordStatement({ user, password }: Login): string {
  return `alter role ${pg.escapeIdentifier(user)} password ${pg.escapeLiteral(password)}`;
}

/** Written last, so that the next start completes one that was killed. */
async function writeAccessRules(instance: Instance): Promise<void> {
  const file = join(instance.clusterDir, RULES_FILE);
  const temporary = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    await writeNewFile(temporary, accessRules(instance), instance.account);
    await rename(temporary, file);
  } catch (error) {
    throw new EmbeddedPostgresError(`${file} can't be written (${(error as NodeJS.ErrnoException).code}).`);
  }
}

const RULES_FILE = 'pg_hba.conf';

async function isSecured(instance: Instance): Promise<boolean> {
  return (await readFile(join(instance.clusterDir, RULES_FILE), 'utf8').catch(() => '')) === accessRules(instance);
}

/** The hash ties the rules to the password: beside another password file they count as not yet written. */
function accessRules({ password }: Instance): string {
  const hash = createHash('sha256').update(password).digest('hex');
  const [type, address] = process.platform === 'win32' ? ['host', '127.0.0.1/32'] : ['local', ''];
  return `# Written by the program that runs this database, which undoes changes made here. Password ${hash}
${type} ${LOCK_DATABASE} ${LOCK_ROLE} ${address} scram-sha-256
${type} all ${LOCK_ROLE} ${address} reject
${type} all all ${address} scram-sha-256
host all all all reject
`;
}

async function writeNewFile(path: string, text: string, { uid, gid }: Account): Promise<void> {
  const handle = await open(path, 'wx', 0o600);
  try {
    if (uid !== undefined && gid !== undefined) await handle.chown(uid, gid);
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
