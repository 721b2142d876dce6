-- When a start or pause arrived that was pressed on a device without a connection; null if both arrived within a minute.
alter table time_entries add column arrived_at timestamptz(3);
