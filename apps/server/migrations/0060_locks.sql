-- Locks a part of a company that has no row of its own, until the transaction ends.
create function lock_company_part(company uuid, part text) returns void
  language sql as $$ select pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('callout ' || part || ' ' || company, 0)) $$;

-- The staff of the company that is set, and the company that this member of it comes from and which is then deleted, in the order of their
-- ids: two people who accept each other's invitation must not wait for each other. Everything else in the company that is set goes on.
create or replace function lock_companies_to_join(staff uuid) returns void
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
  perform from public.companies where company_id = joined for key share;
  perform public.lock_company_part(joined, 'staff');
  if other > joined then
    perform from public.companies where company_id = other for update;
  end if;
end $$;

-- How much the files of a company take, in a row of its own: storing a file waits for other files, but not for changes to the company.
create table file_usage (
  company_id uuid primary key references companies (company_id) on delete cascade,
  bytes bigint not null
);
call guard_tenant_table('file_usage');
-- The tables are guarded against their owner too; this role sees every company.
set local role callout_system;
insert into file_usage (company_id, bytes) select company_id, file_bytes from companies where file_bytes <> 0;
reset role;

create or replace function count_file_bytes() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into public.file_usage as u (company_id, bytes) select company_id, sum(file_size) from changed group by company_id
      on conflict (company_id) do update set bytes = u.bytes + excluded.bytes;
  else
    -- Never inserts a row: the files of a company that is deleted go with it.
    update public.file_usage u set bytes = u.bytes - t.bytes
      from (select company_id, sum(file_size) as bytes from changed group by company_id) t where u.company_id = t.company_id;
  end if;
  return null;
end $$;
alter table companies drop column file_bytes;
