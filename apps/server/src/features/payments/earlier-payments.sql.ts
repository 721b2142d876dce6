import type pg from 'pg';

const BATCH_SIZE = 500;

/** Skips payments that an invoice being issued has locked: the next run completes them. */
const COMPLETE_BATCH = `
  with batch as materialized (select company_id, id from payments where job_title is null limit $1 for no key update skip locked)
  update payments p set job_title = j.title, invoice_number = find_invoice_number_at(p.company_id, p.job_id,
      coalesce((select o.recorded_at from payments o where o.company_id = p.company_id and o.id = p.reverses), p.recorded_at))
    from batch, jobs j
    where p.company_id = batch.company_id and p.id = batch.id and j.company_id = p.company_id and j.id = p.job_id`;

/** Stores the invoice and the job title of payments that were recorded before migration 0120, in short transactions. */
export async function completeEarlierPayments(pool: pg.Pool | pg.Client, signal: AbortSignal, batchSize = BATCH_SIZE): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const { rowCount } = await pool.query(COMPLETE_BATCH, [batchSize]);
    if (rowCount === 0) return;
  }
}
