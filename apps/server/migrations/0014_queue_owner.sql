-- The queue gets an owner of its own, so that its worker needs no right to anything else. callout_app, callout_system and
-- callout_queue become logins at the start of the server, with passwords that only the data folder knows.
do $$
begin
  if not exists (select from pg_roles where rolname = 'callout_queue') then
    create role callout_queue nologin;
  end if;
exception
  -- Roles belong to the whole server: another database may be migrating at this moment.
  when duplicate_object or unique_violation then null;
end $$;

do $$
begin
  execute format('grant callout_queue to %I', current_user);
end $$;

-- As graphile-worker itself would make it, had it the right to create a schema.
create schema if not exists graphile_worker;
create table if not exists graphile_worker.migrations (
  id int primary key,
  ts timestamptz default now() not null,
  breaking boolean not null default false
);
grant usage, create on schema graphile_worker to callout_queue;

do $$
declare
  object record;
begin
  for object in
    select case c.relkind when 'v' then 'view' when 'S' then 'sequence' else 'table' end as kind, c.oid::regclass::text as name
      from pg_class c
      where c.relnamespace = 'graphile_worker'::regnamespace and c.relkind in ('r', 'p', 'v', 'S')
        -- The sequence of an identity column goes with its table.
        and not exists (select from pg_depend d where d.objid = c.oid and d.deptype in ('a', 'i') and d.classid = 'pg_class'::regclass and c.relkind = 'S')
    union all
    select 'function', p.oid::regprocedure::text from pg_proc p where p.pronamespace = 'graphile_worker'::regnamespace
    union all
    select 'type', t.oid::regtype::text from pg_type t
      where t.typnamespace = 'graphile_worker'::regnamespace and t.typtype in ('c', 'd', 'e')
        and not exists (select from pg_class c where c.oid = t.typrelid and c.relkind <> 'c')
  loop
    execute format('alter %s %s owner to callout_queue', object.kind, object.name);
  end loop;
  alter schema graphile_worker owner to callout_queue;
end $$;

-- The administrator sees how the queue is doing: through its view, which shows no payload.
grant usage on schema graphile_worker to callout_system;
do $$
begin
  -- For views made later, by graphile-worker's own migrations; its tables stay closed by their row-level security.
  execute 'alter default privileges for role callout_queue in schema graphile_worker grant select on tables to callout_system';
  if to_regclass('graphile_worker.jobs') is not null then
    execute 'grant select on graphile_worker.jobs to callout_system';
  end if;
end $$;
