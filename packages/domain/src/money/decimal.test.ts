import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { divideAndRound, toDecimal, toFixedString, toPlainString } from './decimal.ts';

describe('decimal arithmetic', () => {
  it.each(['', ' 1', '1e3', '.5', '5.', '+1', '1,000', '$5', 'NaN', 'Infinity', '0x10', '--1', '1\n'])('rejects %j', (text) => {
    expect(() => toDecimal(text)).toThrow(RangeError);
  });

  it('rejects a floating-point number at runtime', () => {
    expect(() => toDecimal('1').plus(0.1)).toThrow('Invalid value');
  });

  it('adds 0.1 and 0.2 exactly and preserves a hundred digits', () => {
    expect(toPlainString(toDecimal('0.1').plus(toDecimal('0.2')))).toBe('0.3');
    const long = `${'9'.repeat(60)}.${'9'.repeat(40)}`;
    expect(toPlainString(toDecimal(long))).toBe(long);
  });

  it('never produces an exponent or a negative zero', () => {
    expect(toPlainString(toDecimal('0.000000001'))).toBe('0.000000001');
    expect(toPlainString(toDecimal('1000000000000000000000000.0'))).toBe('1000000000000000000000000');
    expect(toFixedString(toDecimal('-0.001'), 2)).toBe('0.00');
    expect(toPlainString(toDecimal('-0'))).toBe('0');
  });

  it('rounds a quotient once, so that 0.0049999… does not become a cent', () => {
    expect(toFixedString(divideAndRound(toDecimal('1'), toDecimal('200.0000000000000000000001'), 2), 2)).toBe('0.00');
    expect(toFixedString(divideAndRound(toDecimal('1'), toDecimal('200'), 2), 2)).toBe('0.01');
    expect(() => divideAndRound(toDecimal('1'), toDecimal('0'), 2)).toThrow('Division by zero');
  });

  it('rounds quotients exactly like integer arithmetic', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }), fc.bigInt({ min: 1n, max: 10n ** 9n }), (dividend, divisor) => {
        const size = dividend < 0n ? -dividend : dividend;
        const hundredths = (size * 200n + divisor) / (2n * divisor);
        const expected = toDecimal(String(dividend < 0n ? -hundredths : hundredths)).times(toDecimal('0.01'));
        expect(toFixedString(divideAndRound(toDecimal(String(dividend)), toDecimal(String(divisor)), 2), 2)).toBe(
          toFixedString(expected, 2),
        );
      }),
    );
  });
});
