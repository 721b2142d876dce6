-- Categories can be renamed, from the version that was read.
alter table categories
  add column updated_at timestamptz(3) not null default now(),
  add column version integer not null default 1;
