create table categories (
  company_id uuid not null references companies (company_id) on delete cascade,
  id uuid not null,
  user_id uuid references users (id) on delete set null,
  name text not null,
  created_at timestamptz(3) not null default now(),
  primary key (company_id, id)
);
call guard_tenant_table('categories');
create unique index categories_by_name on categories (company_id, lower(name));
create index categories_by_user on categories (user_id);
