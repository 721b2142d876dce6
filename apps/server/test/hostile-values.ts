/** Values that tests send in every field of every input. */
export const HOSTILE_VALUES: readonly unknown[] = [
  null,
  true,
  -1,
  1e308,
  3_000_000_000,
  2 ** 53 - 1,
  '',
  ' ',
  '\0',
  'a\0b',
  'a\r\nBcc: thief@example.com\u0085\u001b[2J',
  '\ud800',
  "'; drop table customers; --",
  '%_\\',
  '<img src=x onerror=alert(1)>',
  '../../etc/passwd',
  '${7*7}',
  'x'.repeat(20_000),
  '🧰'.repeat(300),
  [],
  [[[[[[]]]]]],
  ['a', 1, null],
  ['\0'],
  ['\ud800'],
  ['x'.repeat(20_000)],
  {},
  { $gt: '' },
  { toString: 'x' },
  '__proto__',
  '9999-99-99T99:99:99Z',
  'bm90IGpzb24',
  '018f0000-0000-7000-8000-000000000001',
];

/** Malformed request bodies, each with the content type to send. */
export const HOSTILE_BODIES: readonly (readonly [string, string])[] = [
  ['application/json', JSON.stringify({ notes: 'x'.repeat(1024 * 1024) })],
  ['application/json', '{"a":'],
  ['application/json', '"text"'],
  ['application/json', `${'['.repeat(5000)}${']'.repeat(5000)}`],
  ['application/json', '{"__proto__":{"admin":true}}'],
  ['text/plain', 'hello'],
  ['application/x-www-form-urlencoded', 'name=x'],
];

const joinParams = (length: number, buildParam: (index: number) => string) =>
  Array.from({ length }, (_, index) => buildParam(index)).join('&');

/** Malformed query strings. The parameter names are real fields of the contract. */
export const HOSTILE_QUERIES: readonly string[] = [
  `search${'[0]'.repeat(4000)}=1`,
  'search[999999999]=1&cursor[9999]=1&status[499]=1',
  '__proto__[admin]=1&search[__proto__][admin]=1&constructor[prototype][admin]=1',
  'search[0]=a&search[length]=4294967295',
  'search=a&search[]=b&search[0]=c&search[x][]=d&search=e',
  'search[=1&[]=2&]=3&[[[=4&=5&%00=6',
  'search=%ff&cursor=%&status[%ff]=%fe',
  '0=a&1=b',
  joinParams(4000, (index) => `k${index}=`),
  joinParams(2000, () => 'search=x'),
];
