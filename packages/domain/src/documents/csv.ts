/** Matches text that a spreadsheet would run as a formula, even after invisible characters. A plain negative number is safe. */
const FORMULA_START = /^(?!-\d+(\.\d+)?$)\p{Cf}*[=+\-@＝＋－＠\t\r]/u;

/** Written at the start of a file so that Excel reads the file as UTF-8. */
export const CSV_BYTE_ORDER_MARK = '\uFEFF';

/** Formats a line as in RFC 4180: every field is quoted, quotes are doubled, and the line ends in CRLF. */
export function formatCsvLine(fields: readonly string[]): string {
  return `${fields.map(quoteField).join(',')}\r\n`;
}

export function buildCsv(rows: readonly (readonly string[])[]): string {
  return `${CSV_BYTE_ORDER_MARK}${rows.map(formatCsvLine).join('')}`;
}

function quoteField(field: string): string {
  const safe = FORMULA_START.test(field) ? `'${field}` : field;
  return `"${safe.replaceAll('"', '""')}"`;
}
