-- "Clear all" hides notifications under the id of that command, which can undo it. The clean-up deletes them a day later.
alter table notifications
  add column cleared_by uuid,
  add column cleared_at timestamptz(3),
  add check ((cleared_by is null) = (cleared_at is null));
drop index notifications_by_person;
drop index notifications_unread;
create index notifications_by_person on notifications (company_id, user_id, created_at desc, id desc) where cleared_at is null;
create index notifications_unread on notifications (company_id, user_id) where not read and cleared_at is null;
create index notifications_cleared on notifications (cleared_at) where cleared_at is not null;
