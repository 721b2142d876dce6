/**
 * A spreadsheet would run what starts like this as a formula, whoever typed it, also behind characters that nobody sees. A plain negative
 * number is none.
 */
const FORMULA = /^(?!-\d+(\.\d+)?$)\p{Cf}*[=+\-@＝＋－＠\t\r]/u;

/** Tells Excel that the file, which starts with it, is UTF-8. */
export const CSV_START = '\uFEFF';

/** One line as RFC 4180 asks for it: it ends in CRLF, every field is quoted, quotes are doubled. */
export function csvLine(fields: readonly string[]): string {
  return `${fields.map(quoted).join(',')}\r\n`;
}

/** A whole file. */
export function csvText(rows: readonly (readonly string[])[]): string {
  return `${CSV_START}${rows.map(csvLine).join('')}`;
}

function quoted(field: string): string {
  const safe = FORMULA.test(field) ? `'${field}` : field;
  return `"${safe.replaceAll('"', '""')}"`;
}
