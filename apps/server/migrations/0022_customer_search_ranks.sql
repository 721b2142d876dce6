-- A search ranks a match in the contact's name above one elsewhere, so the row carries that name folded too.
alter table customers add column contact_name_key text collate "C";

-- Folded it is in search_text already: after the lines of name, email, address and company, as many lines as it has itself.
set local role callout_system;
update customers
  set contact_name_key = left(array_to_string((string_to_array(search_text, E'\n'))[first_line : first_line + regexp_count(contact_name, E'\n')], E'\n'), 100)
  from (select company_id, id, 2 + regexp_count(
      concat_ws(E'\n', nullif(name, ''), nullif(email, ''), nullif(address, ''), nullif(company_name, '')), E'\n') as first_line
    from customers) as lines
  where lines.company_id = customers.company_id and lines.id = customers.id and contact_name is not null;
reset role;
