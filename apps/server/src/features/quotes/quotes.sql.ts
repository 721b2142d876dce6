import { idTaken } from '@callout/contract/errors';
import {
  Quote,
  type QuoteAcceptance,
  type QuoteItem,
  type QuoteRow,
  type QuoteSection,
  QuoteSummary,
  quoteNotFound,
} from '@callout/contract/quotes';
import { isActionable, type QuoteStatus, quoteNumber, shownQuoteStatus } from '@callout/domain/quotes/quote';
import { estimatedProfit } from '@callout/domain/quotes/quote-price';
import { searchText, sortKey } from '@callout/domain/search/search-text';
import { localDate } from '@callout/domain/time/zoned-time';
import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { public_links } from '../../platform/auth/auth.table.ts';
import { userIdOf } from '../../platform/db/actor.ts';
import { defineList } from '../../platform/db/keyset-list.ts';
import { prepareFields } from '../../platform/db/prepared-select.ts';
import { changeStamps, columnsOf, inCompany, type RecordKind } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { failureOf } from '../../platform/errors/failures.ts';
import { attachmentsOf } from '../../platform/files/files.sql.ts';
import { companies } from '../company/company.table.ts';
import { customers } from '../customers/customers.table.ts';
import { changedSections, isIntact } from './quote-content.sql.ts';
import { quote_acceptances, quote_items, quote_mails, quote_sections, quotes } from './quotes.table.ts';

const isCustomer = sql`${customers.company_id} = ${quotes.company_id} and ${customers.id} = ${quotes.customer_id}`;
const isSection = sql`${quote_sections.company_id} = ${quotes.company_id} and ${quote_sections.quote_id} = ${quotes.id}`;
const isItem = sql`${quote_items.company_id} = ${quotes.company_id} and ${quote_items.quote_id} = ${quotes.id}`;
const isMail = sql`${quote_mails.company_id} = ${quotes.company_id} and ${quote_mails.quote_id} = ${quotes.id}`;
const isAcceptance = sql`${quote_acceptances.company_id} = ${quotes.company_id} and ${quote_acceptances.quote_id} = ${quotes.id}`;
const isLink = sql`${public_links.company_id} = ${quotes.company_id} and ${public_links.record_kind} = 'quote'
  and ${public_links.record_id} = ${quotes.id} and ${public_links.revoked_at} is null`;

/** Within JSON an instant is written as in every other answer. */
const instantText = (column: PgColumn) => sql`to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

export const quoteList = defineList({
  table: quotes,
  columns: {
    ...columnsOf(quotes, QuoteSummary),
    customer: sql<QuoteRow['customer']>`(select json_build_object('id', ${customers.id}, 'name', ${customers.name},
      'company_name', ${customers.company_name}) from ${customers} where ${isCustomer})`,
    is_mail_failed: sql<boolean>`coalesce((select ${quote_mails.status} = 'failed' from ${quote_mails} where ${isMail}
      and ${quote_mails.kind} = 'quote' order by ${quote_mails.queued_at} desc, ${quote_mails.id} desc limit 1), false)`,
    timezone: sql<string | null>`(select ${companies.timezone} from ${companies} where ${companies.company_id} = ${quotes.company_id})`,
  },
  sorts: {
    created_at: [quotes.created_at],
    title: [quotes.title_key, quotes.created_at],
    total_amount: [quotes.total_amount, quotes.created_at],
    valid_until: [quotes.valid_until, quotes.created_at],
  },
  filters: {
    customer_id: quotes.customer_id,
    status: quotes.status,
    valid_on: (day) => sql`(${quotes.valid_until} is null or ${quotes.valid_until} >= ${day}::date)`,
    expired_on: (day) =>
      sql`(${quotes.status} = 'expired' or (${quotes.status} in ('draft', 'sent') and ${quotes.valid_until} < ${day}::date))`,
  },
  search: { text: quotes.search_text, ranked: { title: quotes.title_key }, rankedSort: 'title' },
});

/** The list's filters for a status that depends on the day, as people see it on this one. */
export function shownStatusFilter(status: 'draft' | 'sent' | 'expired', today: string) {
  return status === 'expired' ? { expired_on: today } : { status, valid_on: today };
}

/** The newest of their quotes. */
export function listQuotesOfCustomers(scope: TenantScope, customerIds: readonly string[], limit: number) {
  return (
    scope.db
      .select(quoteList.columns)
      .from(quotes)
      // With one table only, the columns would be written without its name, which is ambiguous within their own selects.
      .innerJoin(customers, isCustomer)
      .where(and(inCompany(scope, quotes), inArray(quotes.customer_id, [...customerIds])))
      .orderBy(desc(quotes.created_at), desc(quotes.id))
      .limit(limit)
  );
}

type StoredItem = Omit<QuoteItem, 'section_id'> & { readonly section_id: string };

interface QuoteParts extends Omit<Quote, 'shown_status' | 'is_actionable' | 'estimated_profit' | 'sections' | 'acceptance'> {
  readonly acceptance: (Omit<QuoteAcceptance, 'changed_section_ids'> & { readonly document: unknown }) | null;
  readonly sections: readonly Omit<QuoteSection, 'items'>[];
  readonly items: readonly StoredItem[];
  readonly link: { readonly token: string; readonly first_opened_at: string | null; readonly last_opened_at: string | null } | null;
  readonly timezone: string | null;
}

const OwnColumns = Quote.omit({
  shown_status: true,
  is_actionable: true,
  customer: true,
  estimated_profit: true,
  sections: true,
  attachments: true,
  public_path: true,
  first_opened_at: true,
  last_opened_at: true,
  mails: true,
  acceptance: true,
  tax_rate: true,
  deposit_percentage: true,
});

/** Numbers within JSON would be read as binary ones: every decimal is text. */
const quoteParts = {
  ...columnsOf(quotes, OwnColumns),
  tax_rate: sql`trim_scale(${quotes.tax_rate})::text`,
  deposit_percentage: sql`trim_scale(${quotes.deposit_percentage})::text`,
  customer: sql`(select json_build_object('id', ${customers.id}, 'name', ${customers.name}, 'company_name', ${customers.company_name},
    'email', ${customers.email}, 'phone', ${customers.phone}, 'address', ${customers.address}) from ${customers} where ${isCustomer})`,
  sections: sql`(select coalesce(json_agg(json_build_object('id', ${quote_sections.id}, 'name', ${quote_sections.name},
      'description', ${quote_sections.description}, 'always_required', ${quote_sections.always_required},
      'subtotal', ${quote_sections.subtotal}::text, 'tax_amount', ${quote_sections.tax_amount}::text,
      'total_amount', ${quote_sections.total_amount}::text) order by ${quote_sections.position}, ${quote_sections.id}), '[]')
    from ${quote_sections} where ${isSection})`,
  items: sql`(select coalesce(json_agg(json_build_object('id', ${quote_items.id}, 'section_id', ${quote_items.section_id},
      'supplier_item_id', ${quote_items.supplier_item_id}, 'name', ${quote_items.name}, 'description', ${quote_items.description},
      'sku', ${quote_items.sku}, 'supplier_name', ${quote_items.supplier_name}, 'tax_inclusive', ${quote_items.tax_inclusive},
      'is_service', ${quote_items.is_service}, 'quantity', trim_scale(${quote_items.quantity})::text,
      'unit_price', ${quote_items.unit_price}::text, 'total_price', ${quote_items.total_price}::text,
      'cost_price', ${quote_items.cost_price}::text, 'pricing_method', ${quote_items.pricing_method},
      'margin_percentage', ${quote_items.margin_percentage}::text, 'markup_amount', ${quote_items.markup_amount}::text,
      'fixed_price', ${quote_items.fixed_price}::text)
    order by ${quote_items.position}, ${quote_items.id}), '[]') from ${quote_items} where ${isItem})`,
  attachments: attachmentsOf({ kind: 'quote', company_id: quotes.company_id, id: quotes.id }),
  mails: sql`(select coalesce(json_agg(json_build_object('id', ${quote_mails.id}, 'kind', ${quote_mails.kind}, 'recipient', ${quote_mails.recipient},
      'status', ${quote_mails.status}, 'problem', ${quote_mails.problem}, 'queued_at', ${instantText(quote_mails.queued_at)},
      'sent_at', ${instantText(quote_mails.sent_at)}, 'sent_by', ${quote_mails.sent_by})
    order by ${quote_mails.queued_at} desc, ${quote_mails.id} desc), '[]') from ${quote_mails} where ${isMail})`,
  acceptance: sql`(select json_build_object('accepted_by', ${quote_acceptances.accepted_by}, 'by_customer', ${quote_acceptances.by_customer},
      'accepted_at', ${instantText(quote_acceptances.accepted_at)}, 'network_address', ${quote_acceptances.network_address},
      'browser', ${quote_acceptances.browser}, 'section_ids', ${quote_acceptances.section_ids},
      'total_amount', ${quote_acceptances.total_amount}::text, 'job_id', ${quote_acceptances.job_id},
      'job_number', ${quote_acceptances.job_number}, 'sha256', ${quote_acceptances.sha256},
      'is_intact', ${isIntact}, 'document', (select found -> 'document' from readable_json(${quote_acceptances.record}) found))
    from ${quote_acceptances} where ${isAcceptance})`,
  link: sql`(select json_build_object('token', ${public_links.token}, 'first_opened_at', ${instantText(public_links.first_opened_at)},
      'last_opened_at', ${instantText(public_links.last_opened_at)}) from ${public_links} where ${isLink})`,
  timezone: sql`(select ${companies.timezone} from ${companies} where ${companies.company_id} = ${quotes.company_id})`,
};

const ONE_QUOTE = prepareFields<QuoteParts>(
  'quotes.get',
  quoteParts,
  sql`from ${quotes} where ${quotes.company_id} = ${sql.placeholder('company')} and ${quotes.id} = ${sql.placeholder('id')}`,
);

/** A quote with all that its page shows, in one statement. */
export async function findQuote(scope: TenantScope, id: string): Promise<Quote | null> {
  const [parts] = await scope.run(ONE_QUOTE, { company: scope.companyId, id });
  if (!parts) return null;
  const { items, sections, link, timezone, acceptance, ...quote } = parts;
  const today = localDate(scope.now, timezone ?? 'UTC');
  const isCounted = ({ section_id }: StoredItem) => !acceptance || quote.accepted_option_ids.includes(section_id);
  const itemsOf = Map.groupBy(items, (item) => item.section_id);
  const found = {
    ...quote,
    shown_status: shownQuoteStatus(quote, today),
    is_actionable: isActionable(quote, today),
    estimated_profit: estimatedProfit(items.filter(isCounted).map((item) => ({ ...item, cost_price: item.cost_price ?? null }))),
    sections: sections.map((section) => ({
      ...section,
      items: (itemsOf.get(section.id) ?? []).map(({ section_id: _, ...item }) => item),
    })),
    public_path: link ? `/quote/${link.token}` : '',
    first_opened_at: link?.first_opened_at ?? null,
    last_opened_at: link?.last_opened_at ?? null,
  };
  if (!acceptance) return { ...found, acceptance };
  const { document, ...accepted } = acceptance;
  return { ...found, acceptance: { ...accepted, changed_section_ids: changedSections(found, accepted.section_ids, document) } };
}

export const quoteRecord: RecordKind<typeof quotes, Quote> = {
  table: quotes,
  idColumn: quotes.id,
  notFound: quoteNotFound,
  conflicts: {},
  returning: null,
  find: findQuote,
};

/** Sort and search keys of what a person types. */
export function keysOf({ title, description }: { title: string; description: string | null }, number: string) {
  return { title_key: sortKey(title), search_text: searchText([title, number, description]) };
}

/** False when the customer is not there; the lock keeps them as they are until the quote is stored and they are touched. */
export async function lockCustomer(scope: TenantScope, id: string): Promise<boolean> {
  const found = await scope.db
    .select({ id: customers.id })
    .from(customers)
    .where(inCompany(scope, customers, id))
    .for('no key update');
  return found.length > 0;
}

export interface QuoteState {
  readonly status: QuoteStatus;
  readonly valid_until: string | null;
  readonly customer_id: string | null;
}

/** What decides about a quote's next step, which stays until the transaction ends. Null when there is no such quote. */
export async function lockQuote(scope: TenantScope, id: string): Promise<QuoteState | null> {
  const { status, valid_until, customer_id } = quotes;
  const [quote] = await scope.db
    .select({ status, valid_until, customer_id })
    .from(quotes)
    .where(inCompany(scope, quotes, id))
    .for('no key update');
  return quote ?? null;
}

type StatusValues = Partial<
  Pick<
    typeof quotes.$inferInsert,
    'sent_at' | 'rejected_at' | 'selected_option_id' | 'accepted_option_ids' | 'subtotal' | 'tax_amount' | 'total_amount'
  >
>;

/** One statement that names the status it expects: false when the quote has another one by now. */
export async function changeQuoteStatus(
  scope: TenantScope,
  id: string,
  { from, to, ...values }: { readonly from: QuoteStatus; readonly to: QuoteStatus } & StatusValues,
): Promise<boolean> {
  const changed = await scope.db
    .update(quotes)
    .set({ status: to, ...values, ...changeStamps(scope, quotes.version) })
    .where(and(inCompany(scope, quotes, id), eq(quotes.status, from)))
    .returning({ id: quotes.id });
  return changed.length > 0;
}

const NUMBERS_AT_ONCE = 1000;
const NUMBER_COUNT = 1_000_000;

/** The next number that the company does not use yet; null when all are taken. Needs `lockCompany`, so that nobody else takes it. */
export async function findFreeNumber(scope: TenantScope): Promise<string | null> {
  const ms = Date.parse(scope.now);
  for (let start = 0; start < NUMBER_COUNT; start += NUMBERS_AT_ONCE) {
    const candidates = Array.from({ length: NUMBERS_AT_ONCE }, (_, index) => quoteNumber(ms, start + index));
    const { rows } = await scope.db.execute<{ number: string }>(
      sql`select c.number from unnest(${sql.param(`{${candidates.join()}}`)}::text[]) as c (number)
        where not exists (select from ${quotes} where ${inCompany(scope, quotes)} and ${quotes.quote_number} = c.number) limit 1`,
    );
    if (rows[0]) return rows[0].number;
  }
  return null;
}

type NewQuoteRow = Omit<
  typeof quotes.$inferInsert,
  'company_id' | 'user_id' | 'created_at' | 'updated_at' | 'version' | 'accepted_option_ids'
>;

/** False when the id is taken: by a quote, or for ever by what was accepted of one. */
export async function insertQuote(scope: TenantScope, row: NewQuoteRow): Promise<boolean> {
  const accepted = await scope.db
    .select({ id: quote_acceptances.quote_id })
    .from(quote_acceptances)
    .where(and(inCompany(scope, quote_acceptances), eq(quote_acceptances.quote_id, row.id)));
  if (accepted.length > 0) return false;
  const stamps = { company_id: scope.companyId, user_id: userIdOf(scope.actor), created_at: scope.now, updated_at: scope.now, version: 1 };
  const inserted = await scope.db
    .insert(quotes)
    .values({ ...row, ...stamps, accepted_option_ids: [] })
    .onConflictDoNothing({ target: [quotes.company_id, quotes.id] })
    .returning({ id: quotes.id });
  return inserted.length > 0;
}

/** A copy of a quote that a request made before; null when the id is free. Refuses the id of any other quote. */
export async function findCopy(scope: TenantScope, id: string, originalId: string): Promise<Quote | null> {
  const [quote] = await scope.db
    .select({ copied_from: quotes.copied_from })
    .from(quotes)
    .where(inCompany(scope, quotes, id));
  if (!quote) return null;
  if (quote.copied_from !== originalId) throw failureOf(idTaken);
  return findQuote(scope, id);
}

/** The company's tax rate and time zone. */
export async function readCompanyTerms(scope: TenantScope): Promise<{ gst_percentage: string | null; timezone: string }> {
  const [company] = await scope.db
    .select({ gst_percentage: sql<string | null>`trim_scale(${companies.gst_percentage})::text`, timezone: companies.timezone })
    .from(companies)
    .where(inCompany(scope, companies));
  return { gst_percentage: company?.gst_percentage ?? null, timezone: company?.timezone ?? 'UTC' };
}
