-- Jobs that are counted and listed together, the newest first.
create index active_jobs on jobs (company_id, created_at, id) where status in ('pending', 'contacted', 'booked');
create index uninvoiced_jobs on jobs (company_id, created_at, id) where status = 'complete' and billed_amount is null;
