-- A person's saved views of the jobs list. They go with the membership.
create table job_views (
  company_id uuid not null references companies (company_id) on delete cascade,
  id uuid not null,
  staff_id uuid not null,
  name text not null,
  -- The list's URL parameters, with relative dates.
  filter jsonb not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  version integer not null default 1,
  primary key (company_id, id),
  foreign key (company_id, staff_id) references staff_members (company_id, id) on delete cascade
);
call guard_tenant_table('job_views');
create unique index job_views_by_name on job_views (company_id, staff_id, lower(name));
