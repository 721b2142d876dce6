import { type PublicQuoteContent, PublicQuoteDocument } from '@callout/contract/public-quotes';
import type { Quote } from '@callout/contract/quotes';
import { type QuoteContent, quoteDocument } from '@callout/domain/quotes/quote-document';
import { localDate } from '@callout/domain/time/zoned-time';
import { sql } from 'drizzle-orm';
import { hashOf } from '../../platform/db/frozen-record.ts';
import type { Issuer } from '../company/company.sql.ts';
import { quote_acceptances } from './quotes.table.ts';

type ContentIssuer = Pick<Issuer, 'issuer' | 'timezone'> & Pick<QuoteContent, 'currency'>;

/** What a customer may know of a quote, and nothing else: every field is named, so that a new one stays inside until it is added here. */
export function quoteContent(quote: Omit<Quote, 'acceptance'>, { issuer, currency, timezone }: ContentIssuer): PublicQuoteContent {
  const { quote_number, title, description, valid_until, tax_rate, customer, deposit_percentage, deposit_amount } = quote;
  return {
    quote_number,
    title,
    description,
    created_on: localDate(quote.created_at, timezone),
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

/** The files of a quote, as they are kept with what was accepted. */
export const filesOf = ({ attachments }: Pick<Quote, 'attachments'>) =>
  attachments.map(({ id, file_name, file_size, file_type }) => ({ id, file_name, file_size, file_type }));

/** Of all that a customer is offered: another file changes it, as another price does. */
export const offerHash = (content: QuoteContent, quote: Pick<Quote, 'attachments'>) => hashOf({ ...content, files: filesOf(quote) });

/** The accepted sections that are no longer as they were accepted; all of them when nobody can read what was. */
export function changedSections(quote: Omit<Quote, 'acceptance'>, sectionIds: readonly string[], copy: unknown): string[] {
  const { data: accepted } = PublicQuoteDocument.safeParse(copy);
  if (!accepted) return [...sectionIds];
  const { issuer, currency } = accepted;
  const { sections } = quoteDocument(quoteContent(quote, { issuer, currency, timezone: 'UTC' }), sectionIds);
  const acceptedHashes = new Set(accepted.sections.map(hashOf));
  return sections.filter((section) => sectionIds.includes(section.id) && !acceptedHashes.has(hashOf(section))).map(({ id }) => id);
}

const { record, sha256, ...kept } = quote_acceptances;
const recorded = (name: keyof typeof kept) => sql`found -> ${sql.raw(`'${name}'`)}`;

/** Whether a kept acceptance still has the hash it was kept with, and its row still says what was recorded. */
export const isIntact = sql<boolean>`(encode(sha256(convert_to(${record}, 'UTF8')), 'hex') = ${sha256}
  and (select jsonb_build_array(${recorded('quote_id')}, ${recorded('job_number')}, ${recorded('section_ids')}, ${recorded('total_amount')},
      ${recorded('accepted_by')}, ${recorded('by_customer')}, ${recorded('staff_id')}, ${recorded('accepted_at')},
      ${recorded('network_address')}, ${recorded('browser')}, ${recorded('user_agent')}) from readable_json(${record}) found)
    = jsonb_build_array(${kept.quote_id}, ${kept.job_number}, ${kept.section_ids}, ${kept.total_amount}::text,
      ${kept.accepted_by}, ${kept.by_customer}, ${kept.staff_id}, to_char(${kept.accepted_at}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      ${kept.network_address}, ${kept.browser}, ${kept.user_agent}))`;
