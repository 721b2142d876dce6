import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants, lstat, open } from 'node:fs/promises';
import { EmbeddedPostgresError } from './errors.ts';

/** The account that PostgreSQL runs as. Empty means the current account. Root needs another account: PostgreSQL refuses to run as root. */
export interface SystemAccount {
  readonly uid?: number;
  readonly gid?: number;
}

const DEFAULT_NOBODY_ID = 65534;

export async function resolveAccount(dataDir: string, clusterDir: string, appName: string): Promise<SystemAccount> {
  const currentUid = process.getuid?.();
  if (currentUid === undefined) return {};
  const owner = await lstat(clusterDir).catch(() => undefined);
  if (currentUid !== 0) {
    if (owner && owner.uid !== currentUid) throw createWrongOwnerError(dataDir, owner.uid, appName);
    return {};
  }
  // Run as the ordinary user who owns the data, even if root starts the database.
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  return readNobodyAccount();
}

/** Returns true if the account can open a folder or run a program. Runs `test -x`, because ACLs and mount options also matter. */
export function canAccess(account: SystemAccount, path: string): boolean {
  if (account.uid === undefined) return true;
  return spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', path], { ...account, cwd: '/', stdio: 'ignore' }).status === 0;
}

/** Returns the account that owns the data. If root runs PostgreSQL as `nobody`, root owns the data, so the result is empty. */
export function getDataOwner(account: SystemAccount): SystemAccount {
  return account.uid === readNobodyAccount().uid ? {} : account;
}

/** Doesn't follow symlinks, because another account could plant one to make root change a file of its choice. */
export async function setModeAndOwner(path: string, mode: number, { uid, gid }: SystemAccount = {}): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    if (uid !== undefined && gid !== undefined) await handle.chown(uid, gid);
    await handle.chmod(mode);
  } finally {
    await handle.close();
  }
}

function readNobodyAccount(): Required<SystemAccount> {
  const entry = readPasswdEntries().find((fields) => fields[0] === 'nobody');
  const [uid, gid] = [Number(entry?.[2] ?? DEFAULT_NOBODY_ID), Number(entry?.[3] ?? DEFAULT_NOBODY_ID)];
  // macOS lists the id of `nobody` as -2, so convert it to an unsigned number.
  return { uid: uid >>> 0, gid: gid >>> 0 };
}

function readPasswdEntries(): string[][] {
  try {
    return readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':'));
  } catch {
    return [];
  }
}

function createWrongOwnerError(dataDir: string, uid: number, appName: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The database in ${dataDir} belongs to another account (uid ${uid}), most likely because ${appName} was once started as root. ` +
      `Start it as that account again, or take over the folder: sudo chown -R $(id -u) "${dataDir}"`,
  );
}
