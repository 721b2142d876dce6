-- The job that it was copied from, also when that was deleted: a repeated request gets the same copy.
alter table jobs add column copied_from uuid;
