/** One comma alone is the decimal point of many keyboards, some of which offer no other. Anything else stays as it was typed. */
export function withDecimalPoint(text: string): string {
  return /^[^.,]*,[^.,]*$/.test(text) ? text.replace(',', '.') : text;
}
