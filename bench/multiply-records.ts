import type pg from 'pg';

/** Copies of the measured company's records within the company, which make it ten times as large. */
const OLDER_COPY_COUNT = 9;
/** The original records cover fewer than three years, so that no two copies of a number fall into the same year. */
const YEARS_PER_COPY = 3;
/** Days, because two days can become one if years are subtracted. */
const DAYS_PER_COPY = YEARS_PER_COPY * 365 + 1;

/** Tables of which the measured company keeps its rows: a firm with ten times the records has the same people and categories. */
const NOT_MULTIPLIED = new Set(['staff_members', 'categories', 'job_counters', 'invoice_counters', 'record_counts']);
/** Columns that refer to people, who exist only once, or to the rows that aren't multiplied. */
const PEOPLE_COLUMNS = new Set(['user_id', 'profile_id', 'color_id', 'invited_by', 'copied_by']);
const SHARED_COLUMNS = new Set([...PEOPLE_COLUMNS, 'company_id', 'staff_id', 'category_id']);

/**
 * Gives the company nine copies of its records, each three years older and finished (paid, completed, read). Like `copyCompany`, copies
 * every column of every tenant table, so that new tables and columns need no change.
 */
export async function addOlderRecords(client: pg.Client, companyId: string): Promise<void> {
  const isMultiplied = ({ table, has_one_row }: TenantTable) => !has_one_row && !NOT_MULTIPLIED.has(table);
  await copyRows(client, { companyId, count: OLDER_COPY_COUNT, isCopied: isMultiplied, buildValue: buildOlderValue });
  await client.query('update record_counts set total = total * $2 where company_id = $1', [companyId, OLDER_COPY_COUNT + 1]);
}

/** Adds `count` companies with the same records as this one, but without its logins: a person works for one company. */
export async function copyCompany(client: pg.Client, companyId: string, count: number): Promise<void> {
  await copyRows(client, { companyId, count, isCopied: () => true, buildValue: (_table, column) => buildValueOfOtherCompany(column) });
}

interface RowCopy {
  readonly companyId: string;
  readonly count: number;
  readonly isCopied: (table: TenantTable) => boolean;
  readonly buildValue: (table: string, column: Column) => string;
}

async function copyRows(client: pg.Client, { companyId, count, isCopied, buildValue }: RowCopy): Promise<void> {
  // Copied rows need no triggers or foreign key checks.
  await client.query('set session_replication_role = replica');
  await client.query(COPY_FUNCTIONS);
  for (const { table, columns } of (await readTenantTables(client)).filter(isCopied)) {
    const names = columns.map(({ name }) => `"${name}"`).join(', ');
    await client.query(
      `insert into ${table} (${names}) select ${columns.map((column) => buildValue(table, column)).join(', ')}
        from generate_series(1, ${count}) k cross join ${table} t where t.company_id = $1`,
      [companyId],
    );
  }
  await client.query('set session_replication_role = default');
}

/** A copied id is a UUIDv7 with the same timestamp, so that the indexes look like those of a database that grew. */
const COPY_FUNCTIONS = `
  create or replace function pg_temp.copy_id(id uuid, k integer) returns uuid immutable strict parallel safe
    return (left(replace(id::text, '-', ''), 12) || '7' || left(md5(id::text || k), 3) || '8' || right(md5(id::text || k), 15))::uuid;
  create or replace function pg_temp.copy_token(token text, k integer) returns text immutable strict parallel safe
    return left(translate(encode(sha256((token || k)::bytea), 'base64'), '+/', '-_'), 22);
  create or replace function pg_temp.older_job_number(number text, k integer) returns text immutable strict parallel safe
    return 'J' || lpad(((substr(number, 2, 2)::integer - ${YEARS_PER_COPY} * k + 100) % 100)::text, 2, '0') || substr(number, 4);
  create or replace function pg_temp.older_quote_number(number text, k integer) returns text immutable strict parallel safe
    return 'Q' || lpad((substr(number, 2)::integer + 20000 * k)::text, 6, '0');
  create or replace function pg_temp.older_invoice_number(number text, k integer) returns text immutable strict parallel safe
    return split_part(number, '-', 1) || '-' || split_part(number, '-', 2)::integer - ${YEARS_PER_COPY} * k || '-' || split_part(number, '-', 3);
`;

interface Column {
  readonly name: string;
  readonly type: string;
}

/** Values of a copy that aren't simply the original or its older date: numbers are unique, and old work is finished. */
const OLDER_VALUES: Readonly<Record<string, string>> = {
  job_number: 'pg_temp.older_job_number(t.job_number, k)',
  quote_number: 'pg_temp.older_quote_number(t.quote_number, k)',
  invoice_number: 'pg_temp.older_invoice_number(t.invoice_number, k)',
  token: 'pg_temp.copy_token(t.token, k)',
  'jobs.search_text': replaceInText('job_number'),
  'quotes.search_text': replaceInText('quote_number'),
  'invoices.search_text': replaceInText('job_number', replaceInText('invoice_number')),
  'invoices.year': `t.year - ${YEARS_PER_COPY} * k`,
  'invoices.paid_amount': 't.total_amount',
  'jobs.status': `case when t.status = 'canceled' then t.status else 'paid' end`,
  'quotes.status': `case when t.status in ('draft', 'sent') then 'expired' else t.status end`,
  'tasks.status': `'completed'`,
  'tasks.completed_at': `coalesce(t.completed_at, t.created_at) - k * interval '${DAYS_PER_COPY} days'`,
  'notifications.read': 'true',
};

function replaceInText(number: string, text = 't.search_text'): string {
  return `replace(${text}, lower(t.${number}), lower(pg_temp.older_${number}(t.${number}, k)))`;
}

function buildOlderValue(table: string, { name, type }: Column): string {
  const special = OLDER_VALUES[`${table}.${name}`] ?? OLDER_VALUES[name];
  if (special !== undefined) return special;
  if (type === 'uuid' && !SHARED_COLUMNS.has(name)) return `pg_temp.copy_id(t."${name}", k)`;
  if (type.startsWith('timestamptz') || type === 'date') return `(t."${name}" - k * interval '${DAYS_PER_COPY} days')::${type}`;
  return `t."${name}"`;
}

function buildValueOfOtherCompany({ name, type }: Column): string {
  if (name === 'token') return 'pg_temp.copy_token(t.token, k)';
  if (type === 'uuid' && !PEOPLE_COLUMNS.has(name)) return `pg_temp.copy_id(t."${name}", k)`;
  return `t."${name}"`;
}

interface TenantTable {
  readonly table: string;
  readonly columns: readonly Column[];
  /** Set if each company has one row, identified by the company alone. */
  readonly has_one_row: boolean;
}

async function readTenantTables(client: pg.Client): Promise<TenantTable[]> {
  const { rows } = await client.query<TenantTable>(
    `select c.table_name as table, json_agg(json_build_object('name', c.column_name, 'type', c.udt_name) order by c.ordinal_position) as columns,
       (select array_agg(k.column_name::text) = '{company_id}' from information_schema.table_constraints p
         join information_schema.key_column_usage k using (constraint_schema, constraint_name)
         where p.table_schema = 'public' and p.table_name = c.table_name and p.constraint_type = 'PRIMARY KEY') as has_one_row
     from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and c.is_generated = 'NEVER' and t.table_type = 'BASE TABLE'
       and exists (select from information_schema.columns k where (k.table_schema, k.table_name, k.column_name)
         = (c.table_schema, c.table_name, 'company_id')) group by c.table_name order by c.table_name`,
  );
  return rows;
}
