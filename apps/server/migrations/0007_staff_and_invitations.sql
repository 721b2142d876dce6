-- A place in the company is offered before its person has a login. One open link per place, kept only as a hash.
create table invitations (
  company_id uuid not null,
  staff_id uuid not null,
  token_hash text not null unique,
  -- The id under which it was asked for: the same request again is the same invitation.
  request_id uuid,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  primary key (company_id, staff_id),
  foreign key (company_id, staff_id) references staff_members (company_id, id) on delete cascade
);
call guard_tenant_table('invitations');

create index staff_members_by_name on staff_members (company_id, lower(name), id);
-- One place per address in a company: a second invitation replaces the first.
create unique index staff_members_by_email on staff_members (company_id, lower(email));

-- When a login goes, what it once added stays: without these each table would be read from end to end.
create index customers_by_user on customers (user_id);
create index files_by_user on files (user_id);

-- Logins belong to no company, so the role that serves one company reaches them only through these functions.
-- They are callout_system's: forced row-level security binds an owner who is no superuser.

-- Whether an address works for any company, without telling which.
create function address_has_company(address text) returns boolean
  language sql stable security definer set search_path = pg_catalog, pg_temp
  return exists (select from public.users u join public.staff_members m on m.profile_id = u.id where u.email = lower(address));

-- Whatever was under way under an earlier owner of a login ends with it: sessions, links that set a password or move the address.
create function end_login_links(login uuid) returns setof uuid
  language sql security definer set search_path = pg_catalog, pg_temp
begin atomic
  delete from public.email_changes where user_id = login;
  delete from public.verifications where value = login::text;
  delete from public.sessions where user_id = login returning id;
end;

-- Gives a member of the company that is set a login under their address: a new account, or the one they have without a company,
-- with this password. Null, and nothing done, when the member has a login or the address works for a company.
-- The sessions it ended come back too, so that their pages are told.
create function give_login(staff uuid, new_login uuid, password_hash text, out login uuid, out ended_sessions uuid[])
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  member public.staff_members;
begin
  select * into member from public.staff_members m
    where m.company_id = public.current_company_id() and m.id = staff and m.profile_id is null for update;
  if member.id is null or public.address_has_company(member.email) then
    return;
  end if;
  insert into public.users (id, name, email, email_verified) values (new_login, member.name, lower(member.email), true)
    on conflict (email) do update set email_verified = true
    returning id into login;
  ended_sessions := array(select public.end_login_links(login));
  delete from public.accounts where user_id = login and provider_id = 'credential';
  insert into public.accounts (id, account_id, provider_id, user_id, password)
    values (gen_random_uuid(), login::text, 'credential', login, password_hash);
  update public.staff_members m set profile_id = login where m.company_id = member.company_id and m.id = member.id;
end $$;

-- Ends the login of a member of the company that is set, with all its sessions, and gives those back so that their pages are told.
-- Place before login: who changes both in another order could wait for us while we wait for them.
create function remove_login(staff uuid) returns setof uuid
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  login uuid;
begin
  select m.profile_id into login from public.staff_members m
    where m.company_id = public.current_company_id() and m.id = staff for update;
  perform from public.users u where u.id = login for update;
  return query select public.end_login_links(login);
  delete from public.users u where u.id = login;
end $$;

revoke execute on function address_has_company, end_login_links, give_login, remove_login from public;
grant execute on function address_has_company, give_login, remove_login to callout_app, callout_system;
grant execute on function end_login_links to callout_system;
grant create on schema public to callout_system;
alter function address_has_company owner to callout_system;
alter function end_login_links owner to callout_system;
alter function give_login owner to callout_system;
alter function remove_login owner to callout_system;
revoke create on schema public from callout_system;
