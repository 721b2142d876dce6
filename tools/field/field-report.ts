import type { DayReport } from './simulate-day.ts';

const COUNT_COLUMNS = ['accepted', 'refused', 'lost', 'doubled'] as const;

/** Formats the days as a table. */
export function formatReports(reports: readonly DayReport[]): string {
  const faults = [...new Set(reports.flatMap((report) => Object.keys(report.faults)))].toSorted();
  const headings = ['seed', 'operations', ...faults, ...COUNT_COLUMNS, 'violations', 'clock error', 'duration'];
  const rows = reports.map((report) => [
    String(report.seed),
    String(report.operations),
    ...faults.map((fault) => String(report.faults[fault] ?? 0)),
    ...COUNT_COLUMNS.map((column) => String(report[column])),
    String(report.violations.length),
    `${report.clockError.toFixed(1)} s`,
    `${report.seconds.toFixed(0)} s`,
  ]);
  const widths = headings.map((heading, column) => Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)));
  return [headings, ...rows].map((row) => row.map((cell, column) => cell.padStart(widths[column] ?? 0)).join('  ')).join('\n');
}
