import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanUpAfterTests } from './clean-up.ts';

export const S3_BUCKET = 'callout-files';

export interface S3Server {
  readonly endpoint: string;
  /** Settings of a Callout that stores its files in this server's bucket. */
  readonly environment: Readonly<Record<string, string>>;
  /** The folder in which the server keeps the bucket. */
  readonly bucketFolder: string;
  /** Kills the server, also in the middle of a request. */
  kill(): Promise<void>;
  /** Starts it again on the same port, with the same files. */
  restart(): Promise<void>;
}

/** Starts an S3 server in a process of its own, so that it can be killed. It is stopped after the file's tests. */
export async function startS3Server(): Promise<S3Server> {
  const folder = await mkdtemp(join(tmpdir(), 'callout-s3-'));
  let running = await startProcess(folder, 0);
  const { port } = running;
  const kill = async () => {
    if (running.child.exitCode !== null || running.child.signalCode !== null) return;
    const exited = once(running.child, 'exit');
    running.child.kill('SIGKILL');
    await exited;
  };
  cleanUpAfterTests(async () => {
    await kill();
    await rm(folder, { recursive: true, force: true });
  });
  const endpoint = `http://127.0.0.1:${port}`;
  return {
    endpoint,
    environment: {
      FILES_URL: `s3://${S3_BUCKET}`,
      S3_ENDPOINT: endpoint,
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
    },
    bucketFolder: join(folder, S3_BUCKET),
    kill,
    restart: async () => void (running = await startProcess(folder, port)),
  };
}

async function startProcess(folder: string, port: number) {
  const child = fork(join(import.meta.dirname, 's3-server-process.ts'), [folder, S3_BUCKET, String(port)], {
    // The server encrypts the position of a page of keys with DES.
    execArgv: ['--openssl-legacy-provider'],
  });
  const [actualPort] = (await once(child, 'message')) as [number];
  return { child, port: actualPort };
}
