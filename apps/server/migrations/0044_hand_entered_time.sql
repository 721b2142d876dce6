-- A rate that was typed and confirmed for a job applies even if the assigned person has a rate of their own.
alter table jobs add column hourly_rate_confirmed boolean not null default false;

-- Who added an entry by hand; null if a timer recorded it.
alter table time_entries add column added_by text;
-- When the person pressed Start, if the time since then was billed in part and is now an entry of its own.
alter table time_entries add column timer_started_at timestamptz(3);
