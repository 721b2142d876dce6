import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { lstat, mkdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgresError } from './errors.ts';
import { canAccess, type SystemAccount, setModeAndOwner } from './system-account.ts';

export interface PostgresEndpoint {
  /** Folder of the Unix socket. On Windows, where Node can't use Unix sockets, the loopback address. */
  readonly host: string;
  readonly port: number;
}

export const LOOPBACK_ADDRESS = '127.0.0.1';
const DEFAULT_PORT = 5432;
/** Longest Unix socket path that works everywhere: the limit is 107 bytes on Linux and 103 on macOS. */
const MAX_SOCKET_PATH_BYTES = 103;

export async function chooseEndpoint(dataDir: string, account: SystemAccount, appName: string): Promise<PostgresEndpoint> {
  if (process.platform === 'win32') return { host: LOOPBACK_ADDRESS, port: await findFreePort() };
  return { host: chooseSocketFolder(dataDir, account, appName), port: DEFAULT_PORT };
}

/** Returns a folder beside the data or, if its path is too long or the account can't access it, one in the system's temporary folder. */
function chooseSocketFolder(dataDir: string, account: SystemAccount, appName: string): string {
  const preferredDir = join(dataDir, 'run');
  const fits = Buffer.byteLength(join(preferredDir, `.s.PGSQL.${DEFAULT_PORT}.lock`)) <= MAX_SOCKET_PATH_BYTES;
  if (fits && canAccess(account, dataDir)) return preferredDir;
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  return join(tmpdir(), `${toFolderName(appName)}-${hash}`);
}

/** Creates the socket folder, which only the database's account can access. */
export async function ensureSocketFolder(folder: string, account: SystemAccount): Promise<void> {
  if (process.platform === 'win32') return;
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const found = await lstat(folder);
  if (!found.isDirectory() || ![process.getuid?.(), account.uid].includes(found.uid)) {
    throw new EmbeddedPostgresError(
      `${folder} is needed for the database's socket but belongs to another account. Remove it and start again.`,
    );
  }
  await setModeAndOwner(folder, 0o700, account);
}

export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, LOOPBACK_ADDRESS);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : DEFAULT_PORT;
}

export function toFolderName(appName: string): string {
  return appName.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}
