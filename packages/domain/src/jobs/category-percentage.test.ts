import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assignCategoryColors, CATEGORY_COLORS, calculateCategoryPercentages, formatCategoryPercentage } from './category-percentage.ts';

const formatShares = (...jobs: number[]) =>
  calculateCategoryPercentages(jobs.map((count, index) => ({ id: `${index}`, name: 'Any', jobs: count }))).map(formatCategoryPercentage);

describe('category percentage', () => {
  it('is relative to the sum of all counts and has one decimal', () => {
    expect(formatShares(3, 1)).toEqual(['3 jobs (75.0%)', '1 jobs (25.0%)']);
    expect(formatShares(1, 2)).toEqual(['1 jobs (33.3%)', '2 jobs (66.7%)']);
    expect(formatShares(1, 15)).toEqual(['1 jobs (6.3%)', '15 jobs (93.8%)']);
  });

  it('is 50% each for one job in two categories', () => {
    expect(formatShares(1, 1)).toEqual(['1 jobs (50.0%)', '1 jobs (50.0%)']);
  });

  it('is 0% without any jobs', () => {
    expect(formatShares()).toEqual([]);
    expect(formatShares(0)).toEqual(['0 jobs (0.0%)']);
  });

  it('includes thousands separators in the count', () => {
    expect(formatShares(12_345)).toEqual(['12,345 jobs (100.0%)']);
  });
});

describe('category colors', () => {
  it('are ten distinct values that browsers and PDFs understand', () => {
    expect(new Set(CATEGORY_COLORS).size).toBe(10);
    for (const color of CATEGORY_COLORS) expect(color).toMatch(/^#[\da-f]{6}$/);
  });

  it('of a category never change, whatever the release', () => {
    expect([...assignCategoryColors(['a', 'ab'])]).toEqual([
      ['a', CATEGORY_COLORS[7]],
      ['ab', CATEGORY_COLORS[5]],
    ]);
  });

  it('are distinct for up to ten categories and do not depend on the order of the ids', () => {
    const anyIds = fc.uniqueArray(fc.uuid(), { maxLength: 10 });
    fc.assert(
      fc.property(anyIds, (ids) => {
        const colors = assignCategoryColors(ids);
        expect(new Set(colors.values()).size).toBe(ids.length);
        const again = assignCategoryColors(ids.toReversed());
        for (const id of ids) expect(again.get(id)).toBe(colors.get(id));
      }),
    );
  });

  it('repeat evenly beyond ten categories', () => {
    const colors = assignCategoryColors(Array.from({ length: 25 }, (_, index) => `category-${index}`));
    expect(colors.size).toBe(25);
    for (const color of CATEGORY_COLORS) expect([...colors.values()].filter((other) => other === color).length).toBeGreaterThanOrEqual(2);
  });
});
