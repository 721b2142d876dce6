-- An issued invoice counts as sent once it was emailed or handed over: before that, its customer doesn't have it.
alter table invoices
  add column sent_at timestamptz(3),
  -- The name of the person who said that they handed it over.
  add column handed_over_by text;
grant update (sent_at, handed_over_by) on invoices to callout_app;

-- True while the job's open invoice is issued, but not sent.
alter table jobs add column is_invoice_unsent boolean not null default false;

-- Invoices of a server without mail were issued, and their emails kept: those of jobs that are still complete were never sent.
set local role callout_system;
update invoices i set sent_at = i.created_at from jobs j
  where j.company_id = i.company_id and j.id = i.job_id and i.kind = 'invoice' and not (i.state = 'open'
    and j.status not in ('invoiced', 'paid')
    and exists (select from invoice_mails m where m.company_id = i.company_id and m.invoice_id = i.id and m.kind = 'invoice')
    and not exists (select from invoice_mails m where m.company_id = i.company_id and m.invoice_id = i.id and m.kind = 'invoice'
      and m.status <> 'kept'));
update jobs j set is_invoice_unsent = true from invoices i
  where i.company_id = j.company_id and i.job_id = j.id and i.kind = 'invoice' and i.state = 'open' and i.sent_at is null;
reset role;

-- What an online payment brought on top of `amount`. It isn't part of the debt, and a reversal takes it back, too.
alter table payments
  add column fee numeric(12, 2) not null default 0,
  add check (fee = 0 or (fee > 0) = (amount > 0));
