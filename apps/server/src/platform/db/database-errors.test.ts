import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, it } from 'vitest';
import { isDatabaseUnavailable } from './database-errors.ts';

const MISSING = join(tmpdir(), 'callout-no-such-folder', 'file');

const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

async function closedPort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function connectError(settings: pg.ClientConfig): Promise<unknown> {
  const client = new pg.Client(settings);
  client.on('error', () => undefined);
  return errorOf(client.connect());
}

it('recognizes an unreachable database by its missing socket or port', async () => {
  const port = await closedPort();
  const errors = [
    await connectError({ host: tmpdir(), port: 1 }),
    await connectError({ host: '127.0.0.1', port }),
    // A host name with several addresses fails with one error for all of them.
    await connectError({ host: 'localhost', port }),
  ];
  for (const error of errors) {
    expect(error).toMatchObject({ code: expect.stringMatching(/^(ENOENT|ECONNREFUSED)$/) });
    expect(isDatabaseUnavailable(error)).toBe(true);
    expect(isDatabaseUnavailable(new Error('Failed query', { cause: error }))).toBe(true);
  }
});

it('does not mistake a missing file for an unreachable database', async () => {
  for (const error of [await errorOf(readFile(MISSING)), await errorOf(open(MISSING)), await errorOf(open(MISSING, 'w'))]) {
    expect(error).toMatchObject({ code: 'ENOENT' });
    expect(isDatabaseUnavailable(error)).toBe(false);
  }
});
