import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CATEGORY_COLORS, categoryColors, categoryShares, shareText } from './category-share.ts';

const texts = (...jobs: number[]) =>
  categoryShares(jobs.map((count, index) => ({ id: `${index}`, name: 'Any', jobs: count }))).map(shareText);

describe('the share of a category', () => {
  it('is its part of all counts, with one decimal', () => {
    expect(texts(3, 1)).toEqual(['3 jobs (75.0%)', '1 jobs (25.0%)']);
    expect(texts(1, 2)).toEqual(['1 jobs (33.3%)', '2 jobs (66.7%)']);
    expect(texts(1, 15)).toEqual(['1 jobs (6.3%)', '15 jobs (93.8%)']);
  });

  it('is a half each for one job in two categories', () => {
    expect(texts(1, 1)).toEqual(['1 jobs (50.0%)', '1 jobs (50.0%)']);
  });

  it('is nothing of nothing', () => {
    expect(texts()).toEqual([]);
    expect(texts(0)).toEqual(['0 jobs (0.0%)']);
  });

  it('has thousands separators', () => {
    expect(texts(12_345)).toEqual(['12,345 jobs (100.0%)']);
  });
});

describe('the colors of categories', () => {
  it('are ten, all different', () => {
    expect(new Set(CATEGORY_COLORS).size).toBe(10);
  });

  it('stay the same whatever the order, and differ while there are at most ten', () => {
    const ids = fc.uniqueArray(fc.uuid(), { maxLength: 10 });
    fc.assert(
      fc.property(ids, (some) => {
        const colors = categoryColors(some);
        expect(new Set(colors.values()).size).toBe(some.length);
        const again = categoryColors(some.toReversed());
        for (const id of some) expect(again.get(id)).toBe(colors.get(id));
      }),
    );
  });

  it('are given again to more than ten', () => {
    const colors = categoryColors(Array.from({ length: 25 }, (_, index) => `category-${index}`));
    expect(colors.size).toBe(25);
    for (const color of CATEGORY_COLORS) expect([...colors.values()].filter((other) => other === color).length).toBeGreaterThanOrEqual(2);
  });
});
