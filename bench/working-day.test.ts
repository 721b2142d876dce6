import { expect, it } from 'vitest';
import { createRandomGenerator } from './random.ts';
import { buildNextCall, type Firm, WORKING_DAY } from './working-day.ts';

const id = '018f0000-0000-7000-8000-000000000001';
const firm: Firm = {
  people: [id],
  cookies: ['office=1', 'office=2', 'site=3', 'site=4'],
  customers: [id],
  jobs: [id],
  quotes: [id],
  public_paths: ['/api/public/quotes/token'],
};

it('makes every call of the working day about as often as its weight says', () => {
  const random = createRandomGenerator(1);
  const titles = Array.from({ length: 20_000 }, () => buildNextCall([firm], random).title);
  expect(WORKING_DAY.reduce((total, { weight }) => total + weight, 0)).toBe(1000);
  for (const { title, weight } of WORKING_DAY) {
    const count = titles.filter((made) => made === title).length;
    expect(Math.abs(count / 20 - weight), title).toBeLessThan(8);
  }
});

it('lets only the office ask for what shows money, and customers ask without a session', () => {
  const random = createRandomGenerator(2);
  const calls = Array.from({ length: 20_000 }, () => buildNextCall([firm], random));
  const listCookies = (by: string) => {
    const titles = new Set(WORKING_DAY.filter((call) => call.by === by).map(({ title }) => title));
    const made = calls.filter(({ title }) => titles.has(title));
    return [...new Set(made.map(({ request }) => /cookie: (\S+)/.exec(request.toString())?.[1] ?? 'none'))].toSorted();
  };
  expect(listCookies('public')).toEqual(['none']);
  expect(listCookies('office')).toEqual(['office=1', 'office=2']);
  expect(listCookies('anyone')).toEqual(['office=1', 'office=2', 'site=3', 'site=4']);
});
