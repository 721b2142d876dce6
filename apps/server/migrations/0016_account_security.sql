-- A mailed link by which its holder sets a new password: for a forgotten one ('reset'), or to take an account back after its email
-- was changed ('undo'). Only its hash is kept.
create table password_links (
  token_hash text primary key,
  user_id uuid not null references users (id) on delete cascade,
  kind text not null check (kind in ('reset', 'undo')),
  -- Where it was mailed to. The account has this email once the link was used.
  email text not null,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default clock_timestamp()
);
create index password_links_by_user on password_links (user_id);
create index password_links_by_expiry on password_links (expires_at);
-- An email that can still be taken back is free for nobody else.
create index password_links_to_undo on password_links (email) where kind = 'undo';
grant select, insert, update, delete on password_links to callout_system;

-- The email whose mailed link set this password and ended everything that was open before. Only such an account administers the server.
alter table accounts add column claimed_email text;

-- Somebody who joins a company by invitation takes the login over, so no older link works any more.
create or replace function end_login_links(login uuid) returns setof uuid
  language sql security definer set search_path = pg_catalog, pg_temp
begin atomic
  delete from public.email_changes where user_id = login;
  delete from public.password_links where user_id = login;
  delete from public.sessions where user_id = login returning id;
end;

-- The links that password_links replaces. better-auth asks for the table itself.
delete from verifications;

alter table sessions add column last_active_at timestamptz(3) not null default now();
update sessions set last_active_at = updated_at, expires_at = least(expires_at, created_at + interval '90 days');
