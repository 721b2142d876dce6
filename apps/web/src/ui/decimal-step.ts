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
