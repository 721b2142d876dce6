import { type PublicQuoteContent, PublicQuoteDocument } from '@callout/contract/public-quotes';
import type { Quote } from '@callout/contract/quotes';
import { buildQuoteDocument, type QuoteContent } from '@callout/domain/quotes/quote-document';
import { toLocalDate } from '@callout/domain/time/zoned-time';
import { sql } from 'drizzle-orm';
import { hashDocument } from '../../platform/db/freeze-document.ts';
import type { Issuer } from '../company/company.sql.ts';
import { quote_acceptances } from './quotes.table.ts';

/** This file builds the content that customers see and detects changes to it. Only `isAcceptanceIntact` contains SQL. */

type ContentIssuer = Pick<Issuer, 'issuer' | 'timezone'>;

/** Lists every field explicitly, so that a new quote field stays hidden from customers until someone adds it to this list. */
export function buildQuoteContent(quote: Omit<Quote, 'acceptance'>, { issuer, timezone }: ContentIssuer): PublicQuoteContent {
  const { quote_number, title, description, valid_until, tax_rate, currency, customer, deposit_percentage, deposit_amount } = quote;
  return {
    quote_number,
    title,
    description,
    created_on: toLocalDate(quote.created_at, timezone),
    valid_until,
    currency,
    tax_rate,
    deposit: deposit_percentage === null && deposit_amount === null ? null : { deposit_percentage, deposit_amount },
    issuer,
    customer: customer && { name: customer.name, company_name: customer.company_name },
    sections: quote.sections.map((section) => ({
      id: section.id,
      name: section.name,
      description: section.description,
      always_required: section.always_required,
      items: section.items.map(({ name, description: details, is_service, tax_inclusive, quantity, unit_price }) => ({
        name,
        description: details,
        is_service,
        tax_inclusive,
        quantity,
        unit_price,
      })),
    })),
  };
}

export const getFileDetails = ({ attachments }: Pick<Quote, 'attachments'>) =>
  attachments.map(({ id, file_name, file_size, file_type }) => ({ id, file_name, file_size, file_type }));

/** Hashes everything the customer is offered, including files, so that a changed file is detected just like a changed price. */
export const hashQuoteOffer = (content: QuoteContent, quote: Pick<Quote, 'attachments'>) =>
  hashDocument({ ...content, files: getFileDetails(quote) });

/** Returns the ids of accepted sections that were changed after acceptance, or of all of them if the accepted copy is unreadable. */
export function getChangedSectionIds(quote: Omit<Quote, 'acceptance'>, sectionIds: readonly string[], copy: unknown): string[] {
  const { data: accepted } = PublicQuoteDocument.safeParse(copy);
  if (!accepted) return [...sectionIds];
  const { issuer, currency } = accepted;
  const { sections } = buildQuoteDocument(buildQuoteContent({ ...quote, currency }, { issuer, timezone: 'UTC' }), sectionIds);
  const acceptedHashes = new Set(accepted.sections.map(hashDocument));
  return sections.filter((section) => sectionIds.includes(section.id) && !acceptedHashes.has(hashDocument(section))).map(({ id }) => id);
}

const { record, sha256, ...columns } = quote_acceptances;
const recordField = (name: keyof typeof columns) => sql`found -> ${sql.raw(`'${name}'`)}`;

/** True if the record still matches its hash and the columns still match the record. */
export const isAcceptanceIntact = sql<boolean>`(encode(sha256(convert_to(${record}, 'UTF8')), 'hex') = ${sha256}
  and (select jsonb_build_array(${recordField('quote_id')}, ${recordField('job_number')}, ${recordField('section_ids')}, ${recordField('total_amount')},
      ${recordField('accepted_by')}, ${recordField('by_customer')}, ${recordField('staff_id')}, ${recordField('accepted_at')},
      ${recordField('network_address')}, ${recordField('browser')}, ${recordField('user_agent')}) from readable_json(${record}) found)
    = jsonb_build_array(${columns.quote_id}, ${columns.job_number}, ${columns.section_ids}, ${columns.total_amount}::text,
      ${columns.accepted_by}, ${columns.by_customer}, ${columns.staff_id}, to_char(${columns.accepted_at}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      ${columns.network_address}, ${columns.browser}, ${columns.user_agent}))`;
