import Big from 'big.js';

/** A constructor of our own: nobody's settings elsewhere change ours, and a binary number is refused instead of read. */
const Exact = Big();
Exact.strict = true;
Exact.RM = Big.roundHalfUp;

const PLAIN_DECIMAL = /^-?\d+(\.\d+)?$/;

/** Reads exact text such as '-1234.50'; throws on everything else, also on '1e3' and on the 'NaN' a database can answer. */
export function decimal(text: string): Big {
  if (!PLAIN_DECIMAL.test(text)) throw new RangeError(`Not a decimal: ${JSON.stringify(text.slice(0, 40))}`);
  return new Exact(text);
}

/** Rounded once, half up, to that many decimal places. Dividing and then rounding again could lose a cent. */
export function quotient(dividend: Big, divisor: Big, places: number): Big {
  return new Exact(new (roundingTo(places))(dividend).div(divisor));
}

const constructors = new Map<number, typeof Exact>();

/** A constructor whose divisions have that many decimal places. Made once, which costs more than a division. */
function roundingTo(places: number): typeof Exact {
  let Rounded = constructors.get(places);
  if (!Rounded) {
    Rounded = Big();
    Rounded.DP = places;
    Rounded.RM = Big.roundHalfUp;
    constructors.set(places, Rounded);
  }
  return Rounded;
}

/** Exactly that many decimals, rounded half up (away from zero, as PostgreSQL's round). Rounding first keeps '-0.00' out. */
export function fixedText(value: Big, places: number): string {
  return value.round(places).toFixed(places);
}

/** The shortest exact text: no rounding, no trailing zeros, no exponent. */
export function plainText(value: Big): string {
  return value.toFixed();
}
