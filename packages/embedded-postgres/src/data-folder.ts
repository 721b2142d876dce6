import { access, chmod, constants, mkdir, open, readdir, realpath, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Account, setAccess } from './account.ts';
import { EmbeddedPostgresError } from './errors.ts';

export const PASSWORD_FILE = 'postgres.password';
export const LOG_FILE = 'postgres.log';
/** What is being made has this prefix until it is complete. */
export const TEMPORARY_PREFIX = 'postgres.new-';

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

/** Closes the folder and our files in it to other accounts; an earlier start or a restored backup may have left them open. */
export async function restrictDataFolder(dataDir: string, account: Account): Promise<void> {
  if (process.platform === 'win32') return;
  const { uid, mode } = await stat(dataDir);
  const myself = process.getuid?.();
  // A shared folder such as /tmp stays as it is, and so does one that somebody else has opened to us.
  if ((mode & STICKY_BIT) === 0 && (myself === 0 || myself === uid)) {
    const passesThrough = account.uid !== undefined && account.uid !== uid;
    await chmod(dataDir, passesThrough ? 0o711 : 0o700);
  }
  for (const name of [PASSWORD_FILE, LOG_FILE, `${LOG_FILE}.1`]) {
    await setAccess(join(dataDir, name), 0o600).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
  }
}

/** To be called while holding the instance lock: what is incomplete then belongs to a start that was killed or has lost. */
export async function removeTemporaryFiles(dataDir: string): Promise<void> {
  const names = (await readdir(dataDir)).filter((name) => name.startsWith(TEMPORARY_PREFIX));
  // The initdb of a start that has lost still writes for a moment, and a folder that gains a file can't be removed.
  const retries = { maxRetries: 20, retryDelay: 50 };
  await Promise.all(names.map((name) => rm(join(dataDir, name), { recursive: true, force: true, ...retries })));
}

/** A new or renamed file is safe from a power cut once its folder is written too. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
