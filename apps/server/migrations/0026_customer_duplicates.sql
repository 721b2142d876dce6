-- The page warns when another customer has the same phone number or email. As columns of their own, because row-level security keeps
-- PostgreSQL from using an index of an expression.
alter table customers
  add column phone_digits text collate "C" generated always as (regexp_replace(phone, '[^0-9]', '', 'g')) stored,
  add column email_key text collate "C" generated always as (lower(email)) stored;

create index customers_by_phone on customers (company_id, phone_digits);
create index customers_by_email on customers (company_id, email_key);
