-- A new address counts once its mailed link was opened. One open change per person; its link is kept only as a hash.
create table email_changes (
  user_id uuid primary key references users (id) on delete cascade,
  new_email text not null,
  token_hash text not null unique,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now()
);
grant select, insert, update, delete on email_changes to callout_system;
