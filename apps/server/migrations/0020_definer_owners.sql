-- No function that runs with its owner's rights belongs to the owner of the tables, who may be a superuser: it would run what
-- callout_queue, which owns the queue, put into the queue's own functions. Each belongs to the role whose rights it needs.
grant usage on schema public to callout_queue;

create or replace function queue_mail(
  id uuid, company_id uuid, recipient text, subject text, text_body text, html_body text, secret boolean default false) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into public.outbox_mails (id, company_id, recipient, subject, text_body, html_body, secret)
    values (queue_mail.id, queue_mail.company_id, queue_mail.recipient, queue_mail.subject, queue_mail.text_body, queue_mail.html_body,
      queue_mail.secret);
  perform public.queue_work('send-mail', json_build_object('id', queue_mail.id));
end $$;

grant create on schema public to callout_system, callout_queue;
alter function queue_work owner to callout_queue;
alter function forget_work owner to callout_queue;
alter function queue_mail owner to callout_system;
alter function recall_invitation_mail owner to callout_system;
revoke create on schema public from callout_system, callout_queue;
