/** Largest quantity of a job line. Quantities are at least 1 and have at most 3 decimals, as on quotes. */
export const MAX_QUANTITY = 1_000_000;

/** Larger quantities are probably typing errors, so the page asks before it saves them. */
export const LARGE_QUANTITY = 10_000;

export const QUANTITY_ERRORS = {
  notWhole: 'Quantity must be a whole number',
  notDecimal: 'Quantity must be a number with up to 3 decimal places',
  tooSmall: 'Quantity must be at least 1',
  tooLarge: 'Quantity must be at most 1,000,000',
};

export const hasValidQuantityDecimals = (quantity: number) => Number(quantity.toFixed(3)) === quantity;

export type ParsedQuantity = { quantity: number } | { error: string };

/** Parses a line item's quantity, or returns an error message. Expects plain digits, as number fields produce them. */
export const parseQuantity = (text: string) => parseWithPattern(text, /^-?\d+(\.\d{1,3})?$/, QUANTITY_ERRORS.notDecimal);

/** Parses the quantity of a line that bills worked time, which must be a whole number. */
export const parseWholeQuantity = (text: string) => parseWithPattern(text, /^-?\d+$/, QUANTITY_ERRORS.notWhole);

function parseWithPattern(text: string, pattern: RegExp, error: string): ParsedQuantity {
  const typed = text.trim();
  if (!pattern.test(typed)) return { error };
  const quantity = Number(typed);
  if (quantity < 1) return { error: QUANTITY_ERRORS.tooSmall };
  return quantity > MAX_QUANTITY ? { error: QUANTITY_ERRORS.tooLarge } : { quantity };
}
