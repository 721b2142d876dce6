import { type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';

/** A column: true if the frozen record still matches its hash, and `columns`, which the record also contains, still match the record. */
export function buildIntactColumn(
  { record, sha256 }: { readonly record: PgColumn; readonly sha256: PgColumn },
  columns: Readonly<Record<string, PgColumn | SQL>>,
) {
  const buildArray = (values: SQL[]) => sql`jsonb_build_array(${sql.join(values, sql`, `)})`;
  const recorded = buildArray(Object.keys(columns).map((name) => sql`found ->> ${sql.raw(`'${name}'`)}`));
  const stored = buildArray(Object.values(columns).map((column) => sql`${column}::text`));
  return sql<boolean>`(encode(sha256(convert_to(${record}, 'UTF8')), 'hex') = ${sha256}
    and (select ${recorded} from readable_json(${record}) found) = ${stored})`;
}
