create table quotes (
  company_id uuid not null references companies (company_id) on delete cascade,
  id uuid not null,
  user_id uuid references users (id) on delete set null,
  customer_id uuid,
  quote_number text not null,
  title text not null,
  description text,
  -- The last day on which it can be accepted, in the company's time zone.
  valid_until date,
  status text collate "C" not null check (status in ('draft', 'sent', 'accepted', 'rejected', 'expired')),
  -- Percent, as it was when the quote was saved.
  tax_rate numeric(7, 4) not null check (tax_rate between 0 and 100),
  -- Of all sections, because the list is sorted by the total. They follow from the lines (domain/quotes/quote-price.ts).
  subtotal numeric(12, 2) not null,
  tax_amount numeric(12, 2) not null,
  total_amount numeric(12, 2) not null,
  selected_option_id uuid,
  accepted_option_ids uuid[] not null default '{}',
  -- The quote that it was copied from, also when that was deleted: a repeated request gets the same copy.
  copied_from uuid,
  -- When it last became 'sent', and when the customer turned it down.
  sent_at timestamptz(3),
  rejected_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  version integer not null default 1,
  title_key text collate "C" not null,
  search_text text not null,
  primary key (company_id, id),
  constraint quotes_by_number unique (company_id, quote_number),
  foreign key (company_id, customer_id) references customers (company_id, id) on delete set null (customer_id)
);
call guard_tenant_table('quotes');
-- One index per sort of the list, up and down where a value may be missing, and one per filter in its default order.
create index quotes_by_age on quotes (company_id, created_at, id);
create index quotes_by_title on quotes (company_id, title_key, created_at, id);
create index quotes_by_total on quotes (company_id, total_amount, created_at, id);
create index quotes_by_valid_until_up on quotes
  (company_id, (case when valid_until is null then 'infinity' else valid_until end), created_at, id);
create index quotes_by_valid_until_down on quotes
  (company_id, (case when valid_until is null then '-infinity' else valid_until end), created_at, id);
create index quotes_by_status on quotes (company_id, status, created_at, id);
create index quotes_of_customer on quotes (company_id, customer_id, created_at, id);
create index quotes_by_text on quotes using gin (company_id, search_text gin_trgm_ops);
create index quotes_by_user on quotes (user_id);
-- Those that wait for an answer: which have expired, and which are due for a reminder.
create index open_quotes_by_valid_until on quotes (company_id, valid_until, created_at, id) where status in ('draft', 'sent');
create index sent_quotes_by_time on quotes (company_id, sent_at) where status = 'sent';

create table quote_sections (
  company_id uuid not null,
  id uuid not null,
  quote_id uuid not null,
  position integer not null,
  name text not null,
  description text,
  always_required boolean not null default false,
  subtotal numeric(12, 2) not null,
  tax_amount numeric(12, 2) not null,
  total_amount numeric(12, 2) not null,
  primary key (company_id, id),
  foreign key (company_id, quote_id) references quotes (company_id, id) on delete cascade
);
call guard_tenant_table('quote_sections');
create index quote_sections_of_quote on quote_sections (company_id, quote_id, position, id);

-- A line remembers what it was made from: changes and deletions in a price list never change it.
create table quote_items (
  company_id uuid not null,
  id uuid not null,
  quote_id uuid not null,
  section_id uuid not null,
  position integer not null,
  supplier_item_id uuid,
  -- The same, kept when the item is deleted: a form that was opened before still names it.
  picked_item_id uuid,
  name text not null,
  description text,
  sku text,
  supplier_name text,
  tax_inclusive boolean not null,
  is_service boolean not null,
  quantity numeric(12, 3) not null check (quantity >= 1),
  unit_price numeric(12, 2) not null check (unit_price >= 0),
  total_price numeric(12, 2) not null check (total_price >= 0),
  cost_price numeric(12, 2),
  pricing_method text,
  margin_percentage numeric(4, 1),
  markup_amount numeric(12, 2),
  fixed_price numeric(12, 2),
  primary key (company_id, id),
  foreign key (company_id, quote_id) references quotes (company_id, id) on delete cascade,
  foreign key (company_id, section_id) references quote_sections (company_id, id) on delete cascade,
  foreign key (company_id, supplier_item_id) references supplier_items (company_id, id) on delete set null (supplier_item_id)
);
call guard_tenant_table('quote_items');
create index quote_items_of_quote on quote_items (company_id, quote_id, position, id);
create index quote_items_of_section on quote_items (company_id, section_id);
create index quote_items_of_supplier_item on quote_items (company_id, supplier_item_id);

-- A mail about a quote, and what became of it. Its own subject and text are kept to send it again.
create table quote_mails (
  company_id uuid not null,
  -- Made by the client for a mail that a person sends.
  id uuid not null,
  quote_id uuid not null,
  kind text not null check (kind in ('quote', 'reminder')),
  -- The mail in the outbox of its latest attempt.
  mail_id uuid not null,
  recipient text not null,
  subject text not null,
  body text not null,
  status text not null check (status in ('queued', 'sent', 'failed', 'kept')),
  problem text,
  queued_at timestamptz(3) not null,
  sent_at timestamptz(3),
  user_id uuid references users (id) on delete set null,
  sent_by text,
  primary key (company_id, id),
  foreign key (company_id, quote_id) references quotes (company_id, id) on delete cascade
);
call guard_tenant_table('quote_mails');
create index quote_mails_of_quote on quote_mails (company_id, quote_id, queued_at, id);
create index quote_mails_by_mail on quote_mails (company_id, mail_id);
create index quote_mails_by_user on quote_mails (user_id);
-- One reminder per quote, ever.
create unique index one_reminder_per_quote on quote_mails (company_id, quote_id) where kind = 'reminder';

-- What was accepted, frozen: it outlives the quote and its job, and is never rewritten. The key is what makes acceptance happen once.
create table quote_acceptances (
  company_id uuid not null references companies (company_id) on delete cascade,
  quote_id uuid not null,
  job_id uuid,
  job_number text not null,
  section_ids uuid[] not null,
  total_amount numeric(12, 2) not null,
  accepted_by text not null,
  by_customer boolean not null,
  staff_id uuid,
  accepted_at timestamptz(3) not null,
  network_address text,
  -- In words, and as the browser named itself.
  browser text,
  user_agent text,
  -- All of this, the document and the names of its files as canonical JSON, and its hash.
  record text not null,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  primary key (company_id, quote_id),
  foreign key (company_id, job_id) references jobs (company_id, id) on delete set null (job_id)
);
call guard_tenant_table('quote_acceptances');
revoke update, delete on quote_acceptances from callout_app;
-- Null for what is no JSON.
create function readable_json(value text) returns jsonb
  language plpgsql immutable set search_path = pg_catalog, pg_temp as $$
begin
  return value::jsonb;
exception when others then
  return null;
end $$;
create index quote_acceptances_of_job on quote_acceptances (company_id, job_id);

-- Sections that are used again.
create table section_templates (
  company_id uuid not null references companies (company_id) on delete cascade,
  id uuid not null,
  user_id uuid references users (id) on delete set null,
  name text not null,
  name_key text collate "C" not null,
  description text,
  always_required boolean not null,
  items jsonb not null,
  created_at timestamptz(3) not null,
  primary key (company_id, id)
);
call guard_tenant_table('section_templates');
create unique index section_templates_by_name on section_templates (company_id, name_key);
create index section_templates_by_user on section_templates (user_id);

-- The quote that a job was made from, its number, which stays when the quote is deleted, and its tax rate in percent: what was accepted
-- stays what is invoiced. A job without a rate of its own follows the company's.
alter table jobs
  add column quote_id uuid,
  add column quote_number text,
  add column tax_rate numeric(7, 4) check (tax_rate between 0 and 100),
  add foreign key (company_id, quote_id) references quotes (company_id, id) on delete set null (quote_id);
create index jobs_of_quote on jobs (company_id, quote_id) where quote_id is not null;

-- A sent quote without an answer gets one reminder after this many days; null is off. Quotes that were due before it was switched on get
-- none: nobody wants a mail about last year.
alter table companies
  add column quote_reminder_days integer check (quote_reminder_days between 1 and 90),
  add column quote_reminders_since timestamptz(3);
create index companies_that_remind on companies (company_id) where quote_reminder_days is not null;

-- Quotes make a company like any other, also one whose customer was deleted.
create or replace view unfinished_companies with (security_invoker = true) as
  select c.company_id, c.last_active from companies c
    where not c.onboarding_completed and c.company_name is null
      and not exists (select from customers t where t.company_id = c.company_id)
      and not exists (select from suppliers t where t.company_id = c.company_id)
      and not exists (select from jobs t where t.company_id = c.company_id)
      and not exists (select from quotes t where t.company_id = c.company_id);

-- The day on which it is now in a zone; in UTC for a zone that the application knows and the database has no name for.
create function today_in(zone text) returns date
  language plpgsql stable set search_path = pg_catalog, pg_temp as $$
begin
  return (now() at time zone coalesce(zone, 'UTC'))::date;
exception when invalid_parameter_value then
  return (now() at time zone 'UTC')::date;
end $$;

-- A mail about a quote is not sent once the quote is deleted or another mail has taken its place; a reminder not once it has an answer or
-- its last day has passed.
create or replace function is_mail_withdrawn(mail uuid) returns boolean
  language sql stable security definer set search_path = pg_catalog, pg_temp
  return exists (select from public.outbox_mails m where m.id = mail and m.sent_at is null and (
    (m.report_task = 'record-invitation-delivery' and not exists (select from public.invitations i where i.mail_id = mail))
    or (m.report_task = 'record-quote-delivery' and not exists (
      select from public.quote_mails r
        join public.quotes q on q.company_id = r.company_id and q.id = r.quote_id
        join public.companies c on c.company_id = q.company_id
        where r.company_id = m.company_id and r.mail_id = mail and (r.kind = 'quote' or (q.status = 'sent'
          and (q.valid_until is null or q.valid_until >= public.today_in(c.timezone))))))));
