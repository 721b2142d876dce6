import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatFileSize, isFileSizeAllowed, isLogoSizeAllowed } from './file-size.ts';

describe('file size', () => {
  it.each([
    [0, '0.0 B'],
    [512, '512.0 B'],
    [1023, '1023.0 B'],
    [1024, '1.0 KB'],
    [1280, '1.3 KB'],
    [1536, '1.5 KB'],
    [1_048_524, '1023.9 KB'],
    [1_048_525, '1.0 MB'],
    [1_048_576, '1.0 MB'],
    [26_214_400, '25.0 MB'],
    [1_073_741_824, '1.0 GB'],
    [5_497_558_138_880, '5120.0 GB'],
  ])('formats %d bytes as %s', (bytes, text) => {
    expect(formatFileSize(bytes)).toBe(text);
  });

  it.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])('rejects a size of %d bytes', (bytes) => {
    expect(() => formatFileSize(bytes)).toThrow(RangeError);
  });

  it('is formatted to the nearest tenth of a unit and never as 1024 KB or 1024 MB', () => {
    const bytesPerUnit: Record<string, number> = { B: 1, KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 };
    fc.assert(
      fc.property(fc.oneof(fc.nat(), fc.nat({ max: 2 ** 31 }), fc.maxSafeInteger().map(Math.abs)), (bytes) => {
        const [figure = '', unit = ''] = formatFileSize(bytes).split(' ');
        const size = bytesPerUnit[unit] ?? Number.NaN;
        expect(Math.abs(Number(figure) * size - bytes)).toBeLessThanOrEqual(size * 0.0501);
        expect(unit === 'GB' || Number(figure) < 1024).toBe(true);
      }),
    );
  });
});

it('accepts a logo under 2 MB and rejects one of exactly 2 MB', () => {
  expect([2_097_151, 2_097_152, 2_097_153].map(isLogoSizeAllowed)).toEqual([true, false, false]);
});

it('accepts a file of 25 MB and rejects one byte more', () => {
  expect([26_214_400, 26_214_401].map(isFileSizeAllowed)).toEqual([true, false]);
});
