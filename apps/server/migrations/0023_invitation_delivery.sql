-- A mail can say who gets the answers, and can name a task of the queue that runs after each attempt to send it. `problem` says in plain words why it was not delivered.
alter table outbox_mails
  add column reply_to jsonb,
  add column report_task text,
  add column problem text;

drop function queue_mail;
create function queue_mail(
  id uuid, company_id uuid, recipient text, subject text, text_body text, html_body text, secret boolean default false,
  reply_to jsonb default null, report_task text default null) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into public.outbox_mails (id, company_id, recipient, subject, text_body, html_body, secret, reply_to, report_task)
    values (queue_mail.id, queue_mail.company_id, queue_mail.recipient, queue_mail.subject, queue_mail.text_body, queue_mail.html_body,
      queue_mail.secret, queue_mail.reply_to, queue_mail.report_task);
  perform public.queue_work('send-mail', json_build_object('id', queue_mail.id));
end $$;
revoke execute on function queue_mail from public;
grant execute on function queue_mail to callout_app, callout_system;

-- An invitation has a mailed link, a link that the inviter copied to send it another way, or both.
alter table invitations
  alter column token_hash drop not null,
  add column copied_token_hash text unique,
  add column invited_by uuid references users (id) on delete set null,
  add column delivery text check (delivery in ('sending', 'delivered', 'failed', 'not-sent')),
  add column delivery_problem text,
  add check (token_hash is not null or copied_token_hash is not null);
create index invitations_by_inviter on invitations (invited_by);
create index invitations_by_mail on invitations (mail_id);
-- The tables are guarded against their owner too; this role sees every company.
set local role callout_system;
update invitations i
  set delivery = case m.status when 'sent' then 'delivered' when 'failed' then 'failed' when 'kept' then 'not-sent' else 'sending' end
  from outbox_mails m where m.id = i.mail_id;
reset role;

-- A copied link does not prove that its holder owns the email, since the inviter holds it too. It only makes a new login, whose email is
-- unconfirmed, and never takes over an existing one. Null, and nothing done, when there is one.
drop function give_login;
create function give_login(
  staff uuid, new_login uuid, password_hash text, proves_email boolean default true,
  out login uuid, out ended_sessions uuid[], out replaced_company uuid)
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  prepared record;
  member public.staff_members;
begin
  if not proves_email and exists (
    select from public.users u join public.staff_members m on lower(m.email) = u.email
      where m.company_id = public.current_company_id() and m.id = staff) then
    return;
  end if;
  select * into prepared from public.prepare_to_join(staff);
  member := prepared.member;
  if member.id is null then
    return;
  end if;
  replaced_company := prepared.replaced_company;
  if proves_email then
    insert into public.users (id, name, email, email_verified) values (new_login, member.name, lower(member.email), true)
      on conflict (email) do update set email_verified = true
      returning id into login;
  else
    insert into public.users (id, name, email, email_verified) values (new_login, member.name, lower(member.email), false)
      on conflict (email) do nothing
      returning id into login;
    -- They signed up at this moment: the whole command is tried again.
    if login is null then
      raise serialization_failure using message = 'The email got an account';
    end if;
  end if;
  ended_sessions := array(select public.end_login_links(login));
  delete from public.accounts where user_id = login and provider_id = 'credential';
  insert into public.accounts (id, account_id, provider_id, user_id, password)
    values (gen_random_uuid(), login::text, 'credential', login, password_hash);
  update public.staff_members m set profile_id = login where m.company_id = member.company_id and m.id = member.id;
end $$;
revoke execute on function give_login from public;
grant execute on function give_login to callout_app, callout_system;

grant create on schema public to callout_system;
alter function queue_mail owner to callout_system;
alter function give_login owner to callout_system;
revoke create on schema public from callout_system;
