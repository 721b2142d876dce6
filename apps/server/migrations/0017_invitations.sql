-- A company whose onboarding was never finished keeps nobody from being invited: accepting replaces it. Nor does a login that never
-- confirmed its email: accepting moves it, and the company it was in keeps everything else.

-- Open links, counted attempts and work in the queue carry ids without a foreign key. The words are in lower case.
create function forget_traces(words text[]) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from public.verifications where value = any (words);
  delete from public.rate_limits where string_to_array(key, ' ') && words;
  perform public.forget_work(words);
end $$;

-- The unfinished company of whoever has this address as their login, when nobody else has a login there. Null for any other company.
create function unfinished_company_of(login_email text) returns uuid
  language sql stable security definer set search_path = pg_catalog, pg_temp
  return (
    select c.company_id from public.users u
      join public.staff_members m on m.profile_id = u.id
      join public.companies c on c.company_id = m.company_id
      where u.email = lower(login_email) and not c.onboarding_completed
        and not exists (select from public.staff_members o where o.company_id = c.company_id and o.profile_id <> u.id));

-- Everything in the company goes by its foreign keys. Its people keep their logins; its files are removed by whoever calls this.
create function delete_unfinished_company(company uuid) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  mails text[] := array(select m.id::text from public.outbox_mails m where m.company_id = company);
begin
  delete from public.companies c where c.company_id = company and not c.onboarding_completed;
  perform public.forget_traces(mails || company::text);
end $$;

-- Whether somebody who confirmed this address works for a company that is not to be replaced, without telling which. The company that
-- is set never is.
create or replace function address_has_company(address text) returns boolean
  language sql stable security definer set search_path = pg_catalog, pg_temp
  return exists (
    select from public.users u join public.staff_members m on m.profile_id = u.id
      where u.email = lower(address)
        and (m.company_id = public.current_company_id()
          or u.email_verified and m.company_id is distinct from public.unfinished_company_of(address)));

-- The company that is set, and the one that this member of it comes from, in the order of their ids: two people who accept each
-- other's invitation must not wait for each other. Others go on adding records to the company that is set.
create function lock_companies_to_join(staff uuid) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  joined uuid := public.current_company_id();
  other uuid := (
    select o.company_id from public.staff_members m
      join public.users u on u.email = lower(m.email)
      join public.staff_members o on o.profile_id = u.id
      where m.company_id = joined and m.id = staff and o.company_id <> joined);
begin
  if other < joined then
    perform from public.companies where company_id = other for update;
  end if;
  perform from public.companies where company_id = joined for no key update;
  if other > joined then
    perform from public.companies where company_id = other for update;
  end if;
end $$;

-- A member of the company that is set who is about to get a login, and the company that was deleted for it. Null, and nothing done, when
-- the member has a login or their address works for a company.
create function prepare_to_join(staff uuid, out member public.staff_members, out replaced_company uuid)
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  select * into member from public.staff_members m
    where m.company_id = public.current_company_id() and m.id = staff and m.profile_id is null for update;
  if member.id is null or public.address_has_company(member.email) then
    member := null;
    return;
  end if;
  replaced_company := public.unfinished_company_of(member.email);
  if replaced_company is not null then
    perform from public.companies where company_id = replaced_company for update;
    -- It was started or finished since the companies were locked: the whole command is tried anew.
    if public.unfinished_company_of(member.email) is distinct from replaced_company then
      raise serialization_failure using message = 'The company to be replaced has changed';
    end if;
    perform public.delete_unfinished_company(replaced_company);
  end if;
  update public.staff_members m set profile_id = null
    from public.users u where u.email = lower(member.email) and not u.email_verified and m.profile_id = u.id;
end $$;

-- Gives a member of the company that is set a login under their address: a new account, or the one they have without a finished
-- company, with this password. Null, and nothing done, when the member has a login or the address works for a company.
-- The sessions it ended come back too, so that their pages are told, and the company that was replaced.
drop function give_login;
create function give_login(
  staff uuid, new_login uuid, password_hash text, out login uuid, out ended_sessions uuid[], out replaced_company uuid)
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  prepared record;
  member public.staff_members;
begin
  select * into prepared from public.prepare_to_join(staff);
  member := prepared.member;
  if member.id is null then
    return;
  end if;
  replaced_company := prepared.replaced_company;
  insert into public.users (id, name, email, email_verified) values (new_login, member.name, lower(member.email), true)
    on conflict (email) do update set email_verified = true
    returning id into login;
  ended_sessions := array(select public.end_login_links(login));
  delete from public.accounts where user_id = login and provider_id = 'credential';
  insert into public.accounts (id, account_id, provider_id, user_id, password)
    values (gen_random_uuid(), login::text, 'credential', login, password_hash);
  update public.staff_members m set profile_id = login where m.company_id = member.company_id and m.id = member.id;
end $$;

-- Lets a login that has confirmed the address of a member of the company that is set become that member. False, and nothing done, when it
-- has not, or works for a company.
create function join_with_login(staff uuid, login uuid, out joined boolean, out replaced_company uuid)
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  prepared record;
  member public.staff_members;
begin
  joined := false;
  if not exists (
    select from public.users u join public.staff_members m on lower(m.email) = u.email
      where u.id = login and u.email_verified and m.company_id = public.current_company_id() and m.id = staff) then
    return;
  end if;
  select * into prepared from public.prepare_to_join(staff);
  member := prepared.member;
  if member.id is null then
    return;
  end if;
  update public.staff_members m set profile_id = login where m.company_id = member.company_id and m.id = member.id;
  joined := true;
  replaced_company := prepared.replaced_company;
end $$;

revoke execute on function
  forget_traces, unfinished_company_of, delete_unfinished_company, lock_companies_to_join, prepare_to_join, give_login, join_with_login
  from public;
grant execute on function lock_companies_to_join, give_login, join_with_login to callout_app, callout_system;
grant execute on function forget_traces, unfinished_company_of, delete_unfinished_company, prepare_to_join to callout_system;
grant create on schema public to callout_system;
alter function forget_traces owner to callout_system;
alter function unfinished_company_of owner to callout_system;
alter function delete_unfinished_company owner to callout_system;
alter function lock_companies_to_join owner to callout_system;
alter function prepare_to_join owner to callout_system;
alter function give_login owner to callout_system;
alter function join_with_login owner to callout_system;
revoke create on schema public from callout_system;

-- Found every day by the clean-up of companies that were never set up.
create index companies_unfinished on companies (last_active) where not onboarding_completed;
-- An open invitation is looked for by the address of whoever signed up.
create index staff_members_invited on staff_members (lower(email)) where profile_id is null;
