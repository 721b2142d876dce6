-- News for one person. They go with the person's login.
create table notifications (
  company_id uuid not null references companies (company_id) on delete cascade,
  id uuid not null,
  user_id uuid not null references users (id) on delete cascade,
  message text not null,
  type text not null,
  read boolean not null default false,
  data jsonb not null default '{}',
  created_at timestamptz(3) not null default now(),
  primary key (company_id, id)
);
call guard_tenant_table('notifications');
create index notifications_by_person on notifications (company_id, user_id, created_at desc, id desc);
create index notifications_unread on notifications (company_id, user_id) where not read;
create index notifications_by_user on notifications (user_id);
