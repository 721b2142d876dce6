-- A time sheet finds the entries that reach into a week from before by their length: nearly all are shorter than a day.
create index time_entries_over_a_day on time_entries (company_id, started_at, id)
  where ended_at is null or ended_at - started_at > interval '1 day';
