-- When the person pressed the button on a device without a connection; null if the change arrived within a minute.
alter table record_events add column made_at timestamptz(3);
