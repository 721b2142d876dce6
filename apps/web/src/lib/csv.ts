/** A spreadsheet would run what starts like this as a formula, whoever typed it. */
const FORMULA = /^[=+\-@＝＋－＠\t\r]/;

/**
 * Rows as RFC 4180 asks for them: lines end in CRLF, every field is quoted, quotes are doubled. The mark at the start tells Excel that it is
 * UTF-8.
 */
export function csvText(rows: readonly (readonly string[])[]): string {
  return `\uFEFF${rows.map((fields) => `${fields.map(quoted).join(',')}\r\n`).join('')}`;
}

function quoted(field: string): string {
  const safe = FORMULA.test(field) ? `'${field}` : field;
  return `"${safe.replaceAll('"', '""')}"`;
}

export function downloadCsv(fileName: string, rows: readonly (readonly string[])[]): void {
  const url = URL.createObjectURL(new Blob([csvText(rows)], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  // Some browsers read the file only after the click has been handled.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
