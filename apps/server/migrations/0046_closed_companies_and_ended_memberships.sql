-- A company that its admin deletes is closed for a week, in which the deletion can be undone. Null while it is open.
alter table companies add column deletes_at timestamptz(3);
create index companies_to_delete on companies (deletes_at) where deletes_at is not null;

-- The open pages of a removed member still send the cookie of a session that is gone. Only by that cookie are they told why it ended.
create table ended_memberships (
  company_id uuid not null references companies (company_id) on delete cascade,
  session_hash text not null,
  ended_at timestamptz not null default now(),
  primary key (company_id, session_hash)
);
call guard_tenant_table('ended_memberships');
create index ended_memberships_by_session on ended_memberships (session_hash);

-- Remembers the sessions that end with the membership. Otherwise as before.
create or replace function remove_login(staff uuid, kept_email text default null) returns setof uuid
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  login uuid;
begin
  select m.profile_id into login from public.staff_members m
    where m.company_id = public.current_company_id() and m.id = staff for update;
  perform from public.users u where u.id = login for update;
  if exists (select from public.users u where u.id = login and u.email = kept_email) then
    update public.staff_members m set profile_id = null where m.company_id = public.current_company_id() and m.id = staff;
    return;
  end if;
  insert into public.ended_memberships (company_id, session_hash)
    select public.current_company_id(), encode(sha256(convert_to(s.token, 'UTF8')), 'hex') from public.sessions s
    where s.user_id = login and s.expires_at > now();
  return query select public.end_login_links(login);
  delete from public.users u where u.id = login;
end $$;
