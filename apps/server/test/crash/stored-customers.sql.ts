import { findRunningPostgres } from '@callout/embedded-postgres/embedded-postgres';
import pg from 'pg';
import { EMBEDDED_DATABASE } from '../../src/config.ts';

/** One sentence for each problem with the data on disk; empty when every acknowledged customer is stored and all indexes agree. */
export async function findDamage(dataDir: string, acknowledged: ReadonlySet<string>): Promise<string[]> {
  const client = new pg.Client(await findRunningPostgres({ ...EMBEDDED_DATABASE, dataDir }));
  await client.connect();
  try {
    return [...(await lostCustomers(client, acknowledged)), ...(await disagreements(client)), ...(await brokenStructures(client))];
  } finally {
    await client.end();
  }
}

async function lostCustomers(client: pg.Client, acknowledged: ReadonlySet<string>): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    'select id from unnest($1::uuid[]) as acknowledged (id) where not exists (select from customers where customers.id = acknowledged.id)',
    [[...acknowledged]],
  );
  return rows.map(({ id }) => `Customer ${id} was acknowledged and is lost`);
}

/** In one snapshot, since customers are still being added. */
async function disagreements(client: pg.Client): Promise<string[]> {
  const count = async (forbidden: readonly string[]) => {
    await client.query(forbidden.map((way) => `set local enable_${way} = off`).join('; '));
    const { rows } = await client.query<{ count: string }>('select count(id) from customers');
    await client.query(forbidden.map((way) => `set local enable_${way} = on`).join('; '));
    return rows[0]?.count;
  };
  await client.query('begin isolation level repeatable read');
  const [byTable, byIndex] = [await count(['indexscan', 'indexonlyscan', 'bitmapscan']), await count(['seqscan'])];
  await client.query('commit');
  return byTable === byIndex ? [] : [`The table holds ${byTable} customers, its index ${byIndex}`];
}

/** PostgreSQL's own check of every table and index: each row is in each index, and each page is well formed. */
async function brokenStructures(client: pg.Client): Promise<string[]> {
  await client.query('create extension if not exists amcheck');
  const ours = `pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname not in ('pg_catalog', 'information_schema', 'pg_toast') and relpersistence = 'p'`;
  const heaps = await client.query<{ relname: string; msg: string }>(
    `select relname, msg from (select pg_class.oid, relname from ${ours} and relkind = 'r') as heap, verify_heapam(heap.oid)`,
  );
  const broken = heaps.rows.map(({ relname, msg }) => `Table ${relname}: ${msg}`);
  for (const [kind, check] of [
    ['btree', 'bt_index_check($1::regclass, true)'],
    ['gin', 'gin_index_check($1::regclass)'],
  ]) {
    const { rows } = await client.query<{ oid: number }>(
      `select pg_class.oid::int from ${ours} and relkind = 'i' and relam = (select oid from pg_am where amname = $1)`,
      [kind],
    );
    for (const { oid } of rows) await client.query(`select ${check}`, [oid]).catch((error: Error) => broken.push(error.message));
  }
  return broken;
}
