-- A corrected invoice has two successors: the credit note that cancels it, and the invoice that takes its place.
drop index one_successor_per_invoice;
create unique index one_successor_per_invoice on invoices (company_id, replaces, kind) where replaces is not null;
