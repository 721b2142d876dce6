import { type PublicQuoteContent, PublicQuoteDocument } from '@callout/contract/public-quotes';
import type { Quote } from '@callout/contract/quotes';
import { buildQuoteDocument, type QuoteContent } from '@callout/domain/quotes/quote-document';
import { toLocalDate } from '@callout/domain/time/zoned-time';
import type { Issuer } from '../company/company.sql.ts';
import { hashDocument } from '../documents/freeze-document.ts';

type ContentIssuer = Pick<Issuer, 'issuer' | 'timezone'>;

/** Lists every field explicitly, so that a new quote field stays hidden from customers until someone adds it to this list. */
export function buildQuoteContent(quote: Omit<Quote, 'acceptance'>, { issuer, timezone }: ContentIssuer): PublicQuoteContent {
  const { quote_number, title, description, valid_until, tax_rate, currency, deposit_percentage, deposit_amount } = quote;
  const customer = quote.customer ?? quote.former_customer;
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
