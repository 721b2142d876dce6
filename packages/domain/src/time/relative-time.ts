import { milliseconds } from './wall-time.ts';

const UNITS: readonly (readonly [name: string, ms: number])[] = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** '5 minutes ago': whole units, cut off. A moment that is still to come, by a clock that runs ahead, counts as now. */
export function relativeTime(instant: string, now: string): string {
  const passed = milliseconds(now) - milliseconds(instant);
  const [name, ms] = UNITS.find(([, length]) => passed >= length) ?? [];
  if (name === undefined || ms === undefined) return 'less than a minute ago';
  const count = Math.floor(passed / ms);
  return `${count} ${name}${count === 1 ? '' : 's'} ago`;
}
