-- Whoever takes a login over gets a calendar feed of their own: the address of the old one is known to somebody else. Otherwise as before.
create or replace function end_login_links(login uuid) returns setof uuid
  language sql security definer set search_path = pg_catalog, pg_temp
begin atomic
  update public.public_links l set revoked_at = now() from public.staff_members m
    where m.profile_id = login and l.company_id = m.company_id and l.record_kind = 'calendar' and l.record_id = m.id and l.revoked_at is null;
  delete from public.email_changes where user_id = login;
  delete from public.password_links where user_id = login;
  delete from public.sessions where user_id = login returning id;
end;

-- The feed ends with the login of its person, however they lose it.
create function end_calendar_feed() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update public.public_links l set revoked_at = now()
    where l.company_id = old.company_id and l.record_kind = 'calendar' and l.record_id = old.id and l.revoked_at is null;
  return null;
end $$;
revoke execute on function end_calendar_feed from public;
create trigger end_calendar_feed after update of profile_id on staff_members
  for each row when (new.profile_id is distinct from old.profile_id) execute function end_calendar_feed();
create trigger end_calendar_feed_of_removed after delete on staff_members for each row execute function end_calendar_feed();
grant create on schema public to callout_system;
alter function end_calendar_feed owner to callout_system;
revoke create on schema public from callout_system;

-- The columns of the board of one person.
create index jobs_of_staff_by_status on jobs (company_id, staff_id, status, created_at, id);

-- What was for no screen: tasks are neither searched nor sorted by title, and jobs_by_status finds complete jobs without an invoice as well.
alter table tasks drop column title_key, drop column search_text;
drop index uninvoiced_jobs;
