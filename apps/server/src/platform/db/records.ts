import { isDeepStrictEqual } from 'node:util';
import { idTakenError, staleRecordError } from '@callout/contract/errors';
import { toDecimal } from '@callout/domain/money/decimal';
import { and, eq, type GetColumnData, getTableColumns, getTableName, gt, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { type DeclaredError, toFailure } from '../errors/failures.ts';
import { getUserId } from './actor.ts';
import { isUniqueViolation } from './database-errors.ts';
import { prepareSelect } from './prepared-select.ts';
import type { TenantScope } from './tenant-scope.ts';

/**
 * Every feature reads, creates, updates and deletes its records with these functions. They return the record or throw the failure that the
 * contract declares (NOT_FOUND, ID_TAKEN, STALE_VERSION, or a unique constraint's own failure), but never null or false, which a caller
 * could forget to check.
 */

export type CompanyTable = PgTable & { readonly company_id: PgColumn };
export type TableColumns = Readonly<Record<string, PgColumn>>;
type SelectedFields = Readonly<Record<string, PgColumn | SQL>>;
export type SelectedRow<Selected extends SelectedFields> = {
  [Name in keyof Selected]: Selected[Name] extends PgColumn
    ? GetColumnData<Selected[Name]>
    : Selected[Name] extends SQL<infer Value>
      ? Value
      : never;
};

/** Columns that this file's functions fill in if the table has them. */
type ServerColumn = 'company_id' | 'id' | 'user_id' | 'created_at' | 'updated_at' | 'version';
type InsertValues<Table extends PgTable> = Omit<Table['$inferInsert'], ServerColumn>;

export interface RecordType<Table extends CompanyTable, Row extends object> {
  readonly table: Table;
  readonly idColumn: PgColumn;
  readonly notFound: DeclaredError;
  readonly conflicts: Readonly<Record<string, DeclaredError>>;
  /** The columns that a write returns. Null if the record spans several tables and has to be read again after a write. */
  readonly returning: SelectedFields | null;
  find(scope: TenantScope, id: string): Promise<Row | null>;
}

interface RecordErrors {
  readonly notFound: DeclaredError;
  /** Maps each unique constraint to the error to throw if another record already has the value. */
  readonly conflicts?: Readonly<Record<string, DeclaredError>>;
}

/** Defines a record that is stored as one row of its table. */
export function defineRecord<Table extends CompanyTable & { readonly id: PgColumn }, Selected extends SelectedFields>(
  table: Table,
  columns: Selected,
  { notFound, conflicts = {} }: RecordErrors,
): RecordType<Table, SelectedRow<Selected>> {
  const isRecord = and(eq(table.company_id, sql.placeholder('company')), eq(table.id, sql.placeholder('id')));
  const one = prepareSelect(`${getTableName(table)}.get`, columns, (select) => select.from(table as PgTable).where(isRecord));
  return {
    table,
    idColumn: table.id,
    notFound,
    conflicts,
    returning: columns,
    async find(scope, id) {
      const rows = await scope.run(one, { company: scope.companyId, id });
      return (rows[0] as SelectedRow<Selected> | undefined) ?? null;
    },
  };
}

/** Picks the columns for a schema's fields, so that a new field needs no other change. A field without a column doesn't compile. */
export function pickColumns<Table extends PgTable, Name extends keyof Table['_']['columns'] & string>(
  table: Table,
  schema: { readonly shape: Readonly<Record<Name, unknown>> },
): Pick<Table['_']['columns'], Name> {
  const columns: TableColumns = getTableColumns(table);
  const picked = Object.keys(schema.shape).map((name) => [name, columns[name]]);
  return Object.fromEntries(picked) as Pick<Table['_']['columns'], Name>;
}

/**
 * Selects the id in `column`, or null if the record that it refers to is deleted: the queue clears the column only later. The SQL is raw,
 * because Drizzle omits table names from a select on a single table.
 */
export function selectExistingId(column: PgColumn, referenced: CompanyTable & { readonly id: PgColumn }): SQL<string | null> {
  const table = getTableName(column.table);
  return sql.raw(
    `(select r.id from ${getTableName(referenced)} r where r.company_id = ${table}.company_id and r.id = ${table}.${column.name})`,
  ) as SQL<string | null>;
}

/** Builds the condition for the company's rows in a table or, with `id`, for one of those rows. */
export function inCompany(scope: TenantScope, table: CompanyTable): SQL | undefined;
export function inCompany(scope: TenantScope, table: CompanyTable & { readonly id: PgColumn }, id: string): SQL | undefined;
export function inCompany(scope: TenantScope, table: CompanyTable & { readonly id?: PgColumn }, id?: string): SQL | undefined {
  const isInCompany = eq(table.company_id, scope.companyId);
  return table.id && id !== undefined ? and(isInCompany, eq(table.id, id)) : isInCompany;
}

export async function readRecord<Row extends object>(scope: TenantScope, kind: RecordType<CompanyTable, Row>, id: string): Promise<Row> {
  const row = await kind.find(scope, id);
  if (!row) throw toFailure(kind.notFound);
  return row;
}

/**
 * Creates the record under its client-generated id. Idempotent: a retry after a lost response returns the current record, even if a
 * colleague has changed it since. A request counts as a retry if it has the record's values or, once the record has been changed, if the
 * same person created the record. Any other request with this id throws ID_TAKEN.
 */
export async function createRecordOnce<Table extends CompanyTable, Row extends object>(
  scope: TenantScope,
  kind: RecordType<Table, Row>,
  id: string,
  values: InsertValues<Table>,
): Promise<Row> {
  const { table, idColumn, conflicts } = kind;
  const stamps = { company_id: scope.companyId, id, user_id: getUserId(scope.actor), ...buildCreationTimes(scope), version: 1 };
  const insert = () =>
    scope.db
      .insert(table as PgTable)
      .values({ ...values, ...pickTableColumns(table, stamps) })
      .onConflictDoNothing({ target: [table.company_id, idColumn] })
      .returning(kind.returning ?? { id: idColumn });
  let rejection: DeclaredError = idTakenError;
  try {
    // Without a savepoint, a violated unique constraint would abort the whole transaction.
    const [created] = await (Object.keys(conflicts).length > 0 ? scope.savepoint(insert) : insert());
    if (created) return kind.returning ? (created as Row) : await readRecord(scope, kind, id);
  } catch (error) {
    rejection = toDeclaredConflict(kind, error);
  }
  // If two identical requests run at once, the second may violate the id or another unique constraint, so look for the record in both cases.
  const existing = await kind.find(scope, id);
  if (!existing) throw toFailure(rejection);
  if (!isSameRequest(table, existing, values) && !(await wasChangedSinceCreation(scope, kind, id))) throw toFailure(idTakenError);
  return existing;
}

/** Returns true if the caller created the record and it has been changed since. */
export async function wasChangedSinceCreation(scope: TenantScope, { table, idColumn }: RecordType<CompanyTable, object>, id: string) {
  const { version, user_id }: Partial<TableColumns> = getTableColumns(table);
  if (!version) return false;
  const isCreatedByCaller = user_id && eq(user_id, getUserId(scope.actor));
  const changed = await scope.db
    .select({ id: idColumn })
    .from(table)
    .where(and(inCompany(scope, table), eq(idColumn, id), gt(version, 1), isCreatedByCaller));
  return changed.length > 0;
}

/** Updates the record only if it still has the given version, and increments the version (optimistic locking). */
export async function updateRecordAtVersion<Table extends CompanyTable, Row extends object>(
  scope: TenantScope,
  kind: RecordType<Table, Row>,
  { id, version }: { readonly id: string; readonly version: number },
  values: Partial<InsertValues<Table>>,
): Promise<Row> {
  const { table, idColumn, returning } = kind;
  const versionColumn = getTableColumns(table)['version'];
  if (!versionColumn) throw new Error(`${getTableName(table)} has no version`);
  const [updated] = await scope.db
    .update(table as PgTable)
    .set({ ...values, ...pickTableColumns(table, buildChangeStamps(scope, versionColumn)) })
    .where(and(inCompany(scope, table), eq(idColumn, id), eq(versionColumn, version)))
    .returning(returning ?? { id: idColumn })
    .catch((error: unknown) => {
      throw toFailure(toDeclaredConflict(kind, error));
    });
  const current = updated && returning ? (updated as Row) : await readRecord(scope, kind, id);
  if (!updated) throw toFailure(staleRecordError, { current });
  return current;
}

export async function deleteRecord(scope: TenantScope, kind: RecordType<CompanyTable, object>, id: string): Promise<void> {
  const { table, idColumn, notFound } = kind;
  const deleted = await scope.db
    .delete(table as PgTable)
    .where(and(inCompany(scope, table), eq(idColumn, id)))
    .returning({ id: idColumn });
  if (deleted.length === 0) throw toFailure(notFound);
}

/**
 * Returns true if the record already has the requested values, which means that the request is a retry. Values that aren't part of the
 * record, such as search keys, are skipped. Decimals are compared by value, because '15' is stored as '15.000'.
 */
export function isSameRequest(table: PgTable, record: object, request: object): boolean {
  const columns: TableColumns = getTableColumns(table);
  const stored: Record<string, unknown> = { ...record };
  return Object.entries(request).every(
    ([name, value]) => !(name in stored) || isSameValue(columns[name]?.getSQLType() ?? '', stored[name], value),
  );
}

function isSameValue(sqlType: string, stored: unknown, requested: unknown): boolean {
  if (sqlType.startsWith('numeric') && typeof stored === 'string' && typeof requested === 'string')
    return toDecimal(stored).eq(toDecimal(requested));
  return isDeepStrictEqual(stored, requested);
}

function toDeclaredConflict({ conflicts }: Pick<RecordType<CompanyTable, object>, 'conflicts'>, error: unknown): DeclaredError {
  for (const [constraint, declared] of Object.entries(conflicts)) if (isUniqueViolation(error, constraint)) return declared;
  throw error;
}

/** Builds `updated_at` and `version`, which must be set with every change that could conflict with an open form. */
export const buildChangeStamps = ({ now }: TenantScope, version: PgColumn) => ({ updated_at: now, version: sql`${version} + 1` });

const buildCreationTimes = ({ now }: TenantScope) => ({ created_at: now, updated_at: now });

function pickTableColumns(table: PgTable, values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const columns = getTableColumns(table);
  return Object.fromEntries(Object.entries(values).filter(([name]) => name in columns));
}
