-- The mailed and the copied link of an invitation each have their own author and expiry. `created_at`, `expires_at` and `invited_by`
-- belong to the mailed one.
alter table invitations
  alter column expires_at drop not null,
  add column copied_by uuid,
  add column copied_at timestamptz(3),
  add column copied_expires_at timestamptz(3);
-- The tables are guarded against their owner too; this role sees every company.
set local role callout_system;
update invitations i
  set copied_at = i.created_at, copied_expires_at = i.expires_at,
    copied_by = (select m.id from staff_members m where m.company_id = i.company_id and m.profile_id = i.invited_by and m.role = 'admin')
  where i.copied_token_hash is not null;
-- Links that somebody copied who no longer may.
delete from invitations where copied_token_hash is not null and copied_by is null and token_hash is null;
update invitations set copied_token_hash = null, copied_at = null, copied_expires_at = null where copied_by is null;
update invitations set expires_at = null, invited_by = null where token_hash is null;
reset role;
alter table invitations
  add foreign key (company_id, copied_by) references staff_members (company_id, id),
  add check ((token_hash is null) = (expires_at is null)),
  add check (num_nulls(copied_token_hash, copied_by, copied_at, copied_expires_at) in (0, 4));
create index invitations_by_copier on invitations (company_id, copied_by);

-- Whoever copied a link knows it. It ends when they leave the company, lose their login or get another role, however that happens.
create function end_copied_links() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op = 'DELETE' or (new.role, new.profile_id) is distinct from (old.role, old.profile_id) then
    delete from public.invitations i where i.company_id = old.company_id and i.copied_by = old.id and i.token_hash is null;
    update public.invitations i set copied_token_hash = null, copied_by = null, copied_at = null, copied_expires_at = null
      where i.company_id = old.company_id and i.copied_by = old.id;
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;
revoke execute on function end_copied_links from public;
create trigger end_copied_links before delete or update of role, profile_id on staff_members
  for each row execute function end_copied_links();

-- A login that was made with a copied link keeps nobody from their own email: until the email is confirmed, the mailed link takes the login
-- over, with a new password and without the sessions and links it had.
create or replace function give_login(
  staff uuid, new_login uuid, password_hash text, proves_email boolean default true,
  out login uuid, out ended_sessions uuid[], out replaced_company uuid)
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  prepared record;
  member public.staff_members;
begin
  if proves_email then
    select m.* into member from public.staff_members m
      where m.company_id = public.current_company_id() and m.id = staff and m.profile_id is not null for update;
    update public.users u set email_verified = true where u.id = member.profile_id and not u.email_verified returning u.id into login;
  elsif exists (
    select from public.users u join public.staff_members m on lower(m.email) = u.email
      where m.company_id = public.current_company_id() and m.id = staff) then
    return;
  end if;
  if login is null then
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
  end if;
  ended_sessions := array(select public.end_login_links(login));
  delete from public.accounts where user_id = login and provider_id = 'credential';
  insert into public.accounts (id, account_id, provider_id, user_id, password)
    values (gen_random_uuid(), login::text, 'credential', login, password_hash);
  update public.staff_members m set profile_id = login where m.company_id = member.company_id and m.id = member.id;
end $$;

-- Ends the login of a member of the company that is set, with all its sessions, and returns those so that their pages are told. The login
-- with `kept_email`, which runs this server, only loses its company.
drop function remove_login;
create function remove_login(staff uuid, kept_email text default null) returns setof uuid
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  login uuid;
begin
  select m.profile_id into login from public.staff_members m
    where m.company_id = public.current_company_id() and m.id = staff for update;
  perform from public.users u where u.id = login for update;
  if exists (select from public.users u where u.id = login and u.email = kept_email) then
    update public.staff_members m set profile_id = null where m.company_id = public.current_company_id() and m.id = staff;
    return;
  end if;
  return query select public.end_login_links(login);
  delete from public.users u where u.id = login;
end $$;
revoke execute on function remove_login from public;
grant execute on function remove_login to callout_app, callout_system;

-- An invitation that ends cannot recall a mail that is being sent at that moment. If that attempt fails, the mail is not sent again.
create function is_mail_withdrawn(mail uuid) returns boolean
  language sql stable security definer set search_path = pg_catalog, pg_temp
  return exists (select from public.outbox_mails m where m.id = mail and m.report_task = 'record-invitation-delivery' and m.sent_at is null
    and not exists (select from public.invitations i where i.mail_id = mail));
revoke execute on function is_mail_withdrawn from public;
grant execute on function is_mail_withdrawn to callout_system;

grant create on schema public to callout_system;
alter function end_copied_links owner to callout_system;
alter function remove_login owner to callout_system;
alter function is_mail_withdrawn owner to callout_system;
revoke create on schema public from callout_system;
