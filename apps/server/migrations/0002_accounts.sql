create table users (
  id uuid primary key,
  name text not null,
  email text not null unique,
  email_verified boolean not null default false,
  image text,
  menu_order jsonb,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);

create table sessions (
  id uuid primary key,
  token text not null unique,
  user_id uuid not null references users (id) on delete cascade,
  expires_at timestamptz(3) not null,
  ip_address text,
  user_agent text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index sessions_by_user on sessions (user_id);
create index sessions_by_expiry on sessions (expires_at);

create table accounts (
  id uuid primary key,
  account_id text not null,
  provider_id text not null,
  user_id uuid not null references users (id) on delete cascade,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz(3),
  refresh_token_expires_at timestamptz(3),
  scope text,
  password text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index accounts_by_user on accounts (user_id);

create table verifications (
  id uuid primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index verifications_by_identifier on verifications (identifier);

-- Counts attempts per key and window. Losing it in a crash only forgives attempts.
create unlogged table rate_limits (
  key text primary key,
  attempts integer not null,
  window_ends_at timestamptz(3) not null
);
create index rate_limits_by_end on rate_limits (window_ends_at);

grant select, insert, update, delete on users, sessions, accounts, verifications, rate_limits to callout_system;
