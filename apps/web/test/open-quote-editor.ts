import type { ItemChoice } from '@callout/contract/items';
import type { QuoteSectionInput } from '@callout/contract/quote-input';
import type { Quote } from '@callout/contract/quotes';
import { screen, within } from '@testing-library/react';
import { type Answers, openPage, refuse } from './open-page.tsx';
import { CUSTOMER, ITEM, OWNER, PROFILE, QUOTE, SUPPLIER } from './people.ts';

export const PIPE: ItemChoice = {
  id: ITEM.id,
  name: ITEM.name,
  sku: ITEM.sku,
  description: null,
  cost_price: '100.00',
  tax_inclusive: true,
  is_service: false,
  selling_price: '142.86',
  supplier: { id: SUPPLIER.id, company_name: SUPPLIER.company_name },
  matched: null,
};
export const LABOR: ItemChoice = {
  ...PIPE,
  id: '018f0000-0000-7000-8000-0000000000b2',
  name: 'Install and commission',
  sku: 'SV-1',
  is_service: true,
  tax_inclusive: false,
  selling_price: '105.00',
  cost_price: '0.00',
};

export const NEW = `/quotes/new?customer=${CUSTOMER.id}`;
export const EDIT = `/quotes/${QUOTE.id}/edit`;

export const searching = (term: string, ...rows: ItemChoice[]): Answers => ({
  [`GET /items/search?search=${encodeURIComponent(term)}`]: () => ({ rows, next_cursor: null }),
});

export interface SentQuote {
  id: string;
  version?: number;
  customer_id?: string;
  title: string;
  description: string | null;
  valid_until: string | null;
  deposit_percentage: string | null;
  deposit_amount: string | null;
  sections: QuoteSectionInput[];
  attachment_ids: string[];
}

/** The editor with everything it reads, by default of a quote that can be saved. */
export function openEditor(path: string, more: Answers = {}, role: 'admin' | 'manager' = 'admin') {
  const server = { quote: QUOTE as Quote | null, created: [] as SentQuote[], updated: [] as SentQuote[] };
  const page = openPage(path, {
    'GET /me': () => ({ ...OWNER, profile: { ...PROFILE, role } }),
    'GET /customers?status=active&sort=name&order=asc': () => ({ rows: [CUSTOMER], next_cursor: null }),
    [`GET /customers/${CUSTOMER.id}`]: () => CUSTOMER,
    'GET /quotes/count': () => ({ total: 0 }),
    'GET /quotes?sort=created_at&order=desc': () => ({ rows: [], next_cursor: null }),
    'GET /quotes/{id}/history': () => ({ rows: [], next_cursor: null }),
    'GET /quotes/{id}': () => server.quote ?? refuse('NOT_FOUND', 'Quote not found'),
    'PUT /quotes/{id}': (input) => {
      server.updated.push(input as SentQuote);
      return { ...QUOTE, version: 2 };
    },
    'POST /quotes': (input) => {
      server.created.push(input as SentQuote);
      return { ...QUOTE, id: (input as SentQuote).id };
    },
    ...searching('pipe', PIPE),
    ...searching('labor', LABOR),
    ...searching('unobtainium'),
    ...more,
  });
  return { ...page, server };
}

export const summary = () => within(screen.getByRole('complementary', { name: 'Figures' }));
export const section = (name: string) => within(screen.getByRole('region', { name }));
