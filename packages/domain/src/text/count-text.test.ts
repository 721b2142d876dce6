import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countText, formatCount } from './count-text.ts';

describe('counts', () => {
  it.each([
    [0, '0 jobs'],
    [1, '1 job'],
    [1204, '1,204 jobs'],
    [5_000_000, '5,000,000 jobs'],
  ])('%d reads %s', (count, text) => {
    expect(countText(count, 'job')).toBe(text);
  });

  it('take their own plural', () => {
    expect([1, 3].map((count) => countText(count, 'person', 'people'))).toEqual(['1 person', '3 people']);
  });

  it('are grouped as Intl does it', () => {
    fc.assert(
      fc.property(fc.integer(), (count) => {
        expect(formatCount(count)).toBe(count.toLocaleString('en-US'));
      }),
    );
  });
});
