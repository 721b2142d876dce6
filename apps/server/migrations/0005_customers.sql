create table customers (
  company_id uuid not null references companies (company_id) on delete cascade,
  id uuid not null,
  user_id uuid references users (id) on delete set null,
  name text not null,
  email text not null,
  phone text not null,
  address text not null,
  notes text,
  company_name text,
  contact_name text,
  contact_email text,
  contact_phone text,
  status text not null default 'active' check (status in ('active', 'inactive')),
  created_at timestamptz(3) not null default now(),
  last_interaction timestamptz(3),
  updated_at timestamptz(3) not null default now(),
  version integer not null default 1,
  -- Lower case without accents: what the list sorts by and is searched by. By code point, whatever locale the server has.
  name_key text collate "C" not null,
  company_name_key text collate "C",
  search_text text not null,
  primary key (company_id, id),
  constraint individuals_have_no_company_fields
    check (company_name is not null or (contact_name is null and contact_email is null and contact_phone is null))
);
call guard_tenant_table('customers');

-- One index per order of the list. What has no company or interaction sorts last both ways, hence the stand-ins.
create index customers_by_name on customers (company_id, name_key, id);
create index customers_by_status on customers (company_id, status, name_key, id);
create index customers_by_age on customers (company_id, created_at, id);
create index customers_by_company_up on customers (company_id, coalesce(company_name_key, U&'\+10FFFF'), id);
create index customers_by_company_down on customers (company_id, coalesce(company_name_key, ''), id);
create index customers_by_interaction_up on customers (company_id, coalesce(last_interaction, 'infinity'), id);
create index customers_by_interaction_down on customers (company_id, coalesce(last_interaction, '-infinity'), id);
create index customers_by_text on customers using gin (company_id, search_text gin_trgm_ops);
