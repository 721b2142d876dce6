create table tasks (
  company_id uuid not null references companies (company_id) on delete cascade,
  id uuid not null,
  user_id uuid references users (id) on delete set null,
  title text not null,
  description text,
  color text not null check (color in ('yellow', 'blue', 'purple', 'green', 'red', 'pink', 'indigo', 'teal')),
  show_in_calendar boolean not null default false,
  calendar_date timestamptz(3),
  -- Hours.
  calendar_duration numeric(8, 2) check (calendar_duration >= 0.5),
  staff_id uuid,
  status text collate "C" not null check (status in ('active', 'completed')),
  completed_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  version integer not null default 1,
  title_key text collate "C" not null,
  search_text text not null,
  primary key (company_id, id),
  foreign key (company_id, staff_id) references staff_members (company_id, id) on delete set null (staff_id),
  constraint tasks_in_calendar_have_a_date check (not show_in_calendar or calendar_date is not null),
  constraint completed_tasks_have_a_time check ((status = 'completed') = (completed_at is not null))
);
call guard_tenant_table('tasks');
create index tasks_by_age on tasks (company_id, created_at, id);
create index tasks_by_title on tasks (company_id, title_key, created_at, id);
create index tasks_by_status on tasks (company_id, status, created_at, id);
create index tasks_of_staff on tasks (company_id, staff_id, created_at, id);
create index tasks_by_text on tasks using gin (company_id, search_text gin_trgm_ops);
create index tasks_by_user on tasks (user_id);
create index tasks_in_calendar on tasks (company_id, calendar_date, id) where show_in_calendar;

-- The calendar reads what starts within its range and, from here, the few that started more than a day before it.
create index long_jobs on jobs (company_id, booking_date, id) where duration > 24;
create index long_tasks on tasks (company_id, calendar_date, id) where show_in_calendar and calendar_duration > 24;
-- What a person is booked for.
create index booked_jobs_of_staff on jobs (company_id, staff_id, booking_date) where booking_date is not null;
create index calendar_tasks_of_staff on tasks (company_id, staff_id, calendar_date) where show_in_calendar;
create index unscheduled_jobs on jobs (company_id, created_at, id) where booking_date is null and status in ('pending', 'contacted', 'booked');
