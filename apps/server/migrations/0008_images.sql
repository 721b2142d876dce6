-- Logos and avatars are shown to people without a login, by an id nobody can guess; attachments never are.
alter table files add column purpose text not null default 'attachment' check (purpose in ('attachment', 'logo', 'avatar'));
create unique index images_by_id on files (id) where purpose <> 'attachment';
