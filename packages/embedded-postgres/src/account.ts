import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants, lstat, open } from 'node:fs/promises';
import { EmbeddedPostgresError } from './errors.ts';

/** Who PostgreSQL runs as. Empty for an ordinary user; PostgreSQL refuses to run as root, so root hands it to another account. */
export interface Account {
  readonly uid?: number;
  readonly gid?: number;
}

const NOBODY = 65534;

export async function resolveAccount(dataDir: string, clusterDir: string, appName: string): Promise<Account> {
  const myself = process.getuid?.();
  if (myself === undefined) return {};
  const owner = await lstat(clusterDir).catch(() => undefined);
  if (myself !== 0) {
    if (owner && owner.uid !== myself) throw otherOwnerError(dataDir, owner.uid, appName);
    return {};
  }
  // Data of an ordinary user stays theirs when root starts it once.
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  return findNobody();
}

/** Whether the account may enter a folder or run a program. Tested for real, because ACLs and mount options matter too. */
export function canReach(account: Account, path: string): boolean {
  if (account.uid === undefined) return true;
  return spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', path], { ...account, cwd: '/', stdio: 'ignore' }).status === 0;
}

/** The account whose data it is: root's own when root only borrows nobody to run the database. */
export function ownerOf(account: Account): Account {
  return account.uid === findNobody().uid ? {} : account;
}

/** Sets mode and owner without following a link: another account could put one there and lead root to a file of its choice. */
export async function setAccess(path: string, mode: number, { uid, gid }: Account = {}): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    if (uid !== undefined && gid !== undefined) await handle.chown(uid, gid);
    await handle.chmod(mode);
  } finally {
    await handle.close();
  }
}

function findNobody(): Required<Account> {
  const entry = readAccounts().find((fields) => fields[0] === 'nobody');
  const [uid, gid] = [Number(entry?.[2] ?? NOBODY), Number(entry?.[3] ?? NOBODY)];
  // macOS writes its nobody as -2.
  return { uid: uid >>> 0, gid: gid >>> 0 };
}

function readAccounts(): string[][] {
  try {
    return readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':'));
  } catch {
    return [];
  }
}

function otherOwnerError(dataDir: string, uid: number, appName: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The database in ${dataDir} belongs to another account (uid ${uid}), most likely because ${appName} was started as root before. ` +
      `Start it as that account again, or hand the folder over once: sudo chown -R $(id -u) "${dataDir}"`,
  );
}
