import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { LOOPBACK_ADDRESS } from '@callout/embedded-postgres/endpoint';
import { PROJECT_ROOT } from './callout-servers.ts';
import { type ClusterFolder, findFreePorts } from './cluster-folder.ts';
import { startProcess, waitFor } from './cluster-process.ts';

const BUCKET = 'callout';

export interface FileServer {
  /** The address of the bucket, for FILES_URL. */
  readonly url: string;
  /** The other settings with which a Callout reaches the server. */
  readonly settings: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Starts the S3 server of the tests, in a process of its own. */
export async function startFileServer(folder: ClusterFolder): Promise<FileServer> {
  const [port = 0] = await findFreePorts(1);
  const endpoint = `http://${LOOPBACK_ADDRESS}:${port}`;
  const dir = join(folder.path, 's3');
  mkdirSync(dir);
  const server = startProcess(folder, 's3', {
    // The server encrypts the position of a page of keys with DES.
    command: [process.execPath, '--openssl-legacy-provider', 'apps/server/test/s3-server-process.ts', dir, BUCKET, String(port)],
    cwd: PROJECT_ROOT,
    isOwn: true,
  });
  await waitFor('the S3 server answers', async () => (await fetch(endpoint)).status > 0, { needs: [server] });
  return {
    url: `s3://${BUCKET}`,
    settings: { S3_ENDPOINT: endpoint, AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' },
    stop: () => server.stop(),
  };
}
