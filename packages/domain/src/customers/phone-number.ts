export const digitsOf = (phone: string) => phone.replace(/[^0-9]/g, '');

/** The last seven digits: numbers that are the same have the same, with or without a country code. '' when there are no digits. */
export function phoneTail(phone: string): string {
  return digitsOf(phone).slice(-7);
}

/** Whether two numbers reach the same person, also when only one of them has its country code: '+64 9 555 0100' and '09 555 0100'. */
export function isSamePhone(a: string, b: string): boolean {
  const [first, second] = [digitsOf(a), digitsOf(b)];
  return first !== '' && (first === second || isWithCountryCode(first, second) || isWithCountryCode(second, first));
}

/** Those of one and two digits as the ITU gave them out, all others have three. A 0 may follow, as in '+64 (0)9 555 0100' and in Italian numbers. */
const COUNTRY_CODE =
  /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|(?:2[1-689]|3[578]|42|5[09]|6[789]|8[0578]|9[679])\d)0?$/;

/** Whether the digits of `international` are a country code followed by those of `national`. */
function isWithCountryCode(international: string, national: string): boolean {
  const full = international.replace(/^00/, '');
  const rest = national.replace(/^00?/, '');
  // Shorter ones may lack the area code, and then be another number in another city.
  const isComplete = national.startsWith('0') ? rest.length >= 7 : rest.length >= 9;
  return isComplete && full.endsWith(rest) && (full === rest || COUNTRY_CODE.test(full.slice(0, -rest.length)));
}
