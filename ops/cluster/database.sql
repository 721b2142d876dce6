-- Run once with psql as the superuser, through HAProxy. Fill in the names in ${...}, for example with envsubst.
create role callout login createrole password '${OWNER_PASSWORD}';
create database callout owner callout;
create role pgbouncer login password '${PGBOUNCER_PASSWORD}';
-- Callout lets only its own logins connect, so PgBouncer needs a right of its own.
grant connect on database callout to pgbouncer;

\connect callout
-- Lets PgBouncer check the passwords of Callout's logins, and only of those: never of the superuser or the owner.
create schema pgbouncer;
create function pgbouncer.find_login(login text) returns table (name text, secret text)
  language sql stable security definer set search_path = pg_catalog
  as $$ select usename::text, passwd from pg_shadow where usename = login and usename like 'callout\_%' and not usesuper $$;
revoke all on schema pgbouncer from public;
revoke all on function pgbouncer.find_login(text) from public;
grant usage on schema pgbouncer to pgbouncer;
grant execute on function pgbouncer.find_login(text) to pgbouncer;
