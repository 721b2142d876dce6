import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { MIGRATION_LOCK } from '../platform/db/locks.sql.ts';
import type { ArchivedTable, Manifest } from './archive-format.ts';
import { markWaitingMailsKept } from './restored-mails.sql.ts';
import { type DatabaseTable, listTables, quoteColumns, quoteName } from './snapshot.sql.ts';

/** Starts the restore's transaction and takes the migration lock, so that a server that starts meanwhile waits for the restore to end. */
export async function beginRestore(client: pg.Client): Promise<void> {
  await client.query('begin');
  await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
}

export async function isEmptyDatabase(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ queue: string | null }>(`select to_regnamespace('graphile_worker')::text as queue`);
  return rows[0]?.queue === null && (await listTables(client)).length === 0;
}

/** A check that would block copying rows, with the SQL statements that disable and re-enable it. */
export interface DisabledCheck {
  readonly disable: string;
  readonly enable: string;
}

/** Disables the checks, foreign keys first: re-enable those before row-level security, which would hide violations from the owner. */
export async function disableChecks(client: pg.Client, tables: readonly DatabaseTable[]): Promise<DisabledCheck[]> {
  // Delete the rows that migrations inserted, because the backup contains them too.
  await client.query(`truncate ${tables.map(quoteName).join(', ')}`);
  const { rows } = await client.query<DisabledCheck>(
    `with loaded as (select to_regclass(name) as oid from unnest($1::text[]) name)
      select format('alter table %s drop constraint %I', conrelid::regclass, conname) as disable,
          format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(c.oid)) as enable, 1 as step
        from pg_constraint c join loaded on loaded.oid = conrelid where contype = 'f' and conparentid = 0
      union all select format('alter table %s disable trigger %I', tgrelid::regclass, tgname),
          format('alter table %s enable trigger %I', tgrelid::regclass, tgname), 2
        from pg_trigger join loaded on loaded.oid = tgrelid where not tgisinternal and tgenabled = 'O'
      union all select format('alter table %s no force row level security', c.oid::regclass),
          format('alter table %s force row level security', c.oid::regclass), 3
        from pg_class c join loaded using (oid) where relforcerowsecurity
      order by step`,
    [tables.map(quoteName)],
  );
  for (const { disable } of rows) await client.query(disable);
  return rows;
}

/** Copies the rows in `bytes` into the table and returns the number of rows. */
export async function loadRows(client: pg.Client, table: ArchivedTable, bytes: AsyncIterable<Buffer>): Promise<number> {
  const target = client.query(copyFrom(`copy ${quoteName(table)} (${quoteColumns(table)}) from stdin`));
  await pipeline(bytes, target);
  return target.rowCount;
}

/** Completes the restored data and re-enables the checks. Returns the number of waiting emails that were marked as kept. */
export async function finishRestore(
  client: pg.Client,
  { sequences }: Manifest,
  tables: readonly DatabaseTable[],
  checks: readonly DisabledCheck[],
): Promise<number> {
  // The workers that locked these jobs no longer exist, so unlock the jobs to let them run again.
  for (const name of ['_private_jobs', '_private_job_queues']) {
    await client.query(`update graphile_worker.${name} set locked_at = null, locked_by = null where locked_at is not null`);
  }
  for (const sequence of sequences) await client.query('select setval($1, $2)', [quoteName(sequence), sequence.last_value]);
  // Row-level security would hide the emails, so mark them before it is enabled again.
  const keptMails = await markWaitingMailsKept(client);
  for (const { enable } of checks) await client.query(enable);
  await client.query(`analyze ${tables.map(quoteName).join(', ')}`);
  return keptMails;
}

export async function commitRestore(client: pg.Client): Promise<void> {
  const { command } = await client.query('commit');
  // PostgreSQL answers COMMIT in a failed transaction with ROLLBACK instead of an error, so check the answer.
  if (command !== 'COMMIT') throw new Error('The database rolled back the restore');
}
