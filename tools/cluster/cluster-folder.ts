import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LOOPBACK_ADDRESS } from '@callout/embedded-postgres/endpoint';
import { resolveAccount, type SystemAccount, setModeAndOwner } from '@callout/embedded-postgres/system-account';

const EXAMPLES_DIR = join(import.meta.dirname, '../../ops/cluster');
/** Below the ports that Linux gives to outgoing connections: otherwise, one of those could take the port of a killed node. */
const [FIRST_PORT, LAST_PORT] = [15_000, 30_000];

/** The temporary folder of a cluster, with everything in it: data, settings and logs. */
export interface ClusterFolder {
  readonly path: string;
  /** The account that the servers run as. PostgreSQL and PgBouncer refuse to run as root. */
  readonly account: SystemAccount;
  /** Creates a folder that the servers' account owns. */
  createFolder(name: string): Promise<string>;
  /** Fills in an example file from `ops/cluster` and returns the path of the result. */
  fillIn(example: string, values: Readonly<Record<string, string | number>>, name?: string): Promise<string>;
  /** Writes a file that the servers' account can read. */
  write(name: string, text: string): Promise<string>;
  remove(): void;
}

export async function createClusterFolder(): Promise<ClusterFolder> {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'callout-cluster-')));
  const account = await resolveAccount(path, path, 'Callout');
  await setModeAndOwner(path, 0o755);
  const write = async (name: string, text: string) => {
    const file = join(path, name);
    writeFileSync(file, text);
    await setModeAndOwner(file, 0o600, account);
    return file;
  };
  return {
    path,
    account,
    write,
    async createFolder(name) {
      const folder = join(path, name);
      mkdirSync(folder, { recursive: true });
      await setModeAndOwner(folder, 0o700, account);
      return folder;
    },
    fillIn: (example, values, name = example) => write(name, fillInExample(example, values)),
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** Replaces `${NAME}` as `envsubst` does. Throws if a name has no value. */
function fillInExample(example: string, values: Readonly<Record<string, string | number>>): string {
  return readFileSync(join(EXAMPLES_DIR, example), 'utf8')
    .split('\n')
    .map((line) =>
      /^\s*(#|;|--)/.test(line)
        ? line
        : line.replaceAll(/\$\{([A-Z0-9_]+)\}/g, (_, name: string) => {
            const value = values[name];
            if (value === undefined) throw new Error(`ops/cluster/${example} needs a value for ${name}`);
            return String(value);
          }),
    )
    .join('\n');
}

export const createPassword = () => randomBytes(24).toString('base64url');

/** Finds free ports of the loopback address, next to each other. */
export async function findFreePorts(count: number): Promise<number[]> {
  for (;;) {
    const first = FIRST_PORT + Math.floor(Math.random() * (LAST_PORT - FIRST_PORT - count));
    const ports = Array.from({ length: count }, (_, index) => first + index);
    if ((await Promise.all(ports.map(isFree))).every(Boolean)) return ports;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, LOOPBACK_ADDRESS);
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
