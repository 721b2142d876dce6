import { expect, it } from 'vitest';
import { createRecentNotices, RETENTION_MS } from './notices.ts';

const START = Date.parse('2026-11-15T08:00:00Z');
const notice = (topic: string) => ({ company: 'a', topics: [topic] });

function recentAt() {
  let ms = 0;
  const recent = createRecentNotices(() => new Date(START + ms));
  return { recent, at: (moment: number) => void (ms = moment) };
}

it('returns the notices of the requested time, oldest first', () => {
  const { recent, at } = recentAt();
  for (const moment of [0, 1000, 2000]) {
    at(moment);
    recent.add(notice(String(moment)));
  }
  at(3000);
  expect(recent.within(2000)).toEqual([notice('1000'), notice('2000')]);
  expect(recent.within(0)).toEqual([]);
});

it('forgets notices after a minute', () => {
  const { recent, at } = recentAt();
  recent.add(notice('old'));
  at(RETENTION_MS + 1);
  recent.add(notice('new'));
  expect(recent.within(RETENTION_MS * 2)).toEqual([notice('new')]);
});

it('keeps only the newest in a flood', () => {
  const { recent } = recentAt();
  for (let number = 0; number < 10_050; number += 1) recent.add(notice(String(number)));
  const kept = recent.within(RETENTION_MS);
  expect(kept).toHaveLength(10_000);
  expect(kept.at(-1)).toEqual(notice('10049'));
});
