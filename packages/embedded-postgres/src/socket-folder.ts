import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmod, lstat, mkdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Account, canReach, giveTo } from './account.ts';
import { EmbeddedPostgresError } from './embedded-error.ts';

export interface Address {
  /** Folder of the socket; on Windows the loopback address. */
  readonly host: string;
  readonly port: number;
}

export const PORT = 5432;
/** The address of a unix socket is at most 107 bytes on Linux and 103 on macOS. */
const LONGEST_ADDRESS = 103;

/** Beside the data, or a folder for temporary files when the path is too long or the account may not enter it. */
export function socketFolder(dataDir: string, account: Account): string {
  const beside = join(dataDir, 'run');
  const fits = Buffer.byteLength(join(beside, `.s.PGSQL.${PORT}.lock`)) <= LONGEST_ADDRESS;
  if (fits && canReach(account, dataDir)) return beside;
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  return join(tmpdir(), `callout-${hash}`);
}

/** Only the database's own account may enter the folder of its socket, which is the whole access check. */
export async function ensureSocketFolder(folder: string, account: Account): Promise<void> {
  if (process.platform === 'win32') return;
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const found = await lstat(folder);
  if (!found.isDirectory() || ![process.getuid?.(), account.uid].includes(found.uid)) {
    throw new EmbeddedPostgresError(`${folder} is needed for the database's socket but belongs to someone else: remove it.`);
  }
  await giveTo(account, folder);
  await chmod(folder, 0o700);
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : PORT;
}
