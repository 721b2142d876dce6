const GROUPED_THOUSANDS = { ',': /^[1-9]\d{0,2}(?:,\d{3})+$/, '.': /^[1-9]\d{0,2}(?:\.\d{3}){2,}$/ };

/** Currency signs and codes, including the spaces around them. */
const CURRENCY_AND_SPACES = /\p{Sc}|^\s+|\s+$|(?<=[^\d\s])\s+|\s+(?=[^\d\s])|^[A-Z]{1,3}(?=[\d\s\p{Sc}])|(?<=[\d\s])[A-Z]{3}$/gu;

/** Space or apostrophe between thousands, as used in some countries. Anywhere else it separates two numbers, as in '12 50'. */
const THOUSANDS_SEPARATOR = /(?<=\d)[\s'’](?=\d{3}(?!\d))/g;

/**
 * Normalizes a typed or pasted number: '$1,250.50' and '1.250,50 EUR' become '1250.50', '45,5' becomes '45.5', '.5' becomes '0.5'.
 * Returns any other text unchanged, so that validation can report what is wrong with it.
 */
export function normalizeDecimal(text: string): string {
  const bare = text.replaceAll(CURRENCY_AND_SPACES, '').replaceAll(THOUSANDS_SEPARATOR, '');
  if (!/^[.,]?\d[\d.,]*$/.test(bare)) return text;
  const separatorIndex = Math.max(bare.lastIndexOf(','), bare.lastIndexOf('.'));
  if (separatorIndex < 0) return bare;
  const [whole, decimals] = [bare.slice(0, separatorIndex), bare.slice(separatorIndex + 1)];
  if (GROUPED_THOUSANDS[','].test(bare) || GROUPED_THOUSANDS['.'].test(bare)) return bare.replaceAll(/[.,]/g, '');
  const fraction = decimals === '' ? '' : `.${decimals}`;
  if (/^\d*$/.test(whole)) return `${whole || '0'}${fraction}`;
  const isGrouped = bare[separatorIndex] === '.' ? GROUPED_THOUSANDS[','].test(whole) : /^[1-9]\d{0,2}(?:\.\d{3})+$/.test(whole);
  return isGrouped ? `${whole.replaceAll(/[.,]/g, '')}${fraction}` : text;
}

const PLAIN_DECIMAL = /^\d+(?:\.\d+)?$/;

const countDecimals = (text: string) => text.split('.')[1]?.length ?? 0;
const toScaledInteger = (text: string, decimals: number) =>
  BigInt(text.replace('.', '').padEnd(text.replace('.', '').length + decimals - countDecimals(text), '0'));

/** Adds or subtracts one step without rounding, never going below zero. Returns null if the text isn't a number. */
export function stepDecimal(text: string, step: string, direction: 1 | -1): string | null {
  const trimmed = text.trim();
  if (!PLAIN_DECIMAL.test(trimmed)) return null;
  const decimals = Math.max(countDecimals(trimmed), countDecimals(step));
  const sum = toScaledInteger(trimmed, decimals) + BigInt(direction) * toScaledInteger(step, decimals);
  const digits = (sum < 0n ? 0n : sum).toString().padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
