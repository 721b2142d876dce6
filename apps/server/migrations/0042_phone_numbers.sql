-- The same phone number may be written with and without its country code: both end in the same digits, by which they are found and then compared.
alter table customers
  drop column phone_digits,
  add column phone_tail text collate "C" generated always as (right(regexp_replace(phone, '[^0-9]', '', 'g'), 7)) stored;

create index customers_by_phone on customers (company_id, phone_tail);
