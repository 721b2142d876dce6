export const extractDigits = (phone: string) => phone.replace(/[^0-9]/g, '');

/** Returns the last seven digits, which are the same with and without a country code; '' if there are no digits. */
export function getPhoneSuffix(phone: string): string {
  return extractDigits(phone).slice(-7);
}

/** Returns true if the numbers are equal, even if only one has a country code: '+64 9 555 0100' and '09 555 0100'. */
export function isSamePhoneNumber(a: string, b: string): boolean {
  const [first, second] = [extractDigits(a), extractDigits(b)];
  return first !== '' && (first === second || isInternationalFormOf(first, second) || isInternationalFormOf(second, first));
}

/** Matches a country code of one to three digits. A 0 may follow, as in '+64 (0)9 555 0100' and Italian numbers. */
const COUNTRY_CODE_PATTERN =
  /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|(?:2[1-689]|3[578]|42|5[09]|6[789]|8[0578]|9[679])\d)0?$/;

/** Returns true if `international` is `national` with a country code in front. */
function isInternationalFormOf(international: string, national: string): boolean {
  const full = international.replace(/^00/, '');
  const rest = national.replace(/^00?/, '');
  // A shorter number may lack its area code and belong to someone in another city, so it never matches.
  const isComplete = national.startsWith('0') ? rest.length >= 7 : rest.length >= 9;
  return isComplete && full.endsWith(rest) && (full === rest || COUNTRY_CODE_PATTERN.test(full.slice(0, -rest.length)));
}
