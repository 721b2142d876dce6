create table companies (
  company_id uuid primary key,
  company_name text,
  email text,
  phone text,
  address text,
  timezone text,
  gst_number text,
  gst_percentage numeric(6, 3) check (gst_percentage between 0 and 100),
  default_hourly_rate numeric(12, 2) check (default_hourly_rate >= 0),
  currency text check (currency in ('USD', 'EUR', 'GBP', 'AUD', 'NZD')),
  bank_name text,
  bank_account_number text,
  paypal_email text,
  add_paypal_fees boolean not null default false,
  paypal_fee_percentage numeric(6, 3) check (paypal_fee_percentage >= 0 and paypal_fee_percentage < 100),
  avatar_url text,
  onboarding_completed boolean not null default false,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  version integer not null default 1
);
call guard_tenant_table('companies');

create table staff_colors (
  id uuid primary key,
  name text not null unique,
  hex_code text not null check (hex_code ~ '^#[0-9a-f]{6}$')
);
insert into staff_colors (id, name, hex_code) values
  ('018f0000-0000-7000-8000-000000000001', 'Amber', '#d97706'),
  ('018f0000-0000-7000-8000-000000000002', 'Blue', '#2563eb'),
  ('018f0000-0000-7000-8000-000000000003', 'Cyan', '#0891b2'),
  ('018f0000-0000-7000-8000-000000000004', 'Green', '#16a34a'),
  ('018f0000-0000-7000-8000-000000000005', 'Indigo', '#4f46e5'),
  ('018f0000-0000-7000-8000-000000000006', 'Lime', '#65a30d'),
  ('018f0000-0000-7000-8000-000000000007', 'Orange', '#ea580c'),
  ('018f0000-0000-7000-8000-000000000008', 'Pink', '#db2777'),
  ('018f0000-0000-7000-8000-000000000009', 'Purple', '#9333ea'),
  ('018f0000-0000-7000-8000-00000000000a', 'Red', '#dc2626'),
  ('018f0000-0000-7000-8000-00000000000b', 'Slate', '#475569'),
  ('018f0000-0000-7000-8000-00000000000c', 'Teal', '#0f766e');
grant select on staff_colors to callout_app, callout_system;

create table staff_members (
  company_id uuid not null references companies (company_id) on delete cascade,
  id uuid not null,
  -- The login, once the invitation was accepted. A person works for one company.
  profile_id uuid unique references users (id) on delete set null,
  name text not null,
  email text not null,
  phone text,
  hourly_rate numeric(12, 2) check (hourly_rate >= 0),
  role text not null check (role in ('admin', 'manager', 'accountant', 'staff')),
  color_id uuid references staff_colors (id),
  avatar_url text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  version integer not null default 1,
  primary key (company_id, id)
);
call guard_tenant_table('staff_members');
