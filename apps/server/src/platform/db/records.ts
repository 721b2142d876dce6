import { isDeepStrictEqual } from 'node:util';
import { idTaken, staleRecord } from '@callout/contract/errors';
import { decimal } from '@callout/domain/money/decimal';
import { and, eq, type GetColumnData, getTableColumns, getTableName, gt, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { type DeclaredError, failureOf } from '../errors/failures.ts';
import { userIdOf } from './actor.ts';
import { isUniqueViolation } from './database-errors.ts';
import { prepareSelect } from './prepared-select.ts';
import type { TenantScope } from './tenant-scope.ts';

/**
 * How every feature reads, creates, changes and deletes its records.
 *
 * One error style: these functions return the record or throw the failure that the contract declares (NOT_FOUND, ID_TAKEN, STALE_VERSION,
 * or the one of a unique constraint). None of them answers "refused" with null or false, which a caller could forget to check.
 */

export type CompanyTable = PgTable & { readonly company_id: PgColumn };
export type Columns = Readonly<Record<string, PgColumn>>;
export type RowOf<Selected extends Columns> = { [Name in keyof Selected]: GetColumnData<Selected[Name]> };

/** Set by the functions below, in tables that have them. */
type ServerColumn = 'company_id' | 'id' | 'user_id' | 'created_at' | 'updated_at' | 'version';
type NewValues<Table extends PgTable> = Omit<Table['$inferInsert'], ServerColumn>;

export interface RecordKind<Table extends CompanyTable, Row extends object> {
  readonly table: Table;
  readonly idColumn: PgColumn;
  readonly notFound: DeclaredError;
  readonly conflicts: Readonly<Record<string, DeclaredError>>;
  /** The columns a write returns; null when reading the record takes more than one table. */
  readonly returning: Columns | null;
  find(scope: TenantScope, id: string): Promise<Row | null>;
}

interface RecordErrors {
  readonly notFound: DeclaredError;
  /** The error for each unique constraint, thrown when another record already has the value. */
  readonly conflicts?: Readonly<Record<string, DeclaredError>>;
}

/** A record that is one row of its table. */
export function defineRecord<Table extends CompanyTable & { readonly id: PgColumn }, Selected extends Columns>(
  table: Table,
  columns: Selected,
  { notFound, conflicts = {} }: RecordErrors,
): RecordKind<Table, RowOf<Selected>> {
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
      return (rows[0] as RowOf<Selected> | undefined) ?? null;
    },
  };
}

/** The columns of a schema's fields. A field without a column does not compile; a new field with one needs nothing else. */
export function columnsOf<Table extends PgTable, Name extends keyof Table['_']['columns'] & string>(
  table: Table,
  schema: { readonly shape: Readonly<Record<Name, unknown>> },
): Pick<Table['_']['columns'], Name> {
  const columns: Columns = getTableColumns(table);
  const picked = Object.keys(schema.shape).map((name) => [name, columns[name]]);
  return Object.fromEntries(picked) as Pick<Table['_']['columns'], Name>;
}

/** The company's rows of a table, or the one with this id. */
export function inCompany(scope: TenantScope, table: CompanyTable): SQL | undefined;
export function inCompany(scope: TenantScope, table: CompanyTable & { readonly id: PgColumn }, id: string): SQL | undefined;
export function inCompany(scope: TenantScope, table: CompanyTable & { readonly id?: PgColumn }, id?: string): SQL | undefined {
  const isOfCompany = eq(table.company_id, scope.companyId);
  return table.id && id !== undefined ? and(isOfCompany, eq(table.id, id)) : isOfCompany;
}

export async function readRecord<Row extends object>(scope: TenantScope, kind: RecordKind<CompanyTable, Row>, id: string): Promise<Row> {
  const row = await kind.find(scope, id);
  if (!row) throw failureOf(kind.notFound);
  return row;
}

/**
 * Creates the record under its client-made id. A request that is sent again after a lost answer gets the record as it is now, even if a
 * colleague has changed it since: it is recognized by its values, or, once the record has been changed, by the person who created it. A
 * record that nobody has changed and that has other values was made by a different request: ID_TAKEN.
 */
export async function createOnce<Table extends CompanyTable, Row extends object>(
  scope: TenantScope,
  kind: RecordKind<Table, Row>,
  id: string,
  values: NewValues<Table>,
): Promise<Row> {
  const { table, idColumn, conflicts } = kind;
  const stamps = { company_id: scope.companyId, id, user_id: userIdOf(scope.actor), ...timesOf(scope), version: 1 };
  const insert = () =>
    scope.db
      .insert(table as PgTable)
      .values({ ...values, ...knownColumns(table, stamps) })
      .onConflictDoNothing({ target: [table.company_id, idColumn] })
      .returning(kind.returning ?? { id: idColumn });
  let refusal: DeclaredError = idTaken;
  try {
    // Only a savepoint leaves the transaction usable after a unique constraint has refused the row.
    const [created] = await (Object.keys(conflicts).length > 0 ? scope.savepoint(insert) : insert());
    if (created) return kind.returning ? (created as Row) : await readRecord(scope, kind, id);
  } catch (error) {
    refusal = declaredConflict(kind, error);
  }
  // With two identical concurrent requests, either constraint may reject the second.
  const existing = await kind.find(scope, id);
  if (!existing) throw failureOf(refusal);
  if (!isSameRequest(table, existing, values) && !(await wasChangedSinceCreation(scope, kind, id))) throw failureOf(idTaken);
  return existing;
}

/** Whether the caller created the record, and it has been changed since. */
export async function wasChangedSinceCreation(scope: TenantScope, { table, idColumn }: RecordKind<CompanyTable, object>, id: string) {
  const { version, user_id }: Partial<Columns> = getTableColumns(table);
  if (!version) return false;
  const isOfCaller = user_id && eq(user_id, userIdOf(scope.actor));
  const changed = await scope.db
    .select({ id: idColumn })
    .from(table)
    .where(and(inCompany(scope, table), eq(idColumn, id), gt(version, 1), isOfCaller));
  return changed.length > 0;
}

/** Changes the record if it still has the version that the change was made from, which goes up by one. */
export async function updateFromVersion<Table extends CompanyTable, Row extends object>(
  scope: TenantScope,
  kind: RecordKind<Table, Row>,
  { id, version }: { readonly id: string; readonly version: number },
  values: Partial<NewValues<Table>>,
): Promise<Row> {
  const { table, idColumn, returning } = kind;
  const versionColumn = getTableColumns(table)['version'];
  if (!versionColumn) throw new Error(`${getTableName(table)} has no version`);
  const [updated] = await scope.db
    .update(table as PgTable)
    .set({ ...values, ...knownColumns(table, changeStamps(scope, versionColumn)) })
    .where(and(inCompany(scope, table), eq(idColumn, id), eq(versionColumn, version)))
    .returning(returning ?? { id: idColumn })
    .catch((error: unknown) => {
      throw failureOf(declaredConflict(kind, error));
    });
  const current = updated && returning ? (updated as Row) : await readRecord(scope, kind, id);
  if (!updated) throw failureOf(staleRecord, { current });
  return current;
}

export async function deleteRecord(scope: TenantScope, kind: RecordKind<CompanyTable, object>, id: string): Promise<void> {
  const { table, idColumn, notFound } = kind;
  const deleted = await scope.db
    .delete(table as PgTable)
    .where(and(inCompany(scope, table), eq(idColumn, id)))
    .returning({ id: idColumn });
  if (deleted.length === 0) throw failureOf(notFound);
}

/**
 * Whether a record is what this request asks for, so that the request has been carried out before. Values that the record doesn't show,
 * such as search keys, follow from those it shows. Decimals are compared by value: '15' is stored as '15.000'.
 */
export function isSameRequest(table: PgTable, record: object, request: object): boolean {
  const columns: Columns = getTableColumns(table);
  const stored: Record<string, unknown> = { ...record };
  return Object.entries(request).every(
    ([name, value]) => !(name in stored) || isSameValue(columns[name]?.getSQLType() ?? '', stored[name], value),
  );
}

function isSameValue(sqlType: string, stored: unknown, requested: unknown): boolean {
  if (sqlType.startsWith('numeric') && typeof stored === 'string' && typeof requested === 'string')
    return decimal(stored).eq(decimal(requested));
  return isDeepStrictEqual(stored, requested);
}

function declaredConflict({ conflicts }: Pick<RecordKind<CompanyTable, object>, 'conflicts'>, error: unknown): DeclaredError {
  for (const [constraint, declared] of Object.entries(conflicts)) if (isUniqueViolation(error, constraint)) return declared;
  throw error;
}

/** Set by every change that a form may conflict with. */
export const changeStamps = ({ now }: TenantScope, version: PgColumn) => ({ updated_at: now, version: sql`${version} + 1` });

const timesOf = ({ now }: TenantScope) => ({ created_at: now, updated_at: now });

function knownColumns(table: PgTable, values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const columns = getTableColumns(table);
  return Object.fromEntries(Object.entries(values).filter(([name]) => name in columns));
}
