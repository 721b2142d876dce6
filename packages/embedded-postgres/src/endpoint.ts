import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { lstat, mkdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Account, canReach, setAccess } from './account.ts';
import { EmbeddedPostgresError } from './errors.ts';

/** Where a database listens. */
export interface Endpoint {
  /** Folder of the socket; on Windows, where node can't speak through a socket file, the loopback address. */
  readonly host: string;
  readonly port: number;
}

export const LOOPBACK = '127.0.0.1';
const PORT = 5432;
/** The path of a unix socket is at most 107 bytes on Linux and 103 on macOS. */
const MAX_SOCKET_PATH_BYTES = 103;

export async function chooseEndpoint(dataDir: string, account: Account, appName: string): Promise<Endpoint> {
  if (process.platform === 'win32') return { host: LOOPBACK, port: await findFreePort() };
  return { host: chooseSocketFolder(dataDir, account, appName), port: PORT };
}

/** Beside the data, or a folder for temporary files when the path is too long or the account may not enter it. */
function chooseSocketFolder(dataDir: string, account: Account, appName: string): string {
  const beside = join(dataDir, 'run');
  const fits = Buffer.byteLength(join(beside, `.s.PGSQL.${PORT}.lock`)) <= MAX_SOCKET_PATH_BYTES;
  if (fits && canReach(account, dataDir)) return beside;
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  return join(tmpdir(), `${toFileName(appName)}-${hash}`);
}

/** Only the account of the database may enter the folder of its socket. */
export async function ensureSocketFolder(folder: string, account: Account): Promise<void> {
  if (process.platform === 'win32') return;
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const found = await lstat(folder);
  if (!found.isDirectory() || ![process.getuid?.(), account.uid].includes(found.uid)) {
    throw new EmbeddedPostgresError(`${folder} is needed for the database's socket but belongs to someone else: remove it.`);
  }
  await setAccess(folder, 0o700, account);
}

export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, LOOPBACK);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : PORT;
}

/** A name for folders outside the data folder. */
export function toFileName(appName: string): string {
  return appName.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}
