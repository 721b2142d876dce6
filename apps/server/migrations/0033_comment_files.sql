-- Comments take the files that were uploaded for them; the server makes a small picture of each image, which belongs to that file.
alter table files drop constraint files_purpose_check;
alter table files
  -- The order in which a record shows its files.
  add column owner_position integer not null default 0,
  add constraint files_purpose_check check (purpose in ('attachment', 'logo', 'avatar', 'thumbnail')),
  add constraint thumbnails_belong_to_a_file check ((purpose = 'thumbnail') = (owner_kind is not distinct from 'file'));
grant update (owner_position) on files to callout_app, callout_system;
create index files_of_owner on files (company_id, owner_kind, owner_id, owner_position) where owner_id is not null;
create unique index one_thumbnail_per_file on files (company_id, owner_id) where purpose = 'thumbnail';

-- What people without a login may see: attachments and their small pictures never are among it.
drop index images_by_id;
create unique index images_by_id on files (id) where purpose in ('logo', 'avatar');

-- Deleting an unfinished company runs with an empty search path, also in the triggers that it sets off.
alter function name_job_keys() set search_path = pg_catalog, public, pg_temp;
alter function rename_customer_of_jobs() set search_path = pg_catalog, public, pg_temp;
alter function rename_staff_of_jobs() set search_path = pg_catalog, public, pg_temp;
alter function categorize_jobs() set search_path = pg_catalog, public, pg_temp;
alter function rename_category_of_jobs() set search_path = pg_catalog, public, pg_temp;
alter function stop_timers_of_staff() set search_path = pg_catalog, public, pg_temp;
alter function stop_timers_of_job() set search_path = pg_catalog, public, pg_temp;

-- Suppliers and jobs, also one whose customer was deleted, make a company like any other.
create or replace view unfinished_companies with (security_invoker = true) as
  select c.company_id, c.last_active from companies c
    where not c.onboarding_completed and c.company_name is null
      and not exists (select from customers t where t.company_id = c.company_id)
      and not exists (select from suppliers t where t.company_id = c.company_id)
      and not exists (select from jobs t where t.company_id = c.company_id);
