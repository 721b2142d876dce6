-- The jobs list sorted by booking date, with jobs without a date last in both directions.
create index jobs_by_booking_up on jobs
  (company_id, (case when booking_date is null then 'infinity' else booking_date end), created_at, id);
create index jobs_by_booking_down on jobs
  (company_id, (case when booking_date is null then '-infinity' else booking_date end), created_at, id);
