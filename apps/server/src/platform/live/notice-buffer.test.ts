import { expect, it } from 'vitest';
import { createNoticeBuffer, NOTICE_RETENTION_MS } from './notice-buffer.ts';

const START = Date.parse('2026-11-15T08:00:00Z');
const createNotice = (topic: string) => ({ company: 'a', topics: [topic] });

function createBufferWithClock() {
  let ms = 0;
  const buffer = createNoticeBuffer(() => new Date(START + ms));
  return { buffer, setTime: (newMs: number) => void (ms = newMs) };
}

it('returns the notices from the requested period, oldest first', () => {
  const { buffer, setTime } = createBufferWithClock();
  for (const ms of [0, 1000, 2000]) {
    setTime(ms);
    buffer.add(createNotice(String(ms)));
  }
  setTime(3000);
  expect(buffer.listWithin(2000)).toEqual([createNotice('1000'), createNotice('2000')]);
  expect(buffer.listWithin(0)).toEqual([]);
});

it('evicts notices after a minute', () => {
  const { buffer, setTime } = createBufferWithClock();
  buffer.add(createNotice('old'));
  setTime(NOTICE_RETENTION_MS + 1);
  buffer.add(createNotice('new'));
  expect(buffer.listWithin(NOTICE_RETENTION_MS * 2)).toEqual([createNotice('new')]);
});

it('buffers only the newest 10,000 notices', () => {
  const { buffer } = createBufferWithClock();
  for (let number = 0; number < 10_050; number += 1) buffer.add(createNotice(String(number)));
  const notices = buffer.listWithin(NOTICE_RETENTION_MS);
  expect(notices).toHaveLength(10_000);
  expect(notices.at(-1)).toEqual(createNotice('10049'));
});
