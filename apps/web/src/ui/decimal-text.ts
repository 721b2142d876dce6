const GROUPED = { ',': /^[1-9]\d{0,2}(?:,\d{3})+$/, '.': /^[1-9]\d{0,2}(?:\.\d{3}){2,}$/ };

/** Currency signs and codes with the spaces around them. */
const AROUND = /\p{Sc}|^\s+|\s+$|(?<=[^\d\s])\s+|\s+(?=[^\d\s])|^[A-Z]{1,3}(?=[\d\s\p{Sc}])|(?<=[\d\s])[A-Z]{3}$/gu;

/** The space or apostrophe that some countries write between thousands. Elsewhere it separates two numbers, as in '12 50'. */
const BETWEEN_THOUSANDS = /(?<=\d)[\s'’](?=\d{3}(?!\d))/g;

/**
 * The number that somebody typed or pasted, as plain text: '$1,250.50' and '1.250,50 EUR' are '1250.50', '45,5' is '45.5', '.5' is '0.5'.
 * What cannot be read as a number stays as it is, so that its own message can say what is wrong.
 */
export function readDecimal(text: string): string {
  const bare = text.replaceAll(AROUND, '').replaceAll(BETWEEN_THOUSANDS, '');
  if (!/^[.,]?\d[\d.,]*$/.test(bare)) return text;
  const mark = Math.max(bare.lastIndexOf(','), bare.lastIndexOf('.'));
  if (mark < 0) return bare;
  const [whole, decimals] = [bare.slice(0, mark), bare.slice(mark + 1)];
  if (GROUPED[','].test(bare) || GROUPED['.'].test(bare)) return bare.replaceAll(/[.,]/g, '');
  const fraction = decimals === '' ? '' : `.${decimals}`;
  if (/^\d*$/.test(whole)) return `${whole || '0'}${fraction}`;
  const isGrouped = bare[mark] === '.' ? GROUPED[','].test(whole) : /^[1-9]\d{0,2}(?:\.\d{3})+$/.test(whole);
  return isGrouped ? `${whole.replaceAll(/[.,]/g, '')}${fraction}` : text;
}

const DECIMAL = /^\d+(?:\.\d+)?$/;

const decimalsOf = (text: string) => text.split('.')[1]?.length ?? 0;
const scaled = (text: string, decimals: number) =>
  BigInt(text.replace('.', '').padEnd(text.replace('.', '').length + decimals - decimalsOf(text), '0'));

/** `text` one step up or down, exactly, never below zero; null when it is no number. */
export function stepped(text: string, step: string, direction: 1 | -1): string | null {
  const typed = text.trim();
  if (!DECIMAL.test(typed)) return null;
  const decimals = Math.max(decimalsOf(typed), decimalsOf(step));
  const sum = scaled(typed, decimals) + BigInt(direction) * scaled(step, decimals);
  const digits = (sum < 0n ? 0n : sum).toString().padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
