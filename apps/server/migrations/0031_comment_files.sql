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
