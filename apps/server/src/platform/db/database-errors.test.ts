import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, it } from 'vitest';
import { isDatabaseUnavailable } from './database-errors.ts';

const MISSING = join(tmpdir(), 'callout-no-such-folder', 'file');

const catchError = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

async function findClosedPort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function catchConnectError(settings: pg.ClientConfig): Promise<unknown> {
  const client = new pg.Client(settings);
  client.on('error', () => undefined);
  return catchError(client.connect());
}

it('recognizes that a missing socket or closed port means an unreachable database', async () => {
  const port = await findClosedPort();
  const errors = [
    await catchConnectError({ host: tmpdir(), port: 1 }),
    await catchConnectError({ host: '127.0.0.1', port }),
    // If a host name has several IP addresses, connecting fails with a single AggregateError.
    await catchConnectError({ host: 'localhost', port }),
  ];
  for (const error of errors) {
    expect(error).toMatchObject({ code: expect.stringMatching(/^(ENOENT|ECONNREFUSED)$/) });
    expect(isDatabaseUnavailable(error)).toBe(true);
    expect(isDatabaseUnavailable(new Error('Failed query', { cause: error }))).toBe(true);
  }
});

it('recognizes a database whose machine, network or name is gone', async () => {
  // A label of a host name has at most 63 characters, so no name server is asked.
  const unknownHost = await catchConnectError({ host: `${'a'.repeat(64)}.invalid`, port: 5432 });
  expect(unknownHost).toMatchObject({ code: expect.stringMatching(/^(ENOTFOUND|EAI_AGAIN)$/) });
  const unreachable = ['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'].map((code) => Object.assign(new Error(`connect ${code}`), { code }));
  for (const error of [unknownHost, ...unreachable]) expect(isDatabaseUnavailable(error)).toBe(true);
});

it('does not mistake a missing file for an unreachable database', async () => {
  for (const error of [await catchError(readFile(MISSING)), await catchError(open(MISSING)), await catchError(open(MISSING, 'w'))]) {
    expect(error).toMatchObject({ code: 'ENOENT' });
    expect(isDatabaseUnavailable(error)).toBe(false);
  }
});
