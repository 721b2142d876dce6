-- Counts that the dashboard shows for all time: active customers, and the jobs of each category that aren't canceled. Counting a large firm's
-- records takes too long, and a row per count would make every writer wait for the others. Writers therefore only add changes, which the
-- queue adds up later. A count is its total plus the changes that were not added up yet.
create table record_counts (
  company_id uuid not null references companies (company_id) on delete cascade,
  kind text collate "C" not null check (kind in ('active customers', 'jobs')),
  -- The jobs' category. For jobs without one, and for customers, the company.
  of_id uuid not null,
  total integer not null,
  primary key (company_id, kind, of_id)
);
call guard_tenant_table('record_counts');
create table record_count_changes (
  company_id uuid not null references companies (company_id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  kind text collate "C" not null,
  of_id uuid not null,
  total integer not null,
  primary key (company_id, id)
);
call guard_tenant_table('record_count_changes');
-- Only the triggers below write the counts, so that no writer can forget or double one.
revoke insert, update, delete on record_counts, record_count_changes from callout_app;

create function count_customers() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into public.record_count_changes (company_id, kind, of_id, total)
      select company_id, 'active customers', company_id, count(*) from added where status = 'active' and deleted_at is null group by company_id;
  elsif tg_op = 'UPDATE' then
    insert into public.record_count_changes (company_id, kind, of_id, total)
      select company_id, 'active customers', company_id, sum(a.is_counted::integer - r.is_counted::integer)
      from (select *, status = 'active' and deleted_at is null as is_counted from added) a
        join (select *, status = 'active' and deleted_at is null as is_counted from removed) r using (company_id, id)
      where a.is_counted <> r.is_counted group by company_id;
  else
    -- A company is removed together with its customers.
    insert into public.record_count_changes (company_id, kind, of_id, total)
      select company_id, 'active customers', company_id, -count(*) from removed join public.companies using (company_id)
      where status = 'active' and deleted_at is null group by company_id;
  end if;
  return null;
end $$;
create trigger count_added_customers after insert on customers referencing new table as added
  for each statement execute function count_customers();
create trigger count_changed_customers after update on customers referencing old table as removed new table as added
  for each statement execute function count_customers();
create trigger count_removed_customers after delete on customers referencing old table as removed
  for each statement execute function count_customers();

-- A new job has no category yet. A job that is deleted still has its categories, because this runs before they are deleted with it.
create function count_jobs() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  job constant public.jobs := case tg_op when 'DELETE' then old else new end;
  change constant integer := case when tg_op <> 'DELETE' and new.status <> 'canceled' then 1 else -1 end;
begin
  insert into public.record_count_changes (company_id, kind, of_id, total)
    select job.company_id, 'jobs', coalesce(c.category_id, job.company_id), change from public.companies
    left join public.job_categories c on c.company_id = job.company_id and c.job_id = job.id where companies.company_id = job.company_id;
  return case tg_op when 'DELETE' then old end;
end $$;
create trigger count_added_job after insert on jobs for each row when (new.status <> 'canceled') execute function count_jobs();
create trigger count_changed_job after update of status on jobs for each row
  when ((old.status = 'canceled') <> (new.status = 'canceled')) execute function count_jobs();
create trigger count_removed_job before delete on jobs for each row when (old.status <> 'canceled') execute function count_jobs();

-- The first category takes a job from those without one; when the last one is removed, the job returns to them.
create function count_categorized_jobs() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  change constant integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  insert into public.record_count_changes (company_id, kind, of_id, total)
    with counted as (
      select c.company_id, c.job_id, c.category_id from changed c join public.jobs j on j.company_id = c.company_id and j.id = c.job_id
      where j.status <> 'canceled'
    ), other_categories as (
      select c.company_id, c.job_id from public.job_categories c join counted using (company_id, job_id)
      where tg_op = 'DELETE' or not exists (select from changed n where (n.company_id, n.job_id, n.category_id) = (c.company_id, c.job_id, c.category_id))
    )
    select company_id, 'jobs', of_id, sum(total) from (
      select company_id, category_id as of_id, change as total from counted
      union all
      select distinct on (company_id, job_id) company_id, company_id, -change from counted
        where (company_id, job_id) not in (select company_id, job_id from other_categories)
    ) changes group by company_id, of_id having sum(total) <> 0;
  return null;
end $$;
create trigger count_added_job_categories after insert on job_categories referencing new table as changed
  for each statement execute function count_categorized_jobs();
create trigger count_removed_job_categories after delete on job_categories referencing old table as changed
  for each statement execute function count_categorized_jobs();

grant create on schema public to callout_system;
alter function count_customers owner to callout_system;
alter function count_jobs owner to callout_system;
alter function count_categorized_jobs owner to callout_system;
revoke create on schema public from callout_system;

set local role callout_system;
insert into record_counts
  select company_id, 'active customers', company_id, count(*) from customers
    where status = 'active' and deleted_at is null group by company_id;
insert into record_counts
  select j.company_id, 'jobs', coalesce(c.category_id, j.company_id), count(*)
  from jobs j left join job_categories c on c.company_id = j.company_id and c.job_id = j.id
  where j.status <> 'canceled' group by j.company_id, coalesce(c.category_id, j.company_id);
reset role;
