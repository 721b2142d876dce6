-- Each command that a person sent with an idempotency key, and its answer, so that a repeated one is answered alike without running again.
-- The clean-up deletes them after a month.
create table commands (
  company_id uuid not null references companies (company_id) on delete cascade,
  -- Without a foreign key, which would lock the login's row in every command.
  user_id uuid not null,
  id uuid not null,
  call text not null,
  input_hash bytea not null,
  answer json not null,
  -- When the person made the change; null if it arrived within a minute.
  made_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (company_id, user_id, id)
);
call guard_tenant_table('commands');
create index commands_by_age on commands (created_at);
