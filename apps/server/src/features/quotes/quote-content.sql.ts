import type { Quote } from '@callout/contract/quotes';
import type { QuoteContent } from '@callout/domain/quotes/quote-document';
import { localDate } from '@callout/domain/time/zoned-time';
import { inCompany } from '../../platform/db/records.ts';
import type { TenantScope } from '../../platform/db/tenant-scope.ts';
import { companies } from '../company/company.table.ts';

/** Who sends a quote, as its documents name them. */
export async function readIssuer(scope: TenantScope) {
  const { company_name, address, phone, email, currency, timezone, avatar_url: logo_url } = companies;
  const [company] = await scope.db
    .select({ issuer: { company_name, address, phone, email }, currency, timezone, logo_url })
    .from(companies)
    .where(inCompany(scope, companies));
  if (!company) throw new Error('The company of a quote is gone');
  return company;
}

export type Issuer = Awaited<ReturnType<typeof readIssuer>>;

/** What its customer may know of a quote: field by field, so that nothing else of it gets out. */
export function contentOf(quote: Quote, { issuer, currency, timezone }: Issuer): QuoteContent {
  const { quote_number, title, description, valid_until, tax_rate, customer } = quote;
  return {
    quote_number,
    title,
    description,
    created_on: localDate(quote.created_at, timezone ?? 'UTC'),
    valid_until,
    currency,
    tax_rate,
    issuer,
    customer: customer && { name: customer.name, company_name: customer.company_name },
    sections: quote.sections.map((section) => ({
      id: section.id,
      name: section.name,
      description: section.description,
      always_required: section.always_required,
      items: section.items.map((item) => ({
        name: item.name,
        description: item.description,
        is_service: item.is_service,
        tax_inclusive: item.tax_inclusive,
        quantity: item.quantity,
        unit_price: item.unit_price,
      })),
    })),
  };
}
