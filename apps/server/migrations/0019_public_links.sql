-- What opens a public page: record ids are made by clients and may be the same in two companies, so they open nothing.
-- The token is made by the server and is unique among all companies.
create table public_links (
  company_id uuid not null references companies (company_id) on delete cascade,
  id uuid not null,
  token text not null unique check (token ~ '^[A-Za-z0-9_-]{22,}$'),
  record_kind text not null,
  record_id uuid not null,
  created_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  first_opened_at timestamptz(3),
  last_opened_at timestamptz(3),
  primary key (company_id, id)
);
call guard_tenant_table('public_links');
-- One open link per record: it stays the same however often it is copied or mailed.
create unique index public_links_by_record on public_links (company_id, record_kind, record_id) where revoked_at is null;
