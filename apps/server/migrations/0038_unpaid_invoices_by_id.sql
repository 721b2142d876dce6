-- Reminders are looked for page by page in the order of ids: without this, every page but the first reads all paid invoices on its way.
create index unpaid_invoices_by_id on invoices (company_id, id) include (customer_id, late_after, due_on) where balance > 0;
