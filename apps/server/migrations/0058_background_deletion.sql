-- A deleted customer, category, supplier or staff member is marked and disappears at once. The queue then clears what refers to it, in
-- batches, and removes the row (features/deletions).

-- Who added a record is a fact, not a reference: clearing it when a login goes would rewrite everything that the person ever made.
do $$
declare
  author record;
begin
  for author in
    select conrelid::regclass as target, conname from pg_constraint
      where contype = 'f' and confrelid = 'users'::regclass and conrelid::regclass::text not in
        ('accounts', 'email_changes', 'invitations', 'password_links', 'sessions', 'staff_members')
  loop
    execute format('alter table %s drop constraint %I', author.target, author.conname);
  end loop;
end $$;
drop index customers_by_user, files_by_user, categories_by_user, suppliers_by_user, supplier_items_by_user, jobs_by_user,
  job_comments_by_user, quotes_by_user, quote_mails_by_user, section_templates_by_user, payments_by_user, invoices_by_user,
  invoice_mails_by_user, tasks_by_user;

-- callout_app sees a marked row no more, in any query; callout_system, which serves the queue, does.
create procedure hide_deleted_rows(tenant_table regclass)
  language plpgsql as $$
begin
  execute format('alter table %s add column deleted_at timestamptz(3)', tenant_table);
  execute format('create policy not_deleted on %s as restrictive to callout_app using (deleted_at is null)', tenant_table);
  execute format('create index %I on %s (company_id) where deleted_at is not null', 'deleted_' || tenant_table, tenant_table);
end $$;
call hide_deleted_rows('customers');
call hide_deleted_rows('categories');
call hide_deleted_rows('suppliers');
call hide_deleted_rows('staff_members');
drop procedure hide_deleted_rows;

-- The name and the email of a deleted record can be used again at once.
drop index categories_by_name, staff_members_by_email;
create unique index categories_by_name on categories (company_id, lower(name)) where deleted_at is null;
create unique index staff_members_by_email on staff_members (company_id, lower(email)) where deleted_at is null;

-- What the queue needs to know of a removed person: the login, to delete its notifications, and who removed them, for the history of jobs.
alter table staff_members
  add column former_login uuid,
  add column removed_by text;

-- Marks a record of the company that is set. False if there is none. callout_app can't do so itself: it may not make a row invisible.
create function mark_deleted(target text, record uuid) returns boolean
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  marked bigint;
begin
  if target not in ('customers', 'categories', 'suppliers', 'staff_members') then
    raise exception 'Records of % are not marked as deleted', target;
  end if;
  -- Waits for transactions that are adding a reference to the record, which an update alone would not.
  execute format('select from public.%I where company_id = public.current_company_id() and id = $1 and deleted_at is null for update',
    target) using record;
  execute format('update public.%I set deleted_at = now() where company_id = public.current_company_id() and id = $1 and deleted_at is null',
    target) using record;
  get diagnostics marked = row_count;
  return marked > 0;
end $$;
revoke execute on function mark_deleted from public;
grant execute on function mark_deleted to callout_app, callout_system;

-- Timers stop when their person is marked as deleted, or removed with the company.
create or replace function stop_timers_of_staff() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  update public.time_entries set ended_at = greatest(started_at, date_trunc('second', now())), version = version + 1
    where company_id = old.company_id and staff_id = old.id and ended_at is null;
  return case tg_op when 'DELETE' then old else new end;
end $$;
create trigger stop_timers_of_deleted_staff before update of deleted_at on staff_members
  for each row when (new.deleted_at is not null) execute function stop_timers_of_staff();

-- What belongs to a membership ends with it.
create function end_membership() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  delete from public.invitations i where i.company_id = new.company_id and i.staff_id = new.id;
  delete from public.job_views v where v.company_id = new.company_id and v.staff_id = new.id;
  return null;
end $$;
create trigger end_membership after update of deleted_at on staff_members
  for each row when (new.deleted_at is not null) execute function end_membership();

-- Keeps the login's id with the member, for the queue. Otherwise as before.
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
  update public.staff_members m set profile_id = null, former_login = login
    where m.company_id = public.current_company_id() and m.id = staff;
  delete from public.users u where u.id = login;
end $$;

-- A deleted member can't join anymore. Otherwise as before.
create or replace function prepare_to_join(staff uuid, out member public.staff_members, out replaced_company uuid)
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  select * into member from public.staff_members m
    where m.company_id = public.current_company_id() and m.id = staff and m.profile_id is null and m.deleted_at is null for update;
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

create or replace view unfinished_companies with (security_invoker = true) as
  select c.company_id, c.last_active from companies c
    where not c.onboarding_completed and c.company_name is null
      and not exists (select from customers t where t.company_id = c.company_id and t.deleted_at is null)
      and not exists (select from suppliers t where t.company_id = c.company_id and t.deleted_at is null)
      and not exists (select from jobs t where t.company_id = c.company_id)
      and not exists (select from quotes t where t.company_id = c.company_id);

grant create on schema public to callout_system;
alter function mark_deleted owner to callout_system;
revoke create on schema public from callout_system;
