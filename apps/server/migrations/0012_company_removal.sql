-- The outbox is looked through by status, and for what was mailed to somebody before they had a company.
create index outbox_mails_by_status on outbox_mails (status, created_at desc, id desc);
create index outbox_mails_of_nobody on outbox_mails (lower(recipient)) where company_id is null;

-- Takes work that waits, or was given up, out of the queue when a value of its payload, or the first part of a file key, is one of
-- these words. They are in lower case.
create function forget_work(words text[]) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from graphile_worker._private_jobs j
    where j.locked_at is null and json_typeof(j.payload) = 'object' and exists (
      select from json_each_text(case when json_typeof(j.payload) = 'object' then j.payload else '{}' end) v
        where lower(v.value) = any (words) or split_part(lower(v.value), '/', 1) = any (words));
end $$;
revoke execute on function forget_work from public;
grant execute on function forget_work to callout_system;
