/** Largest value of a numeric(12, 2) column. This file is separate so that forms can check amounts without loading big.js. */
export const MAX_AMOUNT_TEXT = '9,999,999,999.99';

const SEARCHED_AMOUNT_PATTERN = /^(-?)[$€£]?((?:\d{1,10}|\d{1,3}(?:,\d{3}){1,3})\.\d\d)$/;
const AMOUNT_PATTERN = /^\d+(?:\.\d{1,2})?$/;
const STORABLE_AMOUNT_PATTERN = /^-?0*\d{1,10}(?:\.\d*)?$/;

/** Accepts 0 or more with at most 2 decimals, such as '1234.5'. Use `isStorableAmount` to check the upper limit. */
export function isDecimalAmount(text: string): boolean {
  return AMOUNT_PATTERN.test(text);
}

/** Returns true if the amount has at most 10 digits before the decimal point, not counting leading zeros. */
export function isStorableAmount(amount: string): boolean {
  return STORABLE_AMOUNT_PATTERN.test(amount);
}

/** Parses a search for an amount with cents, such as '-99.99' or '$1,234.50'; null for any other text, such as '100' or a job number. */
export function parseSearchedAmount(text: string): string | null {
  const [, sign, digits] = SEARCHED_AMOUNT_PATTERN.exec(text.trim()) ?? [];
  return digits === undefined ? null : `${sign}${digits.replaceAll(',', '')}`;
}
