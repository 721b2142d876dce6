import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listPostgresProcesses } from '@callout/embedded-postgres/processes';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type CrashRounds, startCrashRounds, VICTIMS } from './crash-rounds.ts';
import { runMailRounds } from './mail-rounds.ts';
import { stopDuringStart } from './product-process.ts';

const TIMEOUT_MS = 180_000;

let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'callout-crash-'));
});

afterAll(() => rm(dataDir, { recursive: true, force: true }));

describe('while customers are being added', () => {
  let rounds: CrashRounds;

  beforeAll(async () => {
    rounds = await startCrashRounds(dataDir);
    return () => rounds.stop();
  }, TIMEOUT_MS);

  /** By hand with more rounds: node apps/server/test/crash/kill-during-writes.ts 20 */
  test.each(VICTIMS)('a kill of the %s loses no acknowledged customer', { timeout: TIMEOUT_MS }, async (victim) => {
    const { acknowledged, damage } = await rounds.killDuringWrites(victim);
    expect(damage).toEqual([]);
    expect(acknowledged).toBeGreaterThan(1);
  });
});

test('a stop during a start that fails leaves no database running, and says why it failed', { timeout: TIMEOUT_MS }, async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void taken.close());
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  expect(await stopDuringStart(dataDir, port)).toEqual({ code: 1, errors: 'PORT is in use by another program: choose another one\n' });
  expect(listPostgresProcesses(join(dataDir, 'postgres'))).toEqual([]);
});

/** By hand with more kills: node apps/server/test/crash/kill-during-mail.ts 20 */
test('every mail arrives and is shown once when the server is killed while sending', { timeout: TIMEOUT_MS }, async () => {
  const report = await runMailRounds(dataDir, 1, () => undefined);
  expect(report).toMatchObject({ kills: 1, mails: 12, lost: 0, shownTwice: 0 });
});
