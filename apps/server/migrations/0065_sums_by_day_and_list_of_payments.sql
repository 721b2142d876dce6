-- What was issued on each day, so that the sums of any period read its days instead of its invoices. Totals are signed: credit notes are
-- subtracted on their own day, and an invoice that was replaced before corrections issued credit notes counts as 0.
create table invoice_days (
  company_id uuid not null references companies (company_id) on delete cascade,
  issued_on date not null,
  invoices integer not null,
  credit_notes integer not null,
  tax_amount numeric(20, 2) not null,
  total_amount numeric(20, 2) not null,
  -- The part of the invoices that isn't canceled.
  open_invoices integer not null,
  open_tax_amount numeric(20, 2) not null,
  open_total_amount numeric(20, 2) not null,
  primary key (company_id, issued_on)
);
call guard_tenant_table('invoice_days');

-- What was received on each day. Reversals are entries with negative amounts, and are counted separately, too.
create table payment_days (
  company_id uuid not null references companies (company_id) on delete cascade,
  paid_on date not null,
  method text not null,
  entries integer not null,
  reversals integer not null,
  amount numeric(20, 2) not null,
  fee numeric(20, 2) not null,
  primary key (company_id, paid_on, method)
);
call guard_tenant_table('payment_days');

-- Only the triggers below write the sums, as differences, so that no writer can forget or double one.
revoke insert, update, delete on invoice_days, payment_days from callout_app;

create function add_to_invoice_days() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  is_insert constant boolean := tg_op = 'INSERT';
  is_open constant integer := (new.kind = 'invoice' and new.state = 'open')::integer;
  was_open constant integer := case when is_insert then 0 else (old.kind = 'invoice' and old.state = 'open')::integer end;
  factor constant integer := case when new.state = 'replaced' then 0 when new.kind = 'credit_note' then -1 else 1 end;
  old_factor constant integer :=
    case when is_insert or old.state = 'replaced' then 0 when old.kind = 'credit_note' then -1 else 1 end;
begin
  insert into public.invoice_days as days values (new.company_id, new.issued_on,
      (is_insert and new.kind = 'invoice')::integer, (is_insert and new.kind = 'credit_note')::integer,
      (factor - old_factor) * new.tax_amount, (factor - old_factor) * new.total_amount,
      is_open - was_open, (is_open - was_open) * new.tax_amount, (is_open - was_open) * new.total_amount)
    on conflict (company_id, issued_on) do update set
      invoices = days.invoices + excluded.invoices,
      credit_notes = days.credit_notes + excluded.credit_notes,
      tax_amount = days.tax_amount + excluded.tax_amount,
      total_amount = days.total_amount + excluded.total_amount,
      open_invoices = days.open_invoices + excluded.open_invoices,
      open_tax_amount = days.open_tax_amount + excluded.open_tax_amount,
      open_total_amount = days.open_total_amount + excluded.open_total_amount;
  return null;
end $$;

create function add_to_payment_days() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into public.payment_days as days
    values (new.company_id, new.paid_on, new.method, 1, (new.reverses is not null)::integer, new.amount, new.fee)
    on conflict (company_id, paid_on, method) do update set entries = days.entries + 1, reversals = days.reversals + excluded.reversals,
      amount = days.amount + excluded.amount, fee = days.fee + excluded.fee;
  return null;
end $$;

-- Deferred to the commit: a day's row is locked last and only for a moment, so that two jobs don't wait for each other.
create constraint trigger invoices_are_summed_by_day after insert or update of state on invoices
  deferrable initially deferred for each row execute function add_to_invoice_days();
create constraint trigger payments_are_summed_by_day after insert on payments
  deferrable initially deferred for each row execute function add_to_payment_days();

-- What the list of payments sorts by and searches. The name is frozen like the rest of the row and outlives the customer.
alter table payments
  add column customer_name text,
  add column customer_key text collate "C" not null default '',
  add column search_text text not null default '';

-- A search finds a payment by the numbers of its job's invoices, whichever came first.
create function add_invoice_numbers_to_payment() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  new.search_text := concat_ws(E'\n', new.search_text, (select string_agg(lower(invoice_number), E'\n' order by created_at, id)
    from public.invoices where company_id = new.company_id and job_id = new.job_id and kind = 'invoice'));
  return new;
end $$;
create function add_invoice_number_to_payments() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update public.payments set search_text = concat_ws(E'\n', search_text, lower(new.invoice_number))
    where company_id = new.company_id and job_id = new.job_id;
  return null;
end $$;
create trigger payments_are_found_by_invoice before insert on payments
  for each row execute function add_invoice_numbers_to_payment();
create trigger invoices_find_earlier_payments after insert on invoices
  for each row when (new.kind = 'invoice') execute function add_invoice_number_to_payments();

grant create on schema public to callout_system;
alter function add_to_invoice_days owner to callout_system;
alter function add_to_payment_days owner to callout_system;
alter function add_invoice_number_to_payments owner to callout_system;
revoke create on schema public from callout_system;

set local role callout_system;
insert into invoice_days
  select company_id, issued_on, count(*) filter (where kind = 'invoice'), count(*) filter (where kind = 'credit_note'),
      sum(factor * tax_amount), sum(factor * total_amount),
      count(*) filter (where is_open), coalesce(sum(tax_amount) filter (where is_open), 0), coalesce(sum(total_amount) filter (where is_open), 0)
    from (select *, kind = 'invoice' and state = 'open' as is_open,
        case when state = 'replaced' then 0 when kind = 'credit_note' then -1 else 1 end as factor from invoices) signed
    group by company_id, issued_on;
insert into payment_days
  select company_id, paid_on, method, count(*), count(reverses), sum(amount), sum(fee) from payments group by company_id, paid_on, method;
update payments p set customer_name = coalesce(nullif(c.company_name, ''), c.name, i.customer_name),
    customer_key = coalesce(nullif(c.company_name_key, ''), c.name_key, i.customer_key, ''),
    search_text = concat_ws(E'\n', j.search_text, c.company_name_key, c.name_key, i.customer_key,
      translate(lower(regexp_replace(normalize(p.note, nfkd), U&'[\0300-\036f''\2019]', '', 'g')), U&'\2013\2014\201c\201d', '--""'),
      (select string_agg(lower(invoice_number), E'\n' order by created_at, id) from invoices
        where company_id = j.company_id and job_id = j.id and kind = 'invoice'))
  from jobs j
    left join customers c on c.company_id = j.company_id and c.id = j.customer_id
    left join lateral (select customer_name, customer_key from invoices
      where company_id = j.company_id and job_id = j.id order by created_at desc, id desc limit 1) i on true
  where j.company_id = p.company_id and j.id = p.job_id;
reset role;

-- One index per sort of the list of payments, and one for the filter by method in the default order.
create index payments_by_day on payments (company_id, paid_on, recorded_at, id);
create index payments_by_amount on payments (company_id, amount, id);
create index payments_by_customer on payments (company_id, customer_key, id);
create index payments_by_method on payments (company_id, method, paid_on, recorded_at, id);

-- The days hold what the wide index was for. What isn't settled is added up from the invoices, because it changes with every payment.
drop index invoices_by_day;
create index invoices_by_day on invoices (company_id, issued_on, id);
create index unsettled_invoices on invoices (company_id, issued_on) include (urgency, sent_at, tax_amount, total_amount, paid_amount, balance)
  where kind = 'invoice' and state = 'open' and (balance > 0 or sent_at is null or paid_amount > total_amount);
