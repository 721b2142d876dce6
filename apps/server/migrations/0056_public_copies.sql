-- Customers get a copy of a photo without its location. Like a thumbnail, it belongs to the photo, counts toward the quota and is in backups.
alter table files drop constraint files_purpose_check, drop constraint thumbnails_belong_to_a_file;
alter table files
  add constraint files_purpose_check check (purpose in ('attachment', 'logo', 'avatar', 'thumbnail', 'public_copy')),
  add constraint derived_files_belong_to_a_file
    check ((purpose in ('thumbnail', 'public_copy')) = (owner_kind is not distinct from 'file'));
create unique index one_public_copy_per_file on files (company_id, owner_id) where purpose = 'public_copy';
