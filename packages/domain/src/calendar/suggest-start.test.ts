import { expect, test } from 'vitest';
import { suggestStart } from './suggest-start.ts';

const ZONE = 'Pacific/Auckland';
/** Returns an instant on November 18, 2026 in Auckland (UTC+13). */
const at = (time: string) => new Date(`2026-11-18T${time}:00+13:00`).toISOString();

test.each([
  ['on a later day', '2026-11-20', '10:31', '2026-11-20 08:00'],
  ['today before work starts', '2026-11-18', '06:10', '2026-11-18 08:00'],
  ['today during work', '2026-11-18', '10:31', '2026-11-18 10:45'],
  ['today on a quarter hour', '2026-11-18', '10:45', '2026-11-18 11:00'],
  ['at the end of the workday', '2026-11-18', '16:44', '2026-11-18 16:45'],
  ['after work', '2026-11-18', '16:45', '2026-11-19 08:00'],
  ['just before midnight', '2026-11-18', '23:59', '2026-11-19 08:00'],
  ['on a day in the past', '2026-11-02', '10:31', '2026-11-18 10:45'],
])('suggests no time in the past for a job wanted %s', (_case, date, now, expected) => {
  const start = suggestStart(date, at(now), ZONE);
  expect(`${start.date} ${start.time}`).toBe(expected);
});

test("uses the displayed zone's clock", () => {
  expect(suggestStart('2026-11-18', at('10:31'), 'UTC')).toEqual({ date: '2026-11-18', time: '08:00' });
  expect(suggestStart('2026-11-17', at('10:31'), 'UTC')).toEqual({ date: '2026-11-18', time: '08:00' });
});
