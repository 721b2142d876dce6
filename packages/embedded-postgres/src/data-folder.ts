import { access, chmod, constants, mkdir, open, readdir, realpath, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedPostgresError } from './errors.ts';
import { type SystemAccount, setModeAndOwner } from './system-account.ts';

export const PASSWORD_FILE = 'postgres.password';
export const LOG_FILE = 'postgres.log';
/** Name prefix of files and folders that are still incomplete. */
export const TEMPORARY_NAME_PREFIX = 'postgres.new-';

const STICKY_BIT = 0o1000;

export async function prepareDataFolder(path: string): Promise<string> {
  try {
    await mkdir(path, { recursive: true });
    await access(path, constants.W_OK);
    return await realpath(path);
  } catch (error) {
    throw new EmbeddedPostgresError(
      `The data folder ${path} can't be written to (${(error as NodeJS.ErrnoException).code}).`,
      'data-folder',
    );
  }
}

/** Restricts the folder and our files to our account, because an earlier start or a restored backup may have left them accessible. */
export async function restrictDataFolder(dataDir: string, account: SystemAccount): Promise<void> {
  if (process.platform === 'win32') return;
  const { uid, mode } = await stat(dataDir);
  const currentUid = process.getuid?.();
  // Don't change the mode of a shared folder such as /tmp, or of a folder that another account owns.
  if ((mode & STICKY_BIT) === 0 && (currentUid === 0 || currentUid === uid)) {
    const isUsedByOtherAccount = account.uid !== undefined && account.uid !== uid;
    await chmod(dataDir, isUsedByOtherAccount ? 0o711 : 0o700);
  }
  for (const name of [PASSWORD_FILE, LOG_FILE, `${LOG_FILE}.1`]) {
    await setModeAndOwner(join(dataDir, name), 0o600).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
  }
}

/** Call only while holding the instance lock. Then every incomplete file was left by a start that was killed or lost the race. */
export async function removeTemporaryFiles(dataDir: string): Promise<void> {
  const names = (await readdir(dataDir)).filter((name) => name.startsWith(TEMPORARY_NAME_PREFIX));
  // Retry, because a start that lost the race may still be running initdb, which adds files to the folder that is being removed.
  const retries = { maxRetries: 20, retryDelay: 50 };
  await Promise.all(names.map((name) => rm(join(dataDir, name), { recursive: true, force: true, ...retries })));
}

/** Syncs a folder to disk, because a new or renamed file survives a power failure only if its folder is also synced. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
