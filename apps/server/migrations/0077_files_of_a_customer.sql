-- The customer of the job that a file's comment belongs to, which never changes. Without it, the newest files of a customer are found only
-- by reading all of the customer's jobs and their comments.
alter table files add column customer_id uuid;
update files f set customer_id = j.customer_id from job_comments c join jobs j on j.company_id = c.company_id and j.id = c.job_id
  where f.owner_kind = 'job_comment' and c.company_id = f.company_id and c.id = f.owner_id and j.customer_id is not null;
create index files_of_customer on files (company_id, customer_id, created_at, id) where customer_id is not null;

create function set_customer_of_file() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  new.customer_id := (select j.customer_id from public.job_comments c join public.jobs j on j.company_id = c.company_id and j.id = c.job_id
    where c.company_id = new.company_id and c.id = new.owner_id);
  return new;
end $$;
create trigger set_customer before insert or update of owner_kind, owner_id on files
  for each row when (new.owner_kind = 'job_comment') execute function set_customer_of_file();
