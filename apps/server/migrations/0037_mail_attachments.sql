-- A mail may carry a file, such as an invoice. Its bytes are made when the mail is delivered, by the maker of this name from this payload:
-- {"maker": "invoice-pdf", "payload": {...}}.
alter table outbox_mails
  add column attachment jsonb check (attachment is null or (attachment ->> 'maker' is not null and attachment -> 'payload' is not null));

drop function queue_mail;
create function queue_mail(
  id uuid, company_id uuid, recipient text, subject text, text_body text, html_body text, secret boolean default false,
  reply_to jsonb default null, report_task text default null, attachment jsonb default null) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into public.outbox_mails (id, company_id, recipient, subject, text_body, html_body, secret, reply_to, report_task, attachment)
    values (queue_mail.id, queue_mail.company_id, queue_mail.recipient, queue_mail.subject, queue_mail.text_body, queue_mail.html_body,
      queue_mail.secret, queue_mail.reply_to, queue_mail.report_task, queue_mail.attachment);
  perform public.queue_work('send-mail', json_build_object('id', queue_mail.id), 'send-mail ' || queue_mail.id);
end $$;
revoke execute on function queue_mail from public;
grant execute on function queue_mail to callout_app, callout_system;
grant create on schema public to callout_system;
alter function queue_mail owner to callout_system;
revoke create on schema public from callout_system;
