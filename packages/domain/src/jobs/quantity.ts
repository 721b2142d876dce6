/** Of a line of a job: at least 1, with at most 3 decimals, as on a quote. */
export const MAX_QUANTITY = 1_000_000;

export const QUANTITY_ERRORS = {
  notWhole: 'Quantity must be a whole number',
  notDecimal: 'Quantity must be a number with up to 3 decimal places',
  tooSmall: 'Quantity must be at least 1',
  tooLarge: 'Quantity must be at most 1,000,000',
};

export const hasQuantityDecimals = (quantity: number) => Number(quantity.toFixed(3)) === quantity;

export type ReadQuantity = { quantity: number } | { error: string };

/** The quantity of a line, or why it is none. What was typed comes as the plain number that fields make of it. */
export const readQuantity = (text: string) => readNumber(text, /^-?\d+(\.\d{1,3})?$/, QUANTITY_ERRORS.notDecimal);

/** For a new line, which is counted in whole numbers. */
export const readWholeQuantity = (text: string) => readNumber(text, /^-?\d+$/, QUANTITY_ERRORS.notWhole);

function readNumber(text: string, pattern: RegExp, error: string): ReadQuantity {
  const typed = text.trim();
  if (!pattern.test(typed)) return { error };
  const quantity = Number(typed);
  if (quantity < 1) return { error: QUANTITY_ERRORS.tooSmall };
  return quantity > MAX_QUANTITY ? { error: QUANTITY_ERRORS.tooLarge } : { quantity };
}
