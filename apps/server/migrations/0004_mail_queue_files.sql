-- Every mail there ever was: what waits, what was sent, what failed and why, what is kept because no mail server is configured.
create table outbox_mails (
  id uuid primary key,
  company_id uuid references companies (company_id) on delete cascade,
  recipient text not null,
  subject text not null,
  text_body text not null,
  html_body text not null,
  status text not null default 'waiting' check (status in ('waiting', 'sent', 'failed', 'kept')),
  attempts integer not null default 0,
  last_error text,
  created_at timestamptz(3) not null default now(),
  sent_at timestamptz(3)
);
create index outbox_mails_by_age on outbox_mails (created_at desc, id desc);
create index outbox_mails_by_company on outbox_mails (company_id);
grant select, insert, update, delete on outbox_mails to callout_system;

-- Work and mail are queued in the transaction that causes them, by roles that may not read either queue.
create function queue_work(task text, payload json, job_key text default null) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform graphile_worker.add_job(task, payload, job_key => queue_work.job_key);
end $$;

create function queue_mail(id uuid, company_id uuid, recipient text, subject text, text_body text, html_body text) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into public.outbox_mails (id, company_id, recipient, subject, text_body, html_body)
    values (queue_mail.id, queue_mail.company_id, queue_mail.recipient, queue_mail.subject, queue_mail.text_body, queue_mail.html_body);
  perform graphile_worker.add_job('send-mail', json_build_object('id', queue_mail.id));
end $$;

revoke execute on function queue_work, queue_mail from public;
grant execute on function queue_work, queue_mail to callout_app, callout_system;

create table files (
  company_id uuid not null references companies (company_id) on delete cascade,
  id uuid not null,
  file_name text not null,
  file_size bigint not null,
  file_type text not null,
  user_id uuid references users (id) on delete set null,
  created_at timestamptz(3) not null default now(),
  primary key (company_id, id)
);
call guard_tenant_table('files');
