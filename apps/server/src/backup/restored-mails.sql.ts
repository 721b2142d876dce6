import type pg from 'pg';

/** Explanation shown with a restored email in the outbox, and on its quote, invoice or invitation. */
const RESTORED_MAIL_PROBLEM = 'Restored from a backup. It may already have been sent.';

/**
 * Marks waiting emails as kept and returns their number. They may have been sent after the backup was taken, so only the system
 * administrator can send them now, and reminders that are already due are skipped. The backup's schema may be older than this code.
 */
export async function markWaitingMailsKept(client: pg.Client): Promise<number> {
  const hasProblemColumn = await hasColumn(client, 'outbox_mails', 'problem');
  const { rows } = await client.query<{ id: string; company_id: string | null; report_task: string | null }>(
    `update public.outbox_mails m set status = 'kept', last_error = $1 ${hasProblemColumn ? ', problem = $1' : ''}
      where status = 'waiting' returning id, company_id, to_jsonb(m) ->> 'report_task' as report_task`,
    [RESTORED_MAIL_PROBLEM],
  );
  await client.query(
    `delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
      where t.id = j.task_id and t.identifier = 'send-mail' and j.payload ->> 'id' = any ($1)`,
    [rows.map(({ id }) => id)],
  );
  // Queue jobs that update the emails' quotes, invoices and invitations once the restored server runs.
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
