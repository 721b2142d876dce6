import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CrashRounds, startCrashRounds, VICTIMS } from './crash-rounds.ts';
import { runMailRounds } from './mail-rounds.ts';

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

/** By hand with more kills: node apps/server/test/crash/kill-during-mail.ts 20 */
test('every mail arrives and is shown once when the server is killed while sending', { timeout: TIMEOUT_MS }, async () => {
  const report = await runMailRounds(dataDir, 1, () => undefined);
  expect(report).toMatchObject({ kills: 1, mails: 12, lost: 0, shownTwice: 0 });
});
