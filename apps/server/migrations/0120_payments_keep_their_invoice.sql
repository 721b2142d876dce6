-- A payment keeps the number of the invoice that was open when it was recorded, and its job's title of that time: a corrected invoice or a
-- new title changes no export of a closed month. A reversal belongs to the invoice of the payment that it takes back.
alter table payments
  add column invoice_number text,
  -- Null for payments that were recorded before this migration, until the queue has completed them.
  add column job_title text;

-- Finds the invoice of a job that was neither credited nor replaced yet at that time.
create function find_invoice_number_at(company uuid, job uuid, moment timestamptz) returns text
  language sql stable set search_path = pg_catalog, pg_temp as $$
  select i.invoice_number from public.invoices i
    where i.company_id = company and i.job_id = job and i.kind = 'invoice' and i.created_at <= moment and not exists (
      select from public.invoices s where s.company_id = i.company_id and s.replaces = i.id and s.created_at <= moment)
    order by i.created_at desc, i.id desc limit 1
$$;

-- In a trigger, so that payments which the previous release records get both, too. Searches find a payment by all numbers of its job's
-- invoices, as before.
create or replace function add_invoice_numbers_to_payment() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  new.search_text := concat_ws(E'\n', new.search_text, (select string_agg(lower(invoice_number), E'\n' order by created_at, id)
    from public.invoices where company_id = new.company_id and job_id = new.job_id and kind = 'invoice'));
  new.job_title := (select title from public.jobs where company_id = new.company_id and id = new.job_id);
  if new.reverses is null then
    new.invoice_number := (select invoice_number from public.invoices
      where company_id = new.company_id and job_id = new.job_id and kind = 'invoice' and state = 'open');
  else
    new.invoice_number := (
      select case when job_title is null then public.find_invoice_number_at(company_id, job_id, recorded_at) else invoice_number end
        from public.payments where company_id = new.company_id and id = new.reverses);
  end if;
  return new;
end $$;
