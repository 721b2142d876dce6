import { buildCsv } from '@callout/domain/documents/csv';

export function downloadCsv(fileName: string, rows: readonly (readonly string[])[]): void {
  const url = URL.createObjectURL(new Blob([buildCsv(rows)], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  // Some browsers start reading the file only after the click handler returns, so revoke the URL later.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
