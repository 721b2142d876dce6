import type pg from 'pg';

/** Shown in the outbox, on the quote, the invoice and the invitation. */
const PROBLEM = 'Restored from a backup: it may have been sent before.';

/**
 * Nobody knows which of the mails that waited when the backup was taken have gone out since, so none is sent by itself: they are kept in
 * the outbox, from where the administrator sends them. Reminders that fell due in between are left out likewise. Returns how many are kept.
 * Runs on the tables of the backup, which may be older than this program.
 */
export async function keepWaitingMails(client: pg.Client): Promise<number> {
  const explains = await hasColumn(client, 'outbox_mails', 'problem');
  const { rows } = await client.query<{ id: string; company_id: string | null; report_task: string | null }>(
    `update public.outbox_mails m set status = 'kept', last_error = $1 ${explains ? ', problem = $1' : ''}
      where status = 'waiting' returning id, company_id, to_jsonb(m) ->> 'report_task' as report_task`,
    [PROBLEM],
  );
  await client.query(
    `delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
      where t.id = j.task_id and t.identifier = 'send-mail' and j.payload ->> 'id' = any ($1)`,
    [rows.map(({ id }) => id)],
  );
  // The restored server tells the records that these mails belong to.
  for (const { id, company_id, report_task } of rows) {
    if (report_task)
      await client.query('select graphile_worker.add_job($1, $2::json)', [report_task, JSON.stringify({ mail_id: id, company_id })]);
  }
  for (const kind of ['quote', 'invoice']) {
    if (await hasColumn(client, 'companies', `${kind}_reminders_since`))
      await client.query(`update public.companies set ${kind}_reminders_since = now() where ${kind}_reminder_days is not null`);
  }
  return rows.length;
}

async function hasColumn(client: pg.Client, table: string, column: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from pg_attribute where attrelid = to_regclass('public.' || $1) and attname = $2 and not attisdropped`,
    [table, column],
  );
  return rowCount === 1;
}
