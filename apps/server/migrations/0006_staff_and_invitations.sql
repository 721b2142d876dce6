-- A place in the company is offered before its person has a login. One open link per place, kept only as a hash.
create table invitations (
  company_id uuid not null,
  staff_id uuid not null,
  token_hash text not null unique,
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

-- Logins belong to no company, so the role that serves one company reaches them only through these three.
-- They are callout_system's: forced row-level security binds an owner who is no superuser.

-- Whether an address works for any company, without telling which.
create function address_has_company(address text) returns boolean
  language sql stable security definer set search_path = pg_catalog, pg_temp
  return exists (select from public.users u join public.staff_members m on m.profile_id = u.id where u.email = lower(address));

-- Gives a member of the company that is set a login under their address: a new account, or the one they have without a company,
-- with this password. Null, and nothing done, when the member has a login or the address works for a company.
create function give_login(staff uuid, new_login uuid, password_hash text) returns uuid
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  member public.staff_members;
  login uuid;
begin
  select * into member from public.staff_members m
    where m.company_id = public.current_company_id() and m.id = staff and m.profile_id is null for update;
  if member.id is null or public.address_has_company(member.email) then
    return null;
  end if;
  insert into public.users (id, name, email, email_verified) values (new_login, member.name, lower(member.email), true)
    on conflict (email) do update set email_verified = true
    returning id into login;
  delete from public.sessions where user_id = login;
  delete from public.accounts where user_id = login and provider_id = 'credential';
  insert into public.accounts (id, account_id, provider_id, user_id, password)
    values (gen_random_uuid(), login::text, 'credential', login, password_hash);
  update public.staff_members m set profile_id = login where m.company_id = member.company_id and m.id = member.id;
  return login;
end $$;

-- Ends the login of a member of the company that is set, with all its sessions, and gives those back so that their pages are told.
create function remove_login(staff uuid) returns setof uuid
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  login uuid;
begin
  select m.profile_id into login from public.staff_members m where m.company_id = public.current_company_id() and m.id = staff;
  return query delete from public.sessions s where s.user_id = login returning s.id;
  delete from public.users u where u.id = login;
end $$;

revoke execute on function address_has_company, give_login, remove_login from public;
grant execute on function address_has_company, give_login, remove_login to callout_app, callout_system;
grant create on schema public to callout_system;
alter function address_has_company owner to callout_system;
alter function give_login owner to callout_system;
alter function remove_login owner to callout_system;
revoke create on schema public from callout_system;
