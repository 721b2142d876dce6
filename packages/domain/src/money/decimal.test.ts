import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimal, fixedText, plainText, quotient } from './decimal.ts';

describe('decimal', () => {
  it.each(['', ' 1', '1e3', '.5', '5.', '+1', '1,000', '$5', 'NaN', 'Infinity', '0x10', '--1', '1\n'])('refuses %j', (text) => {
    expect(() => decimal(text)).toThrow(RangeError);
  });

  it('refuses a binary number, whatever its static type', () => {
    expect(() => decimal('1').plus(0.1)).toThrow('Invalid value');
  });

  it('keeps 0.1 + 0.2 and a hundred digits exact', () => {
    expect(plainText(decimal('0.1').plus(decimal('0.2')))).toBe('0.3');
    const long = `${'9'.repeat(60)}.${'9'.repeat(40)}`;
    expect(plainText(decimal(long))).toBe(long);
  });

  it('writes no exponent and no negative zero', () => {
    expect(plainText(decimal('0.000000001'))).toBe('0.000000001');
    expect(plainText(decimal('1000000000000000000000000.0'))).toBe('1000000000000000000000000');
    expect(fixedText(decimal('-0.001'), 2)).toBe('0.00');
    expect(plainText(decimal('-0'))).toBe('0');
  });

  it('rounds a quotient once, so that 0.0049999… does not become a cent', () => {
    expect(fixedText(quotient(decimal('1'), decimal('200.0000000000000000000001'), 2), 2)).toBe('0.00');
    expect(fixedText(quotient(decimal('1'), decimal('200'), 2), 2)).toBe('0.01');
    expect(() => quotient(decimal('1'), decimal('0'), 2)).toThrow('Division by zero');
  });

  it('rounds every quotient like integer arithmetic', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }), fc.bigInt({ min: 1n, max: 10n ** 9n }), (dividend, divisor) => {
        const size = dividend < 0n ? -dividend : dividend;
        const hundredths = (size * 200n + divisor) / (2n * divisor);
        const expected = decimal(String(dividend < 0n ? -hundredths : hundredths)).times(decimal('0.01'));
        expect(fixedText(quotient(decimal(String(dividend)), decimal(String(divisor)), 2), 2)).toBe(fixedText(expected, 2));
      }),
    );
  });
});
