import { expect, test } from 'vitest';
import { simulateDay } from './simulate-day.ts';

/** For whole days, run: npm run field */
test('after a day of lost connections, killed tabs and a killed server, everything was done once or says why not', {
  timeout: 180_000,
}, async () => {
  const { violations, accepted, lost, doubled } = await simulateDay({ seed: 1, operations: 250 });
  expect(violations).toEqual([]);
  expect([lost, doubled]).toEqual([0, 0]);
  expect(accepted).toBeGreaterThan(50);
});
