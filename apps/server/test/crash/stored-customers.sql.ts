import { findRunningPostgres } from '@callout/embedded-postgres/embedded-postgres';
import pg from 'pg';
import { EMBEDDED_DATABASE } from '../../src/config.ts';

/** Describes each lost customer, index mismatch and corrupt page. Returns an empty list if all data is intact. */
export async function findDamage(dataDir: string, acknowledged: ReadonlySet<string>): Promise<string[]> {
  const client = new pg.Client(await findRunningPostgres({ ...EMBEDDED_DATABASE, dataDir }));
  await client.connect();
  try {
    return [...(await findLostCustomers(client, acknowledged)), ...(await findIndexMismatches(client)), ...(await findCorruption(client))];
  } finally {
    await client.end();
  }
}

async function findLostCustomers(client: pg.Client, acknowledged: ReadonlySet<string>): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    'select id from unnest($1::uuid[]) as acknowledged (id) where not exists (select from customers where customers.id = acknowledged.id)',
    [[...acknowledged]],
  );
  return rows.map(({ id }) => `Customer ${id} was acknowledged but is lost`);
}

/** Compares the table with its index in a single snapshot, because customers are still being created. */
async function findIndexMismatches(client: pg.Client): Promise<string[]> {
  const countWithout = async (scanTypes: readonly string[]) => {
    await client.query(scanTypes.map((scan) => `set local enable_${scan} = off`).join('; '));
    const { rows } = await client.query<{ count: string }>('select count(id) from customers');
    await client.query(scanTypes.map((scan) => `set local enable_${scan} = on`).join('; '));
    return rows[0]?.count;
  };
  await client.query('begin isolation level repeatable read');
  const [byTable, byIndex] = [await countWithout(['indexscan', 'indexonlyscan', 'bitmapscan']), await countWithout(['seqscan'])];
  await client.query('commit');
  return byTable === byIndex ? [] : [`The table has ${byTable} customers but its index has ${byIndex}`];
}

/** Runs PostgreSQL's amcheck, which verifies that all pages are well-formed and that every table row is in all of the table's indexes. */
async function findCorruption(client: pg.Client): Promise<string[]> {
  await client.query('create extension if not exists amcheck');
  const ourRelations = `pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname not in ('pg_catalog', 'information_schema', 'pg_toast') and relpersistence = 'p'`;
  const heaps = await client.query<{ relname: string; msg: string }>(
    `select relname, msg from (select pg_class.oid, relname from ${ourRelations} and relkind = 'r') as heap, verify_heapam(heap.oid)`,
  );
  const problems = heaps.rows.map(({ relname, msg }) => `Table ${relname}: ${msg}`);
  for (const [kind, check] of [
    ['btree', 'bt_index_check($1::regclass, true)'],
    ['gin', 'gin_index_check($1::regclass)'],
  ]) {
    const { rows } = await client.query<{ oid: number }>(
      `select pg_class.oid::int from ${ourRelations} and relkind = 'i' and relam = (select oid from pg_am where amname = $1)`,
      [kind],
    );
    for (const { oid } of rows) await client.query(`select ${check}`, [oid]).catch((error: Error) => problems.push(error.message));
  }
  return problems;
}
