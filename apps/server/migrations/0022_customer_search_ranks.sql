-- A search ranks a match in the contact's name above one elsewhere, so the row carries that name folded too.
alter table customers add column contact_name_key text collate "C";

-- Folded it is a line of search_text already, after the lines of name, email, address and company.
set local role callout_system;
update customers
  set contact_name_key = left(split_part(search_text, E'\n',
    5 + regexp_count(concat(name, email, address, company_name), E'\n')), 100)
  where contact_name is not null;
reset role;
