-- Settings: payment terms, and reminders of overdue invoices in the firm's own words. Null is off, as for quotes.
alter table companies
  add column payment_terms_days integer check (payment_terms_days between 0 and 180),
  add column invoice_reminder_days integer check (invoice_reminder_days between 1 and 90),
  -- Invoices that were due for a reminder before it was switched on get none.
  add column invoice_reminders_since timestamptz(3),
  add column invoice_reminder_subject text,
  add column invoice_reminder_body text;
create index companies_that_remind_of_invoices on companies (company_id) where invoice_reminder_days is not null;

-- Asked for on acceptance: percent of what is accepted, or an amount.
alter table quotes
  add column deposit_percentage numeric(5, 2) check (deposit_percentage > 0 and deposit_percentage <= 100),
  add column deposit_amount numeric(12, 2) check (deposit_amount >= 0),
  add check (deposit_percentage is null or deposit_amount is null);

-- What is asked for, due and paid of a job. The last two follow from the rows of invoices and payments.
alter table jobs
  add column deposit_amount numeric(12, 2) check (deposit_amount > 0),
  -- Of the open invoice; null while there is none.
  add column billed_amount numeric(12, 2),
  add column paid_amount numeric(12, 2) not null default 0;

-- Money that was received for a job. Nothing is changed or deleted: a reversal is a row with the negative amount.
create table payments (
  company_id uuid not null references companies (company_id) on delete cascade,
  -- Made by the client, so that a repeated request records one payment.
  id uuid not null,
  job_id uuid not null,
  amount numeric(12, 2) not null check (amount <> 0),
  paid_on date not null,
  method text not null check (method in ('bank_transfer', 'cash', 'card', 'paypal', 'other')),
  note text,
  user_id uuid references users (id) on delete set null,
  recorded_by text not null,
  recorded_at timestamptz(3) not null,
  -- The payment that this one takes back.
  reverses uuid,
  primary key (company_id, id),
  check ((reverses is null) = (amount > 0)),
  foreign key (company_id, job_id) references jobs (company_id, id),
  foreign key (company_id, reverses) references payments (company_id, id)
);
call guard_tenant_table('payments');
revoke update, delete on payments from callout_app;
create index payments_of_job on payments (company_id, job_id, recorded_at, id);
create unique index one_reversal_per_payment on payments (company_id, reverses) where reverses is not null;
create index payments_by_user on payments (user_id);

-- The last number that was given out.
create table invoice_counters (
  company_id uuid not null references companies (company_id) on delete cascade,
  kind text not null check (kind in ('invoice', 'credit_note')),
  year integer not null,
  last integer not null,
  primary key (company_id, kind, year)
);
call guard_tenant_table('invoice_counters');

-- What was sent, frozen: invoices, and the credit notes that cancel one. Only what follows from later events is ever changed.
create table invoices (
  company_id uuid not null references companies (company_id) on delete cascade,
  id uuid not null,
  kind text not null check (kind in ('invoice', 'credit_note')),
  year integer not null,
  number integer not null check (number > 0),
  invoice_number text not null,
  job_id uuid not null,
  job_number text not null,
  title text not null,
  customer_id uuid,
  customer_name text not null,
  customer_key text collate "C" not null,
  -- Days in the company's time zone.
  issued_on date not null,
  due_on date,
  -- The last day on which it is not late.
  late_after date not null,
  subtotal numeric(12, 2) not null,
  tax_amount numeric(12, 2) not null,
  -- Without the fee of an online payment.
  total_amount numeric(12, 2) not null check (total_amount >= 0 and subtotal + tax_amount = total_amount),
  currency text,
  -- The invoice that this one replaces or credits.
  replaces uuid,
  -- All that was sent, as canonical JSON, and its hash.
  record text not null,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  user_id uuid references users (id) on delete set null,
  created_by text not null,
  created_at timestamptz(3) not null,
  search_text text not null,
  state text collate "C" not null default 'open' check (state in ('open', 'replaced', 'credited')),
  -- Of the job's payments, while the invoice is open.
  paid_amount numeric(12, 2) not null default 0,
  balance numeric(12, 2) not null generated always as
    (case when kind = 'invoice' and state = 'open' then greatest(total_amount - paid_amount, 0) else 0 end) stored,
  -- Sorts what is unpaid first, the oldest debt at the top, and below it what is settled, the newest at the top.
  urgency integer not null generated always as
    (case when kind = 'invoice' and state = 'open' and total_amount > paid_amount then late_after - date '2000-01-01'
      else 1000000 - (issued_on - date '2000-01-01') end) stored,
  primary key (company_id, id),
  constraint invoices_by_number unique (company_id, kind, year, number),
  foreign key (company_id, job_id) references jobs (company_id, id),
  foreign key (company_id, customer_id) references customers (company_id, id) on delete set null (customer_id),
  foreign key (company_id, replaces) references invoices (company_id, id)
);
call guard_tenant_table('invoices');
revoke update, delete on invoices from callout_app;
grant update (state, paid_amount) on invoices to callout_app;
-- Nor with its company, which only the system removes; and no number is given back.
revoke delete on companies, invoice_counters from callout_app;
create unique index one_open_invoice_per_job on invoices (company_id, job_id) where kind = 'invoice' and state = 'open';
create unique index one_successor_per_invoice on invoices (company_id, replaces) where replaces is not null;
create index invoices_of_job on invoices (company_id, job_id, created_at, id);
-- One index per sort of the list, one per filter in its default order.
create index invoices_by_urgency on invoices (company_id, urgency, id);
create index invoices_by_year on invoices (company_id, year, number, id);
create index invoices_by_customer on invoices (company_id, customer_key, id);
create index invoices_by_total on invoices (company_id, total_amount, id);
-- With all that the sums of the list add up, so that they never read the documents.
create index invoices_by_day on invoices (company_id, issued_on, id)
  include (kind, state, late_after, urgency, total_amount, paid_amount, balance, customer_id);
create index invoices_of_customer on invoices (company_id, customer_id, urgency, id);
create index unpaid_invoices on invoices (company_id, urgency, id) include (customer_id, balance) where balance > 0;
create index paid_invoices on invoices (company_id, urgency, id) where kind = 'invoice' and state = 'open' and balance = 0;
create index invoices_by_text on invoices using gin (company_id, search_text gin_trgm_ops);
create index invoices_by_user on invoices (user_id);

-- A mail with an invoice, or a reminder of it, and what became of it. Its words are kept to send it again.
create table invoice_mails (
  company_id uuid not null,
  -- Made by the client for a mail that a person sends.
  id uuid not null,
  invoice_id uuid not null,
  kind text not null check (kind in ('invoice', 'reminder')),
  -- The mail in the outbox of its latest attempt.
  mail_id uuid not null,
  recipient text not null,
  subject text not null,
  body text not null,
  status text not null check (status in ('queued', 'sent', 'failed', 'kept')),
  problem text,
  queued_at timestamptz(3) not null,
  sent_at timestamptz(3),
  user_id uuid references users (id) on delete set null,
  sent_by text,
  primary key (company_id, id),
  foreign key (company_id, invoice_id) references invoices (company_id, id) on delete cascade
);
call guard_tenant_table('invoice_mails');
create index invoice_mails_of_invoice on invoice_mails (company_id, invoice_id, queued_at, id);
create index invoice_mails_by_mail on invoice_mails (company_id, mail_id);
create index invoice_mails_by_user on invoice_mails (user_id);
-- One reminder per invoice, ever.
create unique index one_reminder_per_invoice on invoice_mails (company_id, invoice_id) where kind = 'reminder';

-- What was paid of a job and of its open invoice follows from the payments, whoever records one.
create function sum_payments_of_job() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  update public.jobs set paid_amount = (select sum(p.amount) from public.payments p where p.company_id = new.company_id and p.job_id = new.job_id)
    where company_id = new.company_id and id = new.job_id;
  update public.invoices i set paid_amount = j.paid_amount from public.jobs j
    where j.company_id = new.company_id and j.id = new.job_id
      and i.company_id = j.company_id and i.job_id = j.id and i.kind = 'invoice' and i.state = 'open';
  return null;
end $$;
create trigger payments_are_summed after insert on payments for each row execute function sum_payments_of_job();

-- Jobs that were marked as paid before payments were recorded: one payment of what each of them costs, on their day in the company's time
-- zone. A zone that the database has no name for counts as UTC, and the lines of a job can add up to more than the largest amount: neither
-- ends the update.
set local role callout_system;
insert into payments (company_id, id, job_id, amount, paid_on, method, note, recorded_by, recorded_at)
  select company_id, gen_random_uuid(), id, least(total, 9999999999.99), (updated_at at time zone timezone)::date, 'other',
      'Marked as paid before payments were recorded', 'Callout', now()
    from (select j.company_id, j.id, j.updated_at, coalesce(z.name, 'UTC') as timezone, case when count(i.id) > 0
        then round(sum(case when i.tax_inclusive then i.total_price else i.total_price * (1 + coalesce(j.tax_rate, c.gst_percentage, 15) / 100) end), 2)
        when j.job_type = 'fixed' then coalesce(j.fixed_amount, 0) else 0 end as total
      from jobs j join companies c on c.company_id = j.company_id
        left join pg_timezone_names z on z.name = c.timezone
        left join job_items i on i.company_id = j.company_id and i.job_id = j.id
      where j.status = 'paid'
      group by j.company_id, j.id, j.updated_at, j.job_type, j.fixed_amount, j.tax_rate, c.gst_percentage, z.name) priced
    where total > 0;
-- A job that was paid keeps its rate.
update jobs j set tax_rate = coalesce(c.gst_percentage, 15) from companies c
  where c.company_id = j.company_id and j.status = 'paid' and j.tax_rate is null;
reset role;

-- A mail about an invoice is not sent once the invoice was replaced or canceled, its job was canceled, or another mail has taken its place;
-- a reminder not once it is paid. Otherwise as before.
create or replace function is_mail_withdrawn(mail uuid) returns boolean
  language sql stable security definer set search_path = pg_catalog, pg_temp
  return exists (select from public.outbox_mails m where m.id = mail and m.sent_at is null and (
    (m.report_task = 'record-invitation-delivery' and not exists (select from public.invitations i where i.mail_id = mail))
    or (m.report_task = 'record-quote-delivery' and not exists (
      select from public.quote_mails r
        join public.quotes q on q.company_id = r.company_id and q.id = r.quote_id
        join public.companies c on c.company_id = q.company_id
        where r.company_id = m.company_id and r.mail_id = mail and (r.kind = 'quote' or (q.status = 'sent'
          and (q.valid_until is null or q.valid_until >= public.today_in(c.timezone))))))
    or (m.report_task = 'record-invoice-delivery' and not exists (
      select from public.invoice_mails r
        join public.invoices i on i.company_id = r.company_id and i.id = r.invoice_id
        join public.jobs j on j.company_id = i.company_id and j.id = i.job_id
        where r.company_id = m.company_id and r.mail_id = mail and i.state = 'open' and j.status <> 'canceled'
          and (r.kind = 'invoice' or i.balance > 0)))));
