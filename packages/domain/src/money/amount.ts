/** Columns of money are numeric(12, 2). Kept apart from the arithmetic, so that a form can check an amount without loading it. */
export const MAX_AMOUNT_TEXT = '9,999,999,999.99';

const AMOUNT = /^\d+(?:\.\d{1,2})?$/;
const STORABLE = /^-?0*\d{1,10}(?:\.\d*)?$/;

/** Exact text of 0 or more with at most 2 decimals, such as '1234.5'. Its size is not looked at. */
export function isAmount(text: string): boolean {
  return AMOUNT.test(text);
}

/** Whether exact money text has at most 10 digits before the point; zeros in front do not count. */
export function isStorableAmount(amount: string): boolean {
  return STORABLE.test(amount);
}
