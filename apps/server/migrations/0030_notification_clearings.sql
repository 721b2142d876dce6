-- The "Clear all" commands of each person, so that a repeated or late one hides nothing more. The clean-up deletes them after a month.
create table notification_clearings (
  company_id uuid not null references companies (company_id) on delete cascade,
  id uuid not null,
  user_id uuid not null references users (id) on delete cascade,
  created_at timestamptz(3) not null default now(),
  primary key (company_id, user_id, id)
);
call guard_tenant_table('notification_clearings');
create index notification_clearings_by_user on notification_clearings (user_id);
create index notification_clearings_by_age on notification_clearings (created_at);
-- The tables are guarded against their owner too; this role sees every company.
set local role callout_system;
insert into notification_clearings (company_id, id, user_id, created_at)
  select company_id, cleared_by, user_id, min(cleared_at) from notifications where cleared_by is not null group by 1, 2, 3;
reset role;
-- The request that mailed the link again, to recognize it when it is repeated.
alter table invitations add column resend_id uuid;
create index notifications_by_clearing on notifications (user_id, cleared_by) where cleared_by is not null;
