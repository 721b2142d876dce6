alter table companies add column last_active timestamptz(3) not null default now();
update companies set last_active = updated_at;
create index companies_by_age on companies (created_at desc, company_id desc);
