-- When the person pressed the button on a device without a connection; null if the comment arrived within a minute.
alter table job_comments add column made_at timestamptz(3);
