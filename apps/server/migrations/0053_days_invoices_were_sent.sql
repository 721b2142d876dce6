-- The day on which the customer got the invoice, in the company's time zone: its payment terms start then. Set together with `sent_at`.
alter table invoices add column sent_on date;
grant update (sent_on) on invoices to callout_app;
set local role callout_system;
-- Earlier invoices stay overdue since the day they were: that day never precedes the day of issue.
update invoices set sent_on = issued_on where sent_at is not null;
reset role;

-- As before, but the payment terms of an invoice start on the day its customer got it, and an unsent one comes after all other unpaid ones.
alter table invoices drop column urgency;
alter table invoices add column urgency integer not null generated always as
  (case when kind = 'invoice' and state = 'open' and total_amount > paid_amount
      then case when sent_at is null then 500000 else late_after + greatest(sent_on - issued_on, 0) - date '2000-01-01' end
    else 1000000 - (issued_on - date '2000-01-01') end) stored;
create index invoices_by_urgency on invoices (company_id, urgency, id);
create index invoices_by_day on invoices (company_id, issued_on, id)
  include (kind, state, late_after, urgency, total_amount, paid_amount, balance, customer_id, sent_at);
create index invoices_of_customer on invoices (company_id, customer_id, urgency, id);
create index unpaid_invoices on invoices (company_id, urgency, id) include (customer_id, balance) where balance > 0;
create index paid_invoices on invoices (company_id, urgency, id) where kind = 'invoice' and state = 'open' and balance = 0;
create index unsent_invoices on invoices (company_id, urgency, id) include (balance)
  where kind = 'invoice' and state = 'open' and sent_at is null;

-- `jobs.is_invoice_unsent` is no longer used: an unsent invoice counts as an invoice, not as work that isn't invoiced. The column stays
-- for servers of the previous version.
