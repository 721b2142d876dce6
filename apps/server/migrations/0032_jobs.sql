-- What a list sorts by, from a name of another table: as foldText in the domain does, but for the few letters that have no accent to take off.
create function sort_key(name text) returns text
  language sql immutable parallel safe
  return left(lower(regexp_replace(normalize(name, nfkd), U&'[\0300-\036f''\2019]', '', 'g')), 100);

create table jobs (
  company_id uuid not null references companies (company_id) on delete cascade,
  id uuid not null,
  user_id uuid references users (id) on delete set null,
  job_number text not null,
  title text not null,
  description text not null,
  status text collate "C" not null check (status in ('pending', 'contacted', 'booked', 'complete', 'invoiced', 'paid', 'canceled')),
  job_type text not null check (job_type in ('fixed', 'hourly')),
  fixed_amount numeric(12, 2) check (fixed_amount >= 0),
  hourly_rate numeric(12, 2) check (hourly_rate >= 0),
  booking_date timestamptz(3),
  -- Hours. Jobs made from a quote have none yet.
  duration numeric(8, 2) check (duration >= 0.5),
  address text,
  customer_id uuid,
  staff_id uuid,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  version integer not null default 1,
  title_key text collate "C" not null,
  search_text text not null,
  -- Kept by the triggers below and the task that they queue, because the list sorts by them.
  customer_key text collate "C",
  staff_key text collate "C",
  category_key text collate "C",
  primary key (company_id, id),
  constraint jobs_by_number unique (company_id, job_number),
  foreign key (company_id, customer_id) references customers (company_id, id) on delete set null (customer_id),
  foreign key (company_id, staff_id) references staff_members (company_id, id) on delete set null (staff_id)
);
call guard_tenant_table('jobs');

-- One index per sort of the list, up and down where a value may be missing, and one per filter in its default order.
create index jobs_by_age on jobs (company_id, created_at, id);
create index jobs_by_title on jobs (company_id, title_key, created_at, id);
create index jobs_by_status on jobs (company_id, status, created_at, id);
create index jobs_by_customer_up on jobs
  (company_id, (case when customer_key is null then U&'\+10FFFF' else customer_key end), created_at, id);
create index jobs_by_customer_down on jobs (company_id, (case when customer_key is null then '' else customer_key end), created_at, id);
create index jobs_by_staff_up on jobs (company_id, (case when staff_key is null then U&'\+10FFFF' else staff_key end), created_at, id);
create index jobs_by_staff_down on jobs (company_id, (case when staff_key is null then '' else staff_key end), created_at, id);
create index jobs_by_category_up on jobs
  (company_id, (case when category_key is null then U&'\+10FFFF' else category_key end), created_at, id);
create index jobs_by_category_down on jobs (company_id, (case when category_key is null then '' else category_key end), created_at, id);
create index jobs_by_text on jobs using gin (company_id, search_text gin_trgm_ops);
create index jobs_of_customer on jobs (company_id, customer_id, created_at, id);
create index jobs_of_staff on jobs (company_id, staff_id, created_at, id);
create index jobs_by_booking on jobs (company_id, booking_date, id) where booking_date is not null;
create index jobs_by_user on jobs (user_id);

-- All categories of a job; the one in the lowest position is its main category.
create table job_categories (
  company_id uuid not null,
  job_id uuid not null,
  category_id uuid not null,
  position integer not null,
  primary key (company_id, job_id, category_id),
  foreign key (company_id, job_id) references jobs (company_id, id) on delete cascade,
  foreign key (company_id, category_id) references categories (company_id, id) on delete cascade
);
call guard_tenant_table('job_categories');
create index jobs_of_category on job_categories (company_id, category_id, job_id);

create function name_job_keys() returns trigger
  language plpgsql as $$
begin
  new.customer_key := (select coalesce(c.company_name_key, c.name_key) from customers c
    where c.company_id = new.company_id and c.id = new.customer_id);
  new.staff_key := (select sort_key(s.name) from staff_members s where s.company_id = new.company_id and s.id = new.staff_id);
  return new;
end $$;
create trigger name_job_keys before insert or update of customer_id, staff_id on jobs for each row execute function name_job_keys();

-- A renamed record may have hundreds of thousands of jobs: the queue writes its new name to them (features/jobs/name-jobs.ts), once for
-- renames that follow each other. Jobs that are saved meanwhile take the new name by themselves.
create function queue_job_names(company uuid, kind text, id uuid) returns void
  language sql volatile
  return queue_work('name-jobs', json_build_object('company_id', company, 'kind', kind, 'id', id), 'name-jobs ' || kind || ' ' || company || ' ' || id);

create function rename_customer_of_jobs() returns trigger
  language plpgsql as $$
begin
  if exists (select from jobs where company_id = new.company_id and customer_id = new.id) then
    perform queue_job_names(new.company_id, 'customer', new.id);
  end if;
  return null;
end $$;
create trigger rename_customer_of_jobs after update on customers for each row
  when (coalesce(old.company_name_key, old.name_key) is distinct from coalesce(new.company_name_key, new.name_key))
  execute function rename_customer_of_jobs();

create function rename_staff_of_jobs() returns trigger
  language plpgsql as $$
begin
  if exists (select from jobs where company_id = new.company_id and staff_id = new.id) then
    perform queue_job_names(new.company_id, 'staff', new.id);
  end if;
  return null;
end $$;
create trigger rename_staff_of_jobs after update on staff_members for each row
  when (old.name is distinct from new.name) execute function rename_staff_of_jobs();

-- Volatile: an update that waited for a job sees the categories that the job has by then.
create function main_category_key(company uuid, job uuid) returns text
  language sql volatile
  return (select sort_key(c.name) from job_categories jc
    join categories c on c.company_id = jc.company_id and c.id = jc.category_id
    where jc.company_id = company and jc.job_id = job order by jc.position limit 1);

-- Once per statement: a category may have thousands of jobs, and every update of a job writes to all of its indexes.
create function categorize_jobs() returns trigger
  language plpgsql as $$
begin
  update jobs set category_key = main_category_key(jobs.company_id, jobs.id)
    from (select distinct company_id, job_id from changed) c where jobs.company_id = c.company_id and jobs.id = c.job_id;
  return null;
end $$;
create trigger categorize_added_jobs after insert on job_categories referencing new table as changed
  for each statement execute function categorize_jobs();
create trigger categorize_changed_jobs after update on job_categories referencing new table as changed
  for each statement execute function categorize_jobs();
create trigger categorize_removed_jobs after delete on job_categories referencing old table as changed
  for each statement execute function categorize_jobs();

create function rename_category_of_jobs() returns trigger
  language plpgsql as $$
begin
  if exists (select from job_categories where company_id = new.company_id and category_id = new.id) then
    perform queue_job_names(new.company_id, 'category', new.id);
  end if;
  return null;
end $$;
create trigger rename_category_of_jobs after update on categories for each row
  when (old.name is distinct from new.name) execute function rename_category_of_jobs();

-- The last number given out per month. Its row lock is what makes numbers unique.
create table job_counters (
  company_id uuid not null references companies (company_id) on delete cascade,
  month text not null, -- yyyy-MM
  last integer not null,
  primary key (company_id, month)
);
call guard_tenant_table('job_counters');

-- A line remembers what it was made from: changes and deletions in a price list never change it.
create table job_items (
  company_id uuid not null,
  id uuid not null,
  job_id uuid not null,
  position integer not null,
  supplier_item_id uuid,
  name text not null,
  description text,
  sku text,
  supplier_name text,
  tax_inclusive boolean not null,
  is_service boolean not null,
  quantity numeric(12, 3) not null check (quantity > 0),
  unit_price numeric(12, 2) not null check (unit_price >= 0),
  cost_price numeric(12, 2),
  -- Quantity times unit price, but for allocated time: there the total is exact and the unit price follows from it.
  total_price numeric(12, 2) not null check (total_price >= 0),
  created_at timestamptz(3) not null default now(),
  version integer not null default 1,
  primary key (company_id, id),
  foreign key (company_id, job_id) references jobs (company_id, id) on delete cascade,
  foreign key (company_id, supplier_item_id) references supplier_items (company_id, id) on delete set null (supplier_item_id)
);
call guard_tenant_table('job_items');
create index job_items_of_job on job_items (company_id, job_id, position, id);
create index job_items_of_supplier_item on job_items (company_id, supplier_item_id);

-- Who worked on what, in whole seconds. It outlives the job and the person: a time sheet never loses an hour.
create table time_entries (
  company_id uuid not null references companies (company_id) on delete cascade,
  id uuid not null,
  job_id uuid,
  job_number text not null,
  job_title text not null,
  staff_id uuid,
  staff_name text not null,
  started_at timestamptz(3) not null,
  ended_at timestamptz(3),
  -- The line that bills this time. When it is removed, the time can be billed again.
  allocated_item_id uuid,
  -- The end before its owner corrected it, when and by whom.
  original_ended_at timestamptz(3),
  corrected_at timestamptz(3),
  corrected_by text,
  version integer not null default 1,
  primary key (company_id, id),
  foreign key (company_id, job_id) references jobs (company_id, id) on delete set null (job_id),
  foreign key (company_id, staff_id) references staff_members (company_id, id) on delete set null (staff_id),
  foreign key (company_id, allocated_item_id) references job_items (company_id, id) on delete set null (allocated_item_id),
  constraint entries_run_forward check (ended_at >= started_at),
  constraint entries_in_whole_seconds check (date_trunc('second', started_at) = started_at and date_trunc('second', ended_at) = ended_at),
  constraint running_entries_have_an_owner check (ended_at is not null or (staff_id is not null and job_id is not null)),
  constraint running_entries_are_not_billed check (ended_at is not null or allocated_item_id is null)
);
call guard_tenant_table('time_entries');
create unique index one_running_timer on time_entries (company_id, staff_id) where ended_at is null;
create index time_entries_of_job on time_entries (company_id, job_id, started_at, id);
create index time_entries_of_staff on time_entries (company_id, staff_id, started_at, id);
create index time_entries_by_start on time_entries (company_id, started_at, id);
create index time_entries_of_item on time_entries (company_id, allocated_item_id);

-- A person or a job that is deleted stops its timers first.
create function stop_timers_of_staff() returns trigger
  language plpgsql as $$
begin
  update time_entries set ended_at = greatest(started_at, date_trunc('second', now())), version = version + 1
    where company_id = old.company_id and staff_id = old.id and ended_at is null;
  return old;
end $$;
create trigger stop_timers_of_staff before delete on staff_members for each row execute function stop_timers_of_staff();

create function stop_timers_of_job() returns trigger
  language plpgsql as $$
begin
  update time_entries set ended_at = greatest(started_at, date_trunc('second', now())), version = version + 1
    where company_id = old.company_id and job_id = old.id and ended_at is null;
  return old;
end $$;
create trigger stop_timers_of_job before delete on jobs for each row execute function stop_timers_of_job();

-- Who started the company: their comments carry its name.
alter table staff_members add column is_owner boolean not null default false;
-- The tables are guarded against their owner too; this role sees every company.
set local role callout_system;
update staff_members m set is_owner = true
  from (select distinct on (s.company_id) s.company_id, s.id from staff_members s
    join companies c on c.company_id = s.company_id and c.created_at = s.created_at
    where s.role = 'admin' order by s.company_id, s.id) first
  where m.company_id = first.company_id and m.id = first.id;
reset role;
create unique index one_owner_per_company on staff_members (company_id) where is_owner;

create table job_comments (
  company_id uuid not null,
  id uuid not null,
  job_id uuid not null,
  user_id uuid references users (id) on delete set null,
  staff_id uuid,
  author_name text not null,
  content text not null,
  created_at timestamptz(3) not null default now(),
  primary key (company_id, id),
  foreign key (company_id, job_id) references jobs (company_id, id) on delete cascade,
  foreign key (company_id, staff_id) references staff_members (company_id, id) on delete set null (staff_id)
);
call guard_tenant_table('job_comments');
create index job_comments_of_job on job_comments (company_id, job_id, created_at, id);
create index job_comments_by_user on job_comments (user_id);
create index job_comments_by_staff on job_comments (company_id, staff_id);

-- Who changed what when, of any kind of record. Written with the change and never rewritten.
create table record_events (
  company_id uuid not null references companies (company_id) on delete cascade,
  id uuid not null,
  record_kind text not null,
  record_id uuid not null,
  at timestamptz(3) not null,
  staff_id uuid,
  who text not null,
  action text not null,
  -- {"field": [before, after]}
  changes jsonb not null default '{}',
  primary key (company_id, id)
);
call guard_tenant_table('record_events');
revoke update, delete on record_events from callout_app;
create index record_events_of_record on record_events (company_id, record_kind, record_id, at, id);
