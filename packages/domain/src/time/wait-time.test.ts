import { expect, it } from 'vitest';
import { formatWaitTime } from './wait-time.ts';

it.each([
  [undefined, 'a moment'],
  [0, 'a moment'],
  [0.5, '1 second'],
  [41.2, '42 seconds'],
  [60, '1 minute'],
  [61, '2 minutes'],
  [3600, '60 minutes'],
  [3601, '2 hours'],
  [86_400, '24 hours'],
])('formats %s seconds as %s', (seconds, text) => {
  expect(formatWaitTime(seconds)).toBe(text);
});
