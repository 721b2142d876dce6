-- How much the files of a company take. Counted by the database itself with every row that comes or goes, so that no upload has to add
-- them all up, and exact however many come at once.
alter table companies add column file_bytes bigint not null default 0;
-- The tables are guarded against their owner too; this role sees every company.
set local role callout_system;
update companies c set file_bytes = coalesce((select sum(f.file_size) from files f where f.company_id = c.company_id), 0);
reset role;

create function count_file_bytes() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  update public.companies c set file_bytes = c.file_bytes + case tg_op when 'INSERT' then t.bytes else -t.bytes end
    from (select company_id, sum(file_size) as bytes from changed group by company_id) t where c.company_id = t.company_id;
  return null;
end $$;
create trigger count_added_bytes after insert on files referencing new table as changed
  for each statement execute function count_file_bytes();
create trigger count_removed_bytes after delete on files referencing old table as changed
  for each statement execute function count_file_bytes();

-- What a file belongs to: the company (its logo), a member (their picture), or the record it is attached to. Until it is attached it has
-- no owner; one that nobody attached within a day is removed. Files from before owners were recorded are kept.
alter table files
  add column owner_kind text,
  add column owner_id uuid,
  add column unattached_since timestamptz(3) default now();
set local role callout_system;
update files f set owner_kind = 'company', owner_id = f.company_id from companies c
  where f.purpose = 'logo' and c.company_id = f.company_id and c.avatar_url = '/api/images/' || f.id;
update files f set owner_kind = 'staff_member', owner_id = m.id from staff_members m
  where f.purpose = 'avatar' and m.company_id = f.company_id and m.avatar_url = '/api/images/' || f.id;
update files set owner_kind = 'unknown' where owner_kind is null;
update files set unattached_since = null;
reset role;
alter table files
  add constraint files_have_an_owner_or_wait_for_one check ((owner_kind is null) = (unattached_since is not null)),
  add constraint files_owner_id check ((owner_id is null) = (owner_kind is null or owner_kind = 'unknown'));
create index files_unattached on files (unattached_since) where owner_kind is null;

-- The size of a file is counted when it comes and when it goes: nobody changes it in between.
revoke update on files from callout_app, callout_system;
grant update (owner_kind, owner_id, unattached_since) on files to callout_app, callout_system;
