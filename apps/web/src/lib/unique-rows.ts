/** A row saved between two page reads can stand in both pages; it is shown once. */
export function uniqueRows<Row extends { id: string }>(pages: readonly { rows: readonly Row[] }[]): Row[] {
  const rows = new Map<string, Row>();
  for (const page of pages) for (const row of page.rows) if (!rows.has(row.id)) rows.set(row.id, row);
  return [...rows.values()];
}
