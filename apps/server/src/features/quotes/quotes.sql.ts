import { idTakenError } from '@callout/contract/errors';
import {
  Quote,
  type QuoteAcceptance,
  type QuoteItem,
  type QuoteRow,
  type QuoteSection,
  QuoteSummary,
  quoteNotFoundError,
  quoteNumbersExhaustedError,
} from '@callout/contract/quotes';
import { formatQuoteNumber, getQuoteDisplayStatus, isQuoteAnswerable, type QuoteStatus } from '@callout/domain/quotes/quote';
import { estimateProfit } from '@callout/domain/quotes/quote-price';
import { buildSearchText, buildSortKey } from '@callout/domain/search/search-text';
import { toLocalDate } from '@callout/domain/time/zoned-time';
import { and, eq, getTableColumns, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { public_links } from '../../platform/auth/auth.table.ts';
import { getUserId } from '../../platform/db/actor.ts';
import { createTransactionConflict, isUniqueViolation } from '../../platform/db/database-errors.ts';
import { defineList } from '../../platform/db/keyset-list.ts';
import { prepareSelectFrom } from '../../platform/db/prepared-select.ts';
import { buildChangeStamps, inCompany, pickColumns, type RecordType, selectExistingId } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { toFailure } from '../../platform/errors/failures.ts';
import { buildAttachmentsSubquery } from '../../platform/files/files.sql.ts';
import { companies } from '../company/company.table.ts';
import { customers } from '../customers/customers.table.ts';
import { buildMailFailedColumn } from '../documents/document-mails.sql.ts';
import { buildIntactColumn } from '../documents/frozen-document.sql.ts';
import { selectExistingItemId } from '../suppliers/suppliers.sql.ts';
import { getChangedSectionIds } from './quote-content.ts';
import { quote_acceptances, quote_items, quote_mails, quote_sections, quotes } from './quotes.table.ts';

const customerJoin = sql`${customers.company_id} = ${quotes.company_id} and ${customers.id} = ${quotes.customer_id}`;
const sectionJoin = sql`${quote_sections.company_id} = ${quotes.company_id} and ${quote_sections.quote_id} = ${quotes.id}`;
const itemJoin = sql`${quote_items.company_id} = ${quotes.company_id} and ${quote_items.quote_id} = ${quotes.id}`;
const mailJoin = sql`${quote_mails.company_id} = ${quotes.company_id} and ${quote_mails.document_id} = ${quotes.id}`;
const acceptanceJoin = sql`${quote_acceptances.company_id} = ${quotes.company_id} and ${quote_acceptances.quote_id} = ${quotes.id}`;
const linkJoin = sql`${public_links.company_id} = ${quotes.company_id} and ${public_links.record_kind} = 'quote'
  and ${public_links.record_id} = ${quotes.id} and ${public_links.revoked_at} is null`;

/** Formats timestamps inside JSON in the same way as in other responses. */
const formatInstant = (column: PgColumn) => sql`to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const { company_id: _company, record, sha256, job_id: _job, ...acceptanceColumns } = getTableColumns(quote_acceptances);

/** False if the acceptance has been tampered with. `job_id` isn't frozen, because it becomes null when the job is deleted. */
export const isAcceptanceIntact = buildIntactColumn(
  { record, sha256 },
  {
    ...acceptanceColumns,
    section_ids: sql`to_jsonb(${quote_acceptances.section_ids})`,
    accepted_at: formatInstant(quote_acceptances.accepted_at),
  },
);

export const quoteList = defineList({
  table: quotes,
  columns: {
    ...pickColumns(quotes, QuoteSummary),
    customer: sql<QuoteRow['customer']>`(select json_build_object('id', ${customers.id}, 'name', ${customers.name},
      'company_name', ${customers.company_name}) from ${customers} where ${customerJoin})`,
    is_mail_failed: buildMailFailedColumn(quote_mails, quotes),
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

/** Builds the list filter for a displayed status that depends on today's date. */
export function buildDisplayStatusFilter(status: 'draft' | 'sent' | 'expired', today: string) {
  return status === 'expired' ? { expired_on: today } : { status, valid_on: today };
}

type StoredItem = Omit<QuoteItem, 'section_id'> & { readonly section_id: string };

interface StoredQuote extends Omit<Quote, 'shown_status' | 'is_actionable' | 'estimated_profit' | 'sections' | 'acceptance'> {
  readonly acceptance: (Omit<QuoteAcceptance, 'changed_section_ids'> & { readonly document: unknown }) | null;
  readonly sections: readonly Omit<QuoteSection, 'items'>[];
  readonly items: readonly StoredItem[];
  readonly link: { readonly token: string; readonly first_opened_at: string | null; readonly last_opened_at: string | null } | null;
  readonly timezone: string | null;
}

const QuoteColumns = Quote.omit({
  shown_status: true,
  is_actionable: true,
  customer: true,
  former_customer: true,
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

/** Decimals inside JSON are cast to text, because JSON numbers would be parsed as floats. */
const storedQuoteColumns = {
  ...pickColumns(quotes, QuoteColumns),
  tax_rate: sql`trim_scale(${quotes.tax_rate})::text`,
  deposit_percentage: sql`trim_scale(${quotes.deposit_percentage})::text`,
  customer: sql`(select json_build_object('id', ${customers.id}, 'name', ${customers.name}, 'company_name', ${customers.company_name},
    'email', ${customers.email}, 'phone', ${customers.phone}, 'address', ${customers.address}) from ${customers} where ${customerJoin})`,
  former_customer: sql`coalesce(${quotes.former_customer}, (select jsonb_build_object('name', d.name, 'company_name', d.company_name)
    from former_customers d where d.company_id = ${quotes.company_id} and d.id = ${quotes.customer_id} and ${quotes.status} <> 'draft'))`,
  sections: sql`(select coalesce(json_agg(json_build_object('id', ${quote_sections.id}, 'name', ${quote_sections.name},
      'description', ${quote_sections.description}, 'always_required', ${quote_sections.always_required},
      'subtotal', ${quote_sections.subtotal}::text, 'tax_amount', ${quote_sections.tax_amount}::text,
      'total_amount', ${quote_sections.total_amount}::text) order by ${quote_sections.position}, ${quote_sections.id}), '[]')
    from ${quote_sections} where ${sectionJoin})`,
  items: sql`(select coalesce(json_agg(json_build_object('id', ${quote_items.id}, 'section_id', ${quote_items.section_id},
      'supplier_item_id', ${selectExistingItemId('quote_items')}, 'name', ${quote_items.name}, 'description', ${quote_items.description},
      'sku', ${quote_items.sku}, 'supplier_name', ${quote_items.supplier_name}, 'tax_inclusive', ${quote_items.tax_inclusive},
      'is_service', ${quote_items.is_service}, 'quantity', trim_scale(${quote_items.quantity})::text,
      'unit_price', ${quote_items.unit_price}::text, 'total_price', ${quote_items.total_price}::text,
      'cost_price', ${quote_items.cost_price}::text, 'pricing_method', ${quote_items.pricing_method},
      'margin_percentage', ${quote_items.margin_percentage}::text, 'markup_amount', ${quote_items.markup_amount}::text,
      'fixed_price', ${quote_items.fixed_price}::text)
    order by ${quote_items.position}, ${quote_items.id}), '[]') from ${quote_items} where ${itemJoin})`,
  attachments: buildAttachmentsSubquery({ kind: 'quote', company_id: quotes.company_id, id: quotes.id }),
  mails: sql`(select coalesce(json_agg(json_build_object('id', ${quote_mails.id}, 'kind', ${quote_mails.kind}, 'recipient', ${quote_mails.recipient},
      'status', ${quote_mails.status}, 'problem', ${quote_mails.problem}, 'queued_at', ${formatInstant(quote_mails.queued_at)},
      'sent_at', ${formatInstant(quote_mails.sent_at)}, 'sent_by', ${quote_mails.sent_by})
    order by ${quote_mails.queued_at} desc, ${quote_mails.id} desc), '[]') from ${quote_mails} where ${mailJoin})`,
  acceptance: sql`(select json_build_object('accepted_by', ${quote_acceptances.accepted_by}, 'by_customer', ${quote_acceptances.by_customer},
      'accepted_at', ${formatInstant(quote_acceptances.accepted_at)}, 'network_address', ${quote_acceptances.network_address},
      'browser', ${quote_acceptances.browser}, 'section_ids', ${quote_acceptances.section_ids},
      'total_amount', ${quote_acceptances.total_amount}::text, 'job_id', ${quote_acceptances.job_id},
      'job_number', ${quote_acceptances.job_number}, 'sha256', ${quote_acceptances.sha256},
      'is_intact', ${isAcceptanceIntact}, 'document', (select found -> 'document' from readable_json(${quote_acceptances.record}) found))
    from ${quote_acceptances} where ${acceptanceJoin})`,
  link: sql`(select json_build_object('token', ${public_links.token}, 'first_opened_at', ${formatInstant(public_links.first_opened_at)},
      'last_opened_at', ${formatInstant(public_links.last_opened_at)}) from ${public_links} where ${linkJoin})`,
  timezone: sql`(select ${companies.timezone} from ${companies} where ${companies.company_id} = ${quotes.company_id})`,
};

const QUOTE_BY_ID = prepareSelectFrom<StoredQuote>(
  'quotes.get',
  storedQuoteColumns,
  sql`from ${quotes} where ${quotes.company_id} = ${sql.placeholder('company')} and ${quotes.id} = ${sql.placeholder('id')}`,
);

/** Reads everything that the quote page displays, in one statement. */
export async function findQuote(scope: TenantScope, id: string): Promise<Quote | null> {
  const [parts] = await scope.run(QUOTE_BY_ID, { company: scope.companyId, id });
  if (!parts) return null;
  const { items, sections, link, timezone, acceptance, ...quote } = parts;
  const today = toLocalDate(scope.now, timezone ?? 'UTC');
  const isIncluded = ({ section_id }: StoredItem) => !acceptance || quote.accepted_option_ids.includes(section_id);
  const itemsBySection = Map.groupBy(items, (item) => item.section_id);
  const found = {
    ...quote,
    customer_id: quote.customer?.id ?? null,
    shown_status: getQuoteDisplayStatus(quote, today),
    is_actionable: isQuoteAnswerable(quote, today),
    estimated_profit: estimateProfit(items.filter(isIncluded).map((item) => ({ ...item, cost_price: item.cost_price ?? null }))),
    sections: sections.map((section) => ({
      ...section,
      items: (itemsBySection.get(section.id) ?? []).map(({ section_id: _, ...item }) => item),
    })),
    public_path: link ? `/quote/${link.token}` : '',
    first_opened_at: link?.first_opened_at ?? null,
    last_opened_at: link?.last_opened_at ?? null,
  };
  if (!acceptance) return { ...found, acceptance };
  const { document, ...accepted } = acceptance;
  return { ...found, acceptance: { ...accepted, changed_section_ids: getChangedSectionIds(found, accepted.section_ids, document) } };
}

export const quoteRecordType: RecordType<typeof quotes, Quote> = {
  table: quotes,
  idColumn: quotes.id,
  notFound: quoteNotFoundError,
  conflicts: {},
  returning: null,
  find: findQuote,
};

export function buildQuoteSearchKeys({ title, description }: { title: string; description: string | null }, number: string) {
  return { title_key: buildSortKey(title), search_text: buildSearchText([title, number, description]) };
}

/** Locks the customer against deletion until the quote is stored. Returns false if the customer doesn't exist. */
export async function lockCustomer(scope: TenantScope, id: string): Promise<boolean> {
  const found = await scope.db
    .select({ id: customers.id })
    .from(customers)
    .where(inCompany(scope, customers, id))
    .for('no key update');
  return found.length > 0;
}

export interface LockedQuoteState {
  readonly status: QuoteStatus;
  readonly valid_until: string | null;
  readonly customer_id: string | null;
}

/** Locks the quote until the transaction ends. Returns null if it doesn't exist. */
export async function lockQuote(scope: TenantScope, id: string): Promise<LockedQuoteState | null> {
  const { status, valid_until } = quotes;
  const [quote] = await scope.db
    .select({ status, valid_until, customer_id: selectExistingId(quotes.customer_id, customers) })
    .from(quotes)
    .where(inCompany(scope, quotes, id))
    .for('no key update');
  return quote ?? null;
}

type StatusChangeValues = Partial<
  Pick<
    typeof quotes.$inferInsert,
    'sent_at' | 'rejected_at' | 'selected_option_id' | 'accepted_option_ids' | 'subtotal' | 'tax_amount' | 'total_amount'
  >
>;

/** Changes the status from `from` to `to` in one statement. Returns false if the quote's status is no longer `from`. */
export async function changeQuoteStatus(
  scope: TenantScope,
  id: string,
  { from, to, ...values }: { readonly from: QuoteStatus; readonly to: QuoteStatus } & StatusChangeValues,
): Promise<boolean> {
  const changed = await scope.db
    .update(quotes)
    .set({ status: to, ...values, ...buildChangeStamps(scope, quotes.version) })
    .where(and(inCompany(scope, quotes, id), eq(quotes.status, from)))
    .returning({ id: quotes.id });
  return changed.length > 0;
}

const NUMBER_BATCH_SIZE = 1000;
const QUOTE_NUMBER_COUNT = 1_000_000;

/** Throws if all numbers are taken. A concurrent request may find the same number. */
async function findFreeQuoteNumber(scope: TenantScope): Promise<string> {
  const ms = Date.parse(scope.now);
  for (let start = 0; start < QUOTE_NUMBER_COUNT; start += NUMBER_BATCH_SIZE) {
    const candidates = Array.from({ length: NUMBER_BATCH_SIZE }, (_, index) => formatQuoteNumber(ms, start + index));
    const { rows } = await scope.db.execute<{ number: string }>(
      sql`select c.number from unnest(${sql.param(`{${candidates.join()}}`)}::text[]) as c (number)
        where not exists (select from ${quotes} where ${inCompany(scope, quotes)} and ${quotes.quote_number} = c.number) limit 1`,
    );
    if (rows[0]) return rows[0].number;
  }
  throw toFailure(quoteNumbersExhaustedError);
}

type NewQuoteRow = Omit<
  typeof quotes.$inferInsert,
  'company_id' | 'user_id' | 'created_at' | 'updated_at' | 'version' | 'accepted_option_ids' | 'quote_number' | 'title_key' | 'search_text'
> & { readonly description: string | null };

/**
 * Inserts the quote with a free number. An accepted quote's id stays taken even after the quote is deleted. If a concurrent request has
 * taken the id, the whole command is retried and finds that quote.
 */
export async function insertQuote(scope: TenantScope, row: NewQuoteRow): Promise<void> {
  const accepted = await scope.db
    .select({ id: quote_acceptances.quote_id })
    .from(quote_acceptances)
    .where(and(inCompany(scope, quote_acceptances), eq(quote_acceptances.quote_id, row.id)));
  if (accepted.length > 0) throw toFailure(idTakenError);
  const stamps = { company_id: scope.companyId, user_id: getUserId(scope.actor), created_at: scope.now, updated_at: scope.now, version: 1 };
  for (;;) {
    const quote_number = await findFreeQuoteNumber(scope);
    const inserted = await scope.db
      .insert(quotes)
      .values({ ...row, quote_number, ...buildQuoteSearchKeys(row, quote_number), ...stamps, accepted_option_ids: [] })
      .onConflictDoNothing({ target: [quotes.company_id, quotes.quote_number] })
      .returning({ id: quotes.id })
      .catch((error: unknown) => {
        const isIdTaken = isUniqueViolation(error, 'quotes_pkey');
        throw isIdTaken ? createTransactionConflict('A concurrent request has created this quote') : error;
      });
    // If a concurrent request has taken the number, the next one may be free.
    if (inserted.length > 0) return;
  }
}

/** Finds the copy that an earlier attempt of this request created. Throws if the id belongs to a different quote. */
export async function findQuoteCopy(scope: TenantScope, id: string, originalId: string): Promise<Quote | null> {
  const [quote] = await scope.db
    .select({ copied_from: quotes.copied_from })
    .from(quotes)
    .where(inCompany(scope, quotes, id));
  if (!quote) return null;
  if (quote.copied_from !== originalId) throw toFailure(idTakenError);
  return findQuote(scope, id);
}
