-- The line that holds a job's fixed amount since the job got its first items.
alter table job_items add column is_fixed_price boolean not null default false;

-- The jobs list filtered by jobs without a date, by creation and by booking date.
create index jobs_without_date on jobs (company_id, created_at, id) where booking_date is null;
create index jobs_without_date_up on jobs
  (company_id, (case when booking_date is null then 'infinity' else booking_date end), created_at, id) where booking_date is null;
create index jobs_without_date_down on jobs
  (company_id, (case when booking_date is null then '-infinity' else booking_date end), created_at, id) where booking_date is null;
