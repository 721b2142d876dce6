import { sumMoney } from '@callout/domain/money/money';

/** Splits a CSV file into rows of cells, without the byte order mark. Every cell is quoted. */
export const parseCsv = (text: string): string[][] =>
  text
    .replace(/^\uFEFF/, '')
    .trim()
    .split('\r\n')
    .map((line) => line.slice(1, -1).split('","'));

/** Adds up the columns of a CSV file that contain only amounts and blanks, as a spreadsheet would. */
export function sumCsvColumns(text: string): Record<string, string> {
  const [header = [], ...rows] = parseCsv(text);
  const isAmount = (cell: string | undefined) => cell === undefined || /^(-?\d+\.\d\d)?$/.test(cell);
  const columns = header.flatMap((name, index) => (rows.every((row) => isAmount(row[index])) ? [[name, index] as const] : []));
  return Object.fromEntries(columns.map(([name, index]) => [name, sumMoney(rows.map((row) => row[index] || '0.00'))]));
}
