import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addToCount, formatCappedCount, formatCount, MAX_COUNT, pluralize } from './count-format.ts';

describe('count formatting', () => {
  it.each([
    [0, '0 jobs'],
    [1, '1 job'],
    [1204, '1,204 jobs'],
    [5_000_000, '5,000,000 jobs'],
  ])('formats %d as %s', (count, text) => {
    expect(pluralize(count, 'job')).toBe(text);
  });

  it('supports irregular plurals', () => {
    expect([1, 3].map((count) => pluralize(count, 'person', 'people'))).toEqual(['1 person', '3 people']);
  });

  it('shows that counting stopped, and then leaves the count unchanged', () => {
    expect([999, MAX_COUNT, MAX_COUNT + 1].map(formatCappedCount)).toEqual(['999', '1,000', '1,000+']);
    expect([addToCount(MAX_COUNT - 1, 1), addToCount(MAX_COUNT, 1), addToCount(MAX_COUNT + 1, -1)]).toEqual([1000, 1001, 1001]);
  });

  it('groups thousands like Intl.NumberFormat', () => {
    fc.assert(
      fc.property(fc.integer(), (count) => {
        expect(formatCount(count)).toBe(count.toLocaleString('en-US'));
      }),
    );
  });
});
