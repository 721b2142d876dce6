import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { MIGRATION_LOCK } from '../platform/db/advisory-locks.ts';
import type { ArchivedTable, Manifest } from './archive-format.ts';
import { keepWaitingMails } from './keep-mails.sql.ts';
import { quote, quoteColumns, readTables, type Table } from './snapshot.sql.ts';

/** Starts the restore's transaction. A server that starts in the meantime waits for it. */
export async function beginLoad(client: pg.Client): Promise<void> {
  await client.query('begin');
  await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
}

export async function isEmptyDatabase(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ queue: string | null }>(`select to_regnamespace('graphile_worker')::text as queue`);
  return rows[0]?.queue === null && (await readTables(client)).length === 0;
}

/** A check that would block copying rows, and the statement that restores it. */
export interface DisabledCheck {
  readonly disable: string;
  readonly enable: string;
}

/**
 * Empties the tables that migrations filled and disables constraints, triggers and policies that apply per row. Foreign keys
 * are restored first: under forced row-level security an owner who is not a superuser would not see violations.
 */
export async function disableChecks(client: pg.Client, tables: readonly Table[]): Promise<DisabledCheck[]> {
  await client.query(`truncate ${tables.map(quote).join(', ')}`);
  const { rows } = await client.query<DisabledCheck>(
    `with loaded as (select to_regclass(name) as oid from unnest($1::text[]) name)
      select format('alter table %s drop constraint %I', conrelid::regclass, conname) as disable,
          format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(c.oid)) as enable, 1 as turn
        from pg_constraint c join loaded on loaded.oid = conrelid where contype = 'f' and conparentid = 0
      union all select format('alter table %s disable trigger %I', tgrelid::regclass, tgname),
          format('alter table %s enable trigger %I', tgrelid::regclass, tgname), 2
        from pg_trigger join loaded on loaded.oid = tgrelid where not tgisinternal and tgenabled = 'O'
      union all select format('alter table %s no force row level security', c.oid::regclass),
          format('alter table %s force row level security', c.oid::regclass), 3
        from pg_class c join loaded using (oid) where relforcerowsecurity
      order by turn`,
    [tables.map(quote)],
  );
  for (const { disable } of rows) await client.query(disable);
  return rows;
}

/** Returns the number of rows. */
export async function loadRows(client: pg.Client, table: ArchivedTable, bytes: AsyncIterable<Buffer>): Promise<number> {
  const target = client.query(copyFrom(`copy ${quote(table)} (${quoteColumns(table)}) from stdin`));
  await pipeline(bytes, target);
  return target.rowCount;
}

/** Returns how many mails that waited are kept. */
export async function finishLoad(
  client: pg.Client,
  { sequences }: Manifest,
  tables: readonly Table[],
  checks: readonly DisabledCheck[],
): Promise<number> {
  // The worker that held these jobs is gone: unlock them so that they run again.
  for (const name of ['_private_jobs', '_private_job_queues']) {
    await client.query(`update graphile_worker.${name} set locked_at = null, locked_by = null where locked_at is not null`);
  }
  for (const sequence of sequences) await client.query('select setval($1, $2)', [quote(sequence), sequence.last_value]);
  // Before row-level security is back.
  const keptMails = await keepWaitingMails(client);
  for (const { enable } of checks) await client.query(enable);
  await client.query(`analyze ${tables.map(quote).join(', ')}`);
  return keptMails;
}

export async function commitLoad(client: pg.Client): Promise<void> {
  const { command } = await client.query('commit');
  // PostgreSQL answers COMMIT of a failed transaction with ROLLBACK and no error.
  if (command !== 'COMMIT') throw new Error('The database took nothing of the restore');
}
