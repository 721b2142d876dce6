import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '@callout/embedded-postgres/endpoint';
import { listPostgresProcesses } from '@callout/embedded-postgres/processes';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type CrashRounds, KILL_TARGETS, startCrashRounds } from './crash-rounds.ts';
import { runMailCrashRounds } from './mail-crash-rounds.ts';
import { startServerProcess, stopDuringStartup } from './server-process.ts';

const TEST_TIMEOUT_MS = 180_000;

let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'callout-crash-'));
});

afterAll(() => rm(dataDir, { recursive: true, force: true }));

describe('while customers are being created', () => {
  let rounds: CrashRounds;

  beforeAll(async () => {
    rounds = await startCrashRounds(dataDir);
    return () => rounds.stop();
  }, TEST_TIMEOUT_MS);

  /** For more rounds, run: node apps/server/test/crash/kill-during-writes.ts 20 */
  test.each(KILL_TARGETS)(
    'killing the %s loses no customer whose creation was acknowledged',
    { timeout: TEST_TIMEOUT_MS },
    async (killTarget) => {
      const { acknowledged, damage } = await rounds.killDuringWrites(killTarget);
      expect(damage).toEqual([]);
      expect(acknowledged).toBeGreaterThan(1);
    },
  );
});

test('stopping a server that fails to start leaves no database running and reports the failure', { timeout: TEST_TIMEOUT_MS }, async () => {
  const portHolder = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void portHolder.close());
  await once(portHolder, 'listening');
  const { port } = portHolder.address() as AddressInfo;
  expect(await stopDuringStartup(dataDir, port)).toEqual({ code: 1, errors: 'The port is already in use. Set PORT to another number.\n' });
  expect(listPostgresProcesses(join(dataDir, 'postgres'))).toEqual([]);
});

test('stopping a server twice in quick succession leaves no database running', { timeout: TEST_TIMEOUT_MS }, async () => {
  const server = await startServerProcess(dataDir, await findFreePort());
  await server.stopTwice();
  expect(listPostgresProcesses(join(dataDir, 'postgres'))).toEqual([]);
});

/** For more kills, run: node apps/server/test/crash/kill-during-mail.ts 20 */
test('killing the server while it sends email neither loses nor duplicates an email', { timeout: TEST_TIMEOUT_MS }, async () => {
  const report = await runMailCrashRounds(dataDir, 1, () => undefined);
  expect(report).toMatchObject({ kills: 1, mails: 12, lost: 0, duplicated: 0 });
});
