-- A job's price, calculated by the server in the transaction that changes it, so that lists, sums and documents read one figure. A job can
-- have 500 lines of the largest amount, so its totals have more digits than one amount.
alter table jobs
  add column subtotal numeric(20, 2) not null default 0,
  add column tax_amount numeric(20, 2) not null default 0,
  add column total_amount numeric(20, 2) not null default 0,
  -- The rate, in percent, that the totals were calculated with. `tax_rate` says whether later changes of the company's rate still apply.
  add column priced_rate numeric(7, 4) not null default 15,
  -- Null for a company that has not chosen a currency.
  add column currency text;
alter table quotes add column currency text;

-- Migration 0066 replaces these indexes. Without them, the updates below don't have to add every row to them again.
drop index jobs_by_text;
drop index quotes_by_text;

set local role callout_system;
-- The same figures as `calculateJobTotals`: exact sums, each rounded half up once. A quotient of numerics is rounded by PostgreSQL, so the
-- subtotal is calculated with `div`, which is exact: half up to cents is the whole part of (200 * sum + gross) / (2 * gross).
with line_sums as (
  select company_id, job_id, coalesce(sum(total_price) filter (where tax_inclusive), 0) as inclusive,
    coalesce(sum(total_price) filter (where not tax_inclusive), 0) as exclusive
  from job_items group by company_id, job_id
), open_invoices as (
  select company_id, job_id, currency from invoices where kind = 'invoice' and state = 'open'
), acceptances as (
  -- The currency that the customer saw.
  select company_id, job_id, readable_json(record) -> 'document' ->> 'currency' as currency from quote_acceptances
), sums as (
  select j.company_id, j.id, coalesce(j.tax_rate, c.gst_percentage, 15) as rate, coalesce(i.currency, a.currency, c.currency) as currency,
    case when l.job_id is not null then l.inclusive when j.job_type = 'fixed' then coalesce(j.fixed_amount, 0) else 0 end as inclusive,
    coalesce(l.exclusive, 0) as exclusive
  from jobs j join companies c on c.company_id = j.company_id
    left join line_sums l on l.company_id = j.company_id and l.job_id = j.id
    left join open_invoices i on i.company_id = j.company_id and i.job_id = j.id
    left join acceptances a on a.company_id = j.company_id and a.job_id = j.id
), hundredfold as (
  select *, 100 + rate as gross, inclusive * 100 + exclusive * (100 + rate) as amount from sums
), priced as (
  select company_id, id, rate, currency, div(200 * amount + gross, 2 * gross) * 0.01 as subtotal, round(amount * 0.01, 2) as total
  from hundredfold
)
update jobs j set subtotal = p.subtotal, tax_amount = p.total - p.subtotal, total_amount = p.total, priced_rate = p.rate, currency = p.currency
  from priced p where p.company_id = j.company_id and p.id = j.id;

-- An accepted quote has the currency that the customer saw.
update quotes q set currency = coalesce(
    (select readable_json(a.record) -> 'document' ->> 'currency' from quote_acceptances a
      where a.company_id = q.company_id and a.quote_id = q.id),
    c.currency)
  from companies c where c.company_id = q.company_id;
reset role;

-- The sum of finished work without an invoice reads this index alone.
drop index uninvoiced_jobs;
create index uninvoiced_jobs on jobs (company_id, created_at, id) include (total_amount, currency)
  where status in ('complete', 'invoiced') and billed_amount is null;

-- Jobs that follow the company's rate and currency. The task that reprices them reads them in batches, in the order of their ids.
create index jobs_at_company_rate on jobs (company_id, id) where tax_rate is null;

-- A company's currency is final once a customer has something with an amount: a quote, an invoice or a receipt for a payment.
create function has_sent_documents(company uuid) returns boolean
  language sql stable set search_path = pg_catalog, pg_temp
begin atomic
  select exists (select from public.quotes where company_id = company and (sent_at is not null or status <> 'draft'))
    or exists (select from public.quote_acceptances where company_id = company)
    or exists (select from public.invoices where company_id = company)
    or exists (select from public.payments where company_id = company);
end;

-- Until then, drafts follow the company's currency. A quote keeps the rate it was saved with. Jobs that are neither quoted, invoiced nor paid
-- follow the rate and the currency: a task reprices them in batches. The lock waits for what is being created, invoiced or paid at the old
-- rate or in the old currency, because neither the task nor `has_sent_documents` would see it; see `lockPrices`.
create function reprice_company() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  -- Quotes are locked before prices, as when a quote is saved. The second time is for quotes that were created before the lock was free.
  update public.quotes set currency = new.currency
    where company_id = new.company_id and status = 'draft' and sent_at is null and currency is distinct from new.currency;
  perform pg_advisory_xact_lock(hashtextextended('callout prices ' || new.company_id, 0));
  update public.quotes set currency = new.currency
    where company_id = new.company_id and status = 'draft' and sent_at is null and currency is distinct from new.currency;
  perform public.queue_work('reprice-jobs', json_build_object('company_id', new.company_id, 'after', null), 'reprice-jobs ' || new.company_id);
  return null;
end $$;
create trigger reprice_company after update of gst_percentage, currency on companies for each row
  when ((old.gst_percentage, old.currency) is distinct from (new.gst_percentage, new.currency)) execute function reprice_company();

alter table jobs drop column is_invoice_unsent;
