-- As before, but the payment terms of an invoice start on the day its customer got it, not on the day of issue.
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
