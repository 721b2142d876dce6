-- Beside a new email, the present one may wait to be confirmed: a link for each.
alter table email_changes drop constraint email_changes_pkey, add primary key (user_id, new_email);

-- The one definition of an unfinished company: neither onboarding nor Settings was ever filled in, and no customer was added. Joining
-- another company replaces it, and the clean-up removes it in time. With anything in it, it is a company like any other.
create view unfinished_companies with (security_invoker = true) as
  select c.company_id, c.last_active from companies c
    where not c.onboarding_completed and c.company_name is null
      and not exists (select from customers t where t.company_id = c.company_id);
grant select on unfinished_companies to callout_system;

create or replace function unfinished_company_of(login_email text) returns uuid
  language sql stable security definer set search_path = pg_catalog, pg_temp
  return (
    select c.company_id from public.users u
      join public.staff_members m on m.profile_id = u.id
      join public.unfinished_companies c on c.company_id = m.company_id
      where u.email = lower(login_email)
        and not exists (select from public.staff_members o where o.company_id = c.company_id and o.profile_id <> u.id));

create or replace function delete_unfinished_company(company uuid) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  mails text[] := array(select m.id::text from public.outbox_mails m where m.company_id = company);
begin
  delete from public.companies c where c.company_id in (select u.company_id from public.unfinished_companies u where u.company_id = company);
  perform public.forget_traces(mails || company::text);
end $$;
