-- A mail with a link that opens something by itself: its words are kept until it was sent, and not a moment longer.
alter table outbox_mails add column secret boolean not null default false;
update outbox_mails set secret = true where text_body like '%token=%';
update outbox_mails set text_body = '', html_body = '' where secret and sent_at is not null;

drop function queue_mail;
create function queue_mail(
  id uuid, company_id uuid, recipient text, subject text, text_body text, html_body text, secret boolean default false) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into public.outbox_mails (id, company_id, recipient, subject, text_body, html_body, secret)
    values (queue_mail.id, queue_mail.company_id, queue_mail.recipient, queue_mail.subject, queue_mail.text_body, queue_mail.html_body,
      queue_mail.secret);
  perform graphile_worker.add_job('send-mail', json_build_object('id', queue_mail.id));
end $$;
revoke execute on function queue_mail from public;
grant execute on function queue_mail to callout_app, callout_system;

-- An invitation that ends, however it ends, takes its mail along: a link that no longer works is not sent any more.
-- A mail that is going out at this moment is let go, since waiting for it would hold up the company.
alter table invitations add column mail_id uuid;
create function recall_invitation_mail() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from public.outbox_mails m
    where m.id = (select o.id from public.outbox_mails o where o.id = old.mail_id and o.sent_at is null for update skip locked);
  return null;
end $$;
revoke execute on function recall_invitation_mail from public;
create trigger recall_invitation_mail after delete or update of mail_id on invitations
  for each row execute function recall_invitation_mail();
