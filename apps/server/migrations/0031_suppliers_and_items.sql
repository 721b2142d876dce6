-- Comparing decimals fails for no value and so reveals none, but PostgreSQL only compares them within an index under row-level security
-- when told so. Where we may not say so (managed servers), a later page of a list sorted by a number is read from the list's start.
do $$
begin
  alter function pg_catalog.numeric_lt(numeric, numeric) leakproof;
  alter function pg_catalog.numeric_gt(numeric, numeric) leakproof;
exception
  when insufficient_privilege then
    raise notice 'numeric comparisons stay as they are: later pages sorted by a number will be slower on this server';
end $$;

create table suppliers (
  company_id uuid not null references companies (company_id) on delete cascade,
  id uuid not null,
  user_id uuid references users (id) on delete set null,
  company_name text not null,
  email text,
  phone text,
  address text,
  city text,
  state text,
  postal_code text,
  country text,
  status text not null default 'active' check (status in ('active', 'inactive')),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  version integer not null default 1,
  name_key text collate "C" not null,
  search_text text not null,
  primary key (company_id, id)
);
call guard_tenant_table('suppliers');
create index suppliers_by_name on suppliers (company_id, name_key, id);
create index suppliers_by_text on suppliers using gin (company_id, search_text gin_trgm_ops);
create index suppliers_by_user on suppliers (user_id);

create table supplier_items (
  company_id uuid not null,
  id uuid not null,
  supplier_id uuid not null,
  user_id uuid references users (id) on delete set null,
  name text not null,
  sku text not null,
  description text,
  cost_price numeric(12, 2) not null check (cost_price >= 0),
  pricing_method text not null check (pricing_method in ('margin', 'markup', 'fixed')),
  margin_percentage numeric(4, 1) check (margin_percentage between 0 and 100),
  markup_amount numeric(12, 2) check (markup_amount >= 0),
  fixed_price numeric(12, 2) check (fixed_price >= 0),
  tax_inclusive boolean not null,
  is_service boolean not null,
  -- Both follow from the columns above (domain/suppliers/item-pricing.ts); stored because the list is sorted by them.
  selling_price numeric(12, 2) not null check (selling_price >= 0),
  profit_margin numeric(16, 1) not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  version integer not null default 1,
  name_key text collate "C" not null,
  sku_key text collate "C" not null,
  search_text text not null,
  primary key (company_id, id),
  foreign key (company_id, supplier_id) references suppliers (company_id, id) on delete cascade
);
call guard_tenant_table('supplier_items');
create unique index supplier_items_by_sku on supplier_items (company_id, supplier_id, lower(sku));
-- One index per sort of a supplier's items, and one for items of all suppliers.
create index supplier_items_by_name on supplier_items (company_id, name_key, id);
create index supplier_items_of_supplier on supplier_items (company_id, supplier_id, name_key, id);
create index supplier_items_by_sku_key on supplier_items (company_id, supplier_id, sku_key, name_key, id);
create index supplier_items_by_cost on supplier_items (company_id, supplier_id, cost_price, name_key, id);
create index supplier_items_by_price on supplier_items (company_id, supplier_id, selling_price, name_key, id);
create index supplier_items_by_margin on supplier_items (company_id, supplier_id, profit_margin, name_key, id);
create index supplier_items_by_text on supplier_items using gin (company_id, search_text gin_trgm_ops);
create index supplier_items_by_user on supplier_items (user_id);
