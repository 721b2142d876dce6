/** Of a line of a job: a whole number. A fraction can only come from a quote. */
export const MAX_QUANTITY = 1_000_000;

export const QUANTITY_ERRORS = {
  notWhole: 'Quantity must be a whole number',
  tooSmall: 'Quantity must be at least 1',
  tooLarge: 'Quantity must be at most 1,000,000',
};

/** What somebody typed as a quantity, or why it is none. Spaces and thousands separators are ignored. */
export function readQuantity(text: string): { quantity: number } | { error: string } {
  const typed = text.replaceAll(/[\s,]/g, '');
  if (!/^-?\d+$/.test(typed)) return { error: QUANTITY_ERRORS.notWhole };
  const quantity = Number(typed);
  if (quantity < 1) return { error: QUANTITY_ERRORS.tooSmall };
  return quantity > MAX_QUANTITY ? { error: QUANTITY_ERRORS.tooLarge } : { quantity };
}
