-- What jobs and quotes keep of a deleted person or customer: the hourly rate that applied, and the name on a quote that was sent. The queue
-- copies it into them when it clears their reference. Until then, these views show it to callout_app, which can't see a marked record.
create view staff_rates as
  select company_id, id, hourly_rate from staff_members where company_id = current_company_id();
create view former_customers as
  select company_id, id, name, company_name from customers where company_id = current_company_id() and deleted_at is not null;
grant select on staff_rates, former_customers to callout_app, callout_system;

-- The customer's name and company name.
alter table quotes add column former_customer jsonb;

-- The name of the person who deleted a record, for the history of its jobs and quotes. Members had it already.
alter table customers add column removed_by text;
alter table categories add column removed_by text;
alter table suppliers add column removed_by text;

drop function mark_deleted;
-- Stores who deletes the record. Otherwise as before.
create function mark_deleted(target text, record uuid, remover text default null) returns boolean
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
  execute format('update public.%I set deleted_at = now(), removed_by = $2
    where company_id = public.current_company_id() and id = $1 and deleted_at is null', target) using record, remover;
  get diagnostics marked = row_count;
  return marked > 0;
end $$;
revoke execute on function mark_deleted from public;
grant execute on function mark_deleted to callout_app, callout_system;

grant create on schema public to callout_system;
alter view staff_rates owner to callout_system;
alter view former_customers owner to callout_system;
alter function mark_deleted owner to callout_system;
revoke create on schema public from callout_system;
