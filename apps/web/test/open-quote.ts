import type { Quote } from '@callout/contract/quotes';
import type { Role } from '@callout/domain/roles/roles';
import { act, fireEvent, screen } from '@testing-library/react';
import { ADMIN_USER, PROFILE, QUOTE, QUOTE_ITEM, QUOTE_SECTION } from './fixtures.ts';
import { type MockApi, openPage, pressButton } from './open-page.tsx';

export const QUOTE_PATH = `/quotes/${QUOTE.id}`;

/** One required section of 230.00 and two optional ones of 230.00 and 92.00. */
export const [REQUIRED_SECTION, TOWEL_RAIL_SECTION, OUTDOOR_TAP_SECTION] = [
  { ...QUOTE_SECTION, name: 'Heat pump', always_required: true },
  {
    ...QUOTE_SECTION,
    id: '018f0000-0000-7000-8000-0000000000d2',
    name: 'Towel rail',
    items: [{ ...QUOTE_ITEM, id: '018f0000-0000-7000-8000-0000000000e2', name: 'Rail', unit_price: '200.00', tax_inclusive: false }],
  },
  {
    ...QUOTE_SECTION,
    id: '018f0000-0000-7000-8000-0000000000d3',
    name: 'Outdoor tap',
    description: 'Frost free',
    subtotal: '80.00',
    tax_amount: '12.00',
    total_amount: '92.00',
    items: [
      { ...QUOTE_ITEM, id: '018f0000-0000-7000-8000-0000000000e3', name: 'Tap', quantity: '2', unit_price: '46.00', total_price: '92.00' },
    ],
  },
];
export const THREE_SECTION_QUOTE: Partial<Quote> = {
  sections: [REQUIRED_SECTION, TOWEL_RAIL_SECTION, OUTDOOR_TAP_SECTION],
  subtotal: '480.00',
  tax_amount: '72.00',
  total_amount: '552.00',
};

export const EMPTY_QUOTE: Partial<Quote> = { sections: [{ ...QUOTE_SECTION, items: [] }], total_amount: '0.00' };

export const QUOTE_ACCEPTANCE: NonNullable<Quote['acceptance']> = {
  accepted_by: 'Ana Rossi',
  by_customer: true,
  accepted_at: '2026-03-03T01:00:00.000Z',
  network_address: '203.0.113.7',
  browser: 'Safari on iPhone',
  section_ids: [REQUIRED_SECTION.id, OUTDOOR_TAP_SECTION.id],
  total_amount: '322.00',
  job_id: '018f0000-0000-7000-8000-000000000011',
  job_number: 'J26030042',
  changed_section_ids: [],
  is_intact: true,
  sha256: 'a'.repeat(64),
};
export const ACCEPTED_QUOTE: Partial<Quote> = {
  status: 'accepted',
  shown_status: 'accepted',
  is_actionable: false,
  acceptance: QUOTE_ACCEPTANCE,
};
export const SENT_QUOTE: Partial<Quote> = { status: 'sent', shown_status: 'sent', sent_at: '2026-03-02T20:00:00.000Z' };

/** Opens the page. Returns the mock server's quote, which tests can change while the page is open. */
export function openQuotePage(change: Partial<Quote> = {}, responses: MockApi = {}, role: Role = 'admin') {
  const server = { quote: { ...QUOTE, ...change } };
  const page = openPage(QUOTE_PATH, {
    'GET /me': () => ({ ...ADMIN_USER, profile: { ...PROFILE, role } }),
    [`GET ${QUOTE_PATH}`]: () => server.quote,
    'GET /quotes/{id}/history': () => ({ rows: [], next_cursor: null }),
    'GET /quotes/count': () => ({ total: 0 }),
    'GET /quotes?sort=created_at&order=desc': () => ({ rows: [], next_cursor: null }),
    ...responses,
  });
  return { ...page, server };
}

export const findQuoteHeading = () => screen.findByRole('heading', { level: 1, name: QUOTE.title });

export const findLinkHref = async (name: string | RegExp) =>
  (await screen.findByRole<HTMLAnchorElement>('link', { name })).getAttribute('href');

/** Opens the page's "…" menu and chooses an item. */
export async function chooseMoreAction(item: string) {
  await pressButton('More actions');
  const entry = await screen.findByRole('menuitem', { name: item });
  await act(async () => fireEvent.click(entry));
}
