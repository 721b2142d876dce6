-- Whether a job's last invoice was canceled. If the job is paid, money was received without an invoice, so it isn't done with.
alter table jobs add column is_invoice_canceled boolean not null default false;

set local role callout_system;
update jobs j set is_invoice_canceled = true
  where billed_amount is null and exists (
    select from invoices i where i.company_id = j.company_id and i.job_id = j.id and i.kind = 'invoice' and i.state = 'credited');
reset role;

drop index uninvoiced_jobs;
create index uninvoiced_jobs on jobs (company_id, created_at, id) include (total_amount, currency)
  where billed_amount is null and (status in ('complete', 'invoiced') or status = 'paid' and is_invoice_canceled);
