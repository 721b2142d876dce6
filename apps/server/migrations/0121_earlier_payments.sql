-- transaction: none
-- The payments that the queue still has to complete, so that looking for them reads no others.
create index concurrently if not exists earlier_payments on payments (company_id, id) where job_title is null;
