-- The administrator searches the outbox by recipient and subject, and sees when a mail is tried again: its job is found by this key.
create index outbox_mails_by_text on outbox_mails using gin (lower(recipient || ' ' || subject) gin_trgm_ops);

create or replace function queue_mail(
  id uuid, company_id uuid, recipient text, subject text, text_body text, html_body text, secret boolean default false,
  reply_to jsonb default null, report_task text default null) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into public.outbox_mails (id, company_id, recipient, subject, text_body, html_body, secret, reply_to, report_task)
    values (queue_mail.id, queue_mail.company_id, queue_mail.recipient, queue_mail.subject, queue_mail.text_body, queue_mail.html_body,
      queue_mail.secret, queue_mail.reply_to, queue_mail.report_task);
  perform public.queue_work('send-mail', json_build_object('id', queue_mail.id), 'send-mail ' || queue_mail.id);
end $$;
