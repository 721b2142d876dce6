import { expect, test } from 'vitest';
import { runCrashRounds, VICTIMS } from './crash-rounds.ts';
import { runMailRounds } from './mail-rounds.ts';

/** By hand with more rounds: node apps/server/test/crash/kill-during-writes.ts 20 */
const ROUNDS = 1;
const TIMEOUT_MS = 180_000;

test.each(VICTIMS)('every acknowledged customer is there after a kill of the %s during writes', { timeout: TIMEOUT_MS }, async (victim) => {
  const { acknowledged, damage } = await runCrashRounds(victim, ROUNDS, () => undefined);
  expect(damage).toEqual([]);
  expect(acknowledged).toBeGreaterThan(ROUNDS);
});

/** By hand with more kills: node apps/server/test/crash/kill-during-mail.ts 20 */
test('every mail arrives, and is shown once, after a kill of the server while it sends', { timeout: TIMEOUT_MS }, async () => {
  const report = await runMailRounds(2, () => undefined);
  expect(report).toMatchObject({ kills: 2, mails: 24, lost: 0, shownTwice: 0 });
});
