import type { ItemChoice } from '@callout/contract/items';
import type { QuoteSectionInput } from '@callout/contract/quote-input';
import type { Quote } from '@callout/contract/quotes';
import { screen, within } from '@testing-library/react';
import { ADMIN_USER, CUSTOMER, ITEM, PROFILE, QUOTE, SUPPLIER } from './fixtures.ts';
import { failWith, type MockApi, openPage } from './open-page.tsx';

export const PIPE_ITEM: ItemChoice = {
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
export const LABOR_ITEM: ItemChoice = {
  ...PIPE_ITEM,
  id: '018f0000-0000-7000-8000-0000000000b2',
  name: 'Install and commission',
  sku: 'SV-1',
  is_service: true,
  tax_inclusive: false,
  selling_price: '105.00',
  cost_price: '0.00',
};

export const NEW_QUOTE_PATH = `/quotes/new?customer=${CUSTOMER.id}`;
export const EDIT_QUOTE_PATH = `/quotes/${QUOTE.id}/edit`;

export const buildItemSearchResponse = (term: string, ...rows: ItemChoice[]): MockApi => ({
  [`GET /items/search?search=${encodeURIComponent(term)}`]: () => ({ rows, next_cursor: null }),
});

export interface SentQuoteInput {
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

/** Opens the quote editor with all mock responses it needs. Saving succeeds unless `responses` says otherwise. */
export function openQuoteEditor(path: string, responses: MockApi = {}, role: 'admin' | 'manager' = 'admin') {
  const server = { quote: QUOTE as Quote | null, created: [] as SentQuoteInput[], updated: [] as SentQuoteInput[] };
  const page = openPage(path, {
    'GET /me': () => ({ ...ADMIN_USER, profile: { ...PROFILE, role } }),
    'GET /customers?status=active&sort=name&order=asc': () => ({ rows: [CUSTOMER], next_cursor: null }),
    [`GET /customers/${CUSTOMER.id}`]: () => CUSTOMER,
    'GET /quotes/count': () => ({ total: 0 }),
    'GET /quotes?sort=created_at&order=desc': () => ({ rows: [], next_cursor: null }),
    'GET /quotes/{id}/history': () => ({ rows: [], next_cursor: null }),
    'GET /quotes/{id}': () => server.quote ?? failWith('NOT_FOUND', 'Quote not found'),
    'PUT /quotes/{id}': (input) => {
      server.updated.push(input as SentQuoteInput);
      return { ...QUOTE, version: 2 };
    },
    'POST /quotes': (input) => {
      server.created.push(input as SentQuoteInput);
      return { ...QUOTE, id: (input as SentQuoteInput).id };
    },
    ...buildItemSearchResponse('pipe', PIPE_ITEM),
    ...buildItemSearchResponse('labor', LABOR_ITEM),
    ...buildItemSearchResponse('unobtainium'),
    ...responses,
  });
  return { ...page, server };
}

export const getQuoteTotals = () => within(screen.getByRole('complementary', { name: 'Quote totals' }));
export const getQuoteSection = (name: string) => within(screen.getByRole('region', { name }));
