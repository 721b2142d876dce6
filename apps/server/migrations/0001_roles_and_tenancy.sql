-- Two roles do all the work; neither owns a table, so row-level security binds both.
-- callout_app serves a signed-in member or a public link and sees one company at a time.
-- callout_system serves sign-in, the queue and the administrator, and may cross companies.
do $$
begin
  if not exists (select from pg_roles where rolname = 'callout_app') then
    create role callout_app nologin;
  end if;
  if not exists (select from pg_roles where rolname = 'callout_system') then
    create role callout_system nologin;
  end if;
exception
  -- Roles belong to the whole server: another database may be migrating at this moment.
  when duplicate_object or unique_violation then null;
end $$;

do $$
begin
  execute format('grant callout_app, callout_system to %I', current_user);
end $$;

grant usage on schema public to callout_app, callout_system;

create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- LIKE is not leakproof, so under row-level security the planner would read every row before it dares to search.
-- It reveals nothing by its errors; where we may not say so (managed servers), search is slower but just as right.
do $$
begin
  alter function pg_catalog.textlike(text, text) leakproof;
exception
  when insufficient_privilege then
    raise notice 'textlike stays as it is: search will be slower on this server';
end $$;

-- Fails loudly when no company is set: a query outside a scope is a bug, not an empty list.
create function current_company_id() returns uuid
  language sql stable parallel safe
  return current_setting('app.company_id')::uuid;

-- The one way a tenant table is guarded: its company for callout_app, all of them for callout_system.
create procedure guard_tenant_table(tenant_table regclass)
  language plpgsql as $$
begin
  execute format('alter table %s enable row level security', tenant_table);
  execute format('alter table %s force row level security', tenant_table);
  execute format(
    'create policy own_company on %s to callout_app using (company_id = current_company_id()) with check (company_id = current_company_id())',
    tenant_table);
  execute format('create policy every_company on %s to callout_system using (true) with check (true)', tenant_table);
  execute format('grant select, insert, update, delete on %s to callout_app, callout_system', tenant_table);
end $$;
