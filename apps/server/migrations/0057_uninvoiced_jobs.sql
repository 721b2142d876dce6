-- Finished jobs without an open invoice. A job can be marked as invoiced by hand, so the status alone does not say so.
create index uninvoiced_jobs on jobs (company_id, created_at, id) where status in ('complete', 'invoiced') and billed_amount is null;
