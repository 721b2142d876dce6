import Big from 'big.js';

/** A private Big constructor, so that no other code can change its settings. Strict mode rejects floating-point numbers. */
const ExactBig = Big();
ExactBig.strict = true;
ExactBig.RM = Big.roundHalfUp;

const PLAIN_DECIMAL = /^-?\d+(\.\d+)?$/;

/** Parses a decimal string such as '-1234.50'. Throws on anything else, including '1e3' and the 'NaN' that a database can return. */
export function toDecimal(text: string): Big {
  if (!PLAIN_DECIMAL.test(text)) throw new RangeError(`Not a decimal: ${JSON.stringify(text.slice(0, 40))}`);
  return new ExactBig(text);
}

/** Divides and rounds once, half up. Rounding a rounded quotient again could lose a cent. */
export function divideAndRound(dividend: Big, divisor: Big, places: number): Big {
  return new ExactBig(new (getRoundingConstructor(places))(dividend).div(divisor));
}

const roundingConstructors = new Map<number, typeof ExactBig>();

/** Returns a constructor that rounds to `places`. Cached, because creating a constructor costs more than a division. */
function getRoundingConstructor(places: number): typeof ExactBig {
  let RoundingBig = roundingConstructors.get(places);
  if (!RoundingBig) {
    RoundingBig = Big();
    RoundingBig.DP = places;
    RoundingBig.RM = Big.roundHalfUp;
    roundingConstructors.set(places, RoundingBig);
  }
  return RoundingBig;
}

/** Formats with exactly `places` decimals, rounded half up (away from zero, like PostgreSQL's round). Never returns '-0.00'. */
export function toFixedString(value: Big, places: number): string {
  return value.round(places).toFixed(places);
}

/** Formats the exact value as the shortest decimal string, without trailing zeros or an exponent. */
export function toPlainString(value: Big): string {
  return value.toFixed();
}
