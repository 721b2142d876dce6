import { createHash } from 'node:crypto';
import type { PublicQuoteContent } from '@callout/contract/public-quotes';
import type { Quote } from '@callout/contract/quotes';
import { canonicalJson, type Frozen } from '@callout/domain/documents/canonical-json';
import { localDate } from '@callout/domain/time/zoned-time';
import { sql } from 'drizzle-orm';
import type { Issuer } from '../company/company.sql.ts';
import { quote_acceptances } from './quotes.table.ts';

/** What a customer may know of a quote, and nothing else: every field is named, so that a new one stays inside until it is added here. */
export function quoteContent(quote: Quote, { issuer, currency, timezone }: Issuer): PublicQuoteContent {
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

/** The hash of a document's canonical JSON: equal for what is word for word the same. */
export const hashOf = (document: object) =>
  createHash('sha256')
    .update(canonicalJson(document as Frozen))
    .digest('hex');

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
