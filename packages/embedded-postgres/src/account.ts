import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chown, lstat } from 'node:fs/promises';
import { EmbeddedPostgresError } from './embedded-error.ts';

/** Who PostgreSQL runs as. Empty for an ordinary user; PostgreSQL refuses to run as root, so root hands it to another account. */
export interface Account {
  readonly uid?: number;
  readonly gid?: number;
}

const NOBODY = 65534;

export async function accountFor(clusterDir: string): Promise<Account> {
  const myself = process.getuid?.();
  if (myself === undefined) return {};
  const owner = await lstat(clusterDir).catch(() => undefined);
  if (myself !== 0) {
    if (owner && owner.uid !== myself) throw belongsToAnother(clusterDir, owner.uid);
    return {};
  }
  // Data of an ordinary user stays theirs when root starts it once.
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  return nobody();
}

/** Whether the account may enter a folder or run a program. The system is asked, because access lists and mount options count too. */
export function canReach(account: Account, path: string): boolean {
  if (account.uid === undefined) return true;
  return spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', path], { ...account, cwd: '/', stdio: 'ignore' }).status === 0;
}

export async function giveTo(account: Account, path: string): Promise<void> {
  if (account.uid !== undefined && account.gid !== undefined) await chown(path, account.uid, account.gid);
}

function nobody(): Account {
  const entry = readPasswd().find((fields) => fields[0] === 'nobody');
  const [uid, gid] = [Number(entry?.[2] ?? NOBODY), Number(entry?.[3] ?? NOBODY)];
  // macOS writes its nobody as -2.
  return { uid: uid >>> 0, gid: gid >>> 0 };
}

function readPasswd(): string[][] {
  try {
    return readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':'));
  } catch {
    return [];
  }
}

function belongsToAnother(clusterDir: string, uid: number): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The database in ${clusterDir} belongs to another account (uid ${uid}), most likely because Callout was started as root before. ` +
      `Start it as that account again, or hand the folder over once: sudo chown -R $(id -u) "${clusterDir}"`,
  );
}
