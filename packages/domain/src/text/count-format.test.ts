import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatCount, pluralize } from './count-format.ts';

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

  it('groups thousands like Intl.NumberFormat', () => {
    fc.assert(
      fc.property(fc.integer(), (count) => {
        expect(formatCount(count)).toBe(count.toLocaleString('en-US'));
      }),
    );
  });
});
