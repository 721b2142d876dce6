import type { PublicQuote } from '@callout/contract/public-quotes';
import type { QuoteStatus } from '@callout/domain/quotes/quote';
import { buildQuoteDocument, type QuoteContent } from '@callout/domain/quotes/quote-document';
import { cleanup, render, screen } from '@testing-library/react';
import { PublicQuotePage } from '../src/features/quotes/public/public-quote-page.tsx';
import { type MockApi, mockServer } from './open-page.tsx';

export const PUBLIC_TOKEN = 'mCk3J0dX-q1Yw7Zr_b2NnA';
export const PUBLIC_QUOTE_PATH = `/public/quotes/${PUBLIC_TOKEN}`;
export const HOT_WATER_ID = '018f0000-0000-7000-8000-0000000000d1';
export const TOWEL_RAILS_ID = '018f0000-0000-7000-8000-0000000000d2';
export const OUTDOOR_TAP_ID = '018f0000-0000-7000-8000-0000000000d3';

type PublicQuoteContent = NonNullable<PublicQuote['content']>;
type PublicQuoteSection = PublicQuoteContent['sections'][number];

const buildItem = (name: string, unit_price: string, quantity: string, tax_inclusive: boolean) => ({
  name,
  unit_price,
  quantity,
  tax_inclusive,
  description: null,
  is_service: false,
});

export const buildSection = (
  id: string,
  name: string,
  always_required: boolean,
  items: PublicQuoteSection['items'],
): PublicQuoteSection => ({
  id,
  name,
  description: null,
  always_required,
  items,
});

/** The specification's worked example: 230.00 required, a first option of 230.00 and a second one of 92.00 (80.00 plus 12.00 tax). */
export const QUOTE_CONTENT: PublicQuoteContent = {
  quote_number: 'Q001234',
  title: 'Gas hot water',
  description: null,
  created_on: '2025-01-05',
  valid_until: '2025-02-28',
  currency: 'NZD',
  tax_rate: '15',
  deposit: null,
  issuer: { company_name: 'Tāne Plumbing & Gas', address: '12 Karangahape Road', phone: '09 555 0100', email: 'office@example.com' },
  customer: { name: 'Helen Faleolo', company_name: null },
  sections: [
    buildSection(HOT_WATER_ID, 'Gas hot water', true, [buildItem('Water heater', '230.00', '1', true)]),
    { ...buildSection(TOWEL_RAILS_ID, 'Towel rails', false, [buildItem('Rail 600 mm', '115.00', '2', true)]), description: 'Two rails' },
    buildSection(OUTDOOR_TAP_ID, 'Outdoor tap', false, [
      buildItem('Tap', '57.50', '1', true),
      { ...buildItem('Fitting it', '10.00', '3', false), is_service: true, description: 'On the deck' },
    ]),
  ],
};

/** Builds a sent quote with the given overrides. */
export const buildPublicQuote = (content: Partial<PublicQuoteContent> = {}, overrides: Partial<PublicQuote> = {}): PublicQuote => ({
  status: 'sent',
  is_actionable: true,
  content_hash: 'abc',
  deposit_path: null,
  member_path: null,
  logo_url: null,
  content: { ...QUOTE_CONTENT, ...content },
  accepted: null,
  attachments: [],
  ...overrides,
});

/** Builds a quote that can no longer be answered. */
export const buildClosedQuote = (status: QuoteStatus) => buildPublicQuote({}, { status, is_actionable: false });

export const buildAcceptedQuote = (sectionIds: readonly string[], is_intact = true, content: QuoteContent = QUOTE_CONTENT): PublicQuote => {
  const { sections, ...document } = buildQuoteDocument(content, sectionIds);
  const acceptedDocument = {
    ...document,
    issuer: { ...document.issuer },
    customer: document.customer && { ...document.customer },
    summary: { ...document.summary },
    sections: sections.map((each) => ({ ...each, items: [...each.items] })),
  };
  return {
    ...buildPublicQuote(),
    status: 'accepted',
    is_actionable: false,
    content_hash: null,
    content: null,
    accepted: {
      document: acceptedDocument,
      accepted_by: 'Helen Faleolo',
      accepted_at: '2025-01-06T11:28:00.000Z',
      timezone: 'Pacific/Auckland',
      is_intact,
    },
  };
};

/** Opens a quote as the customer would. Only the server is mocked. */
export function openPublicQuote(quote: PublicQuote | (() => unknown), responses: MockApi = {}) {
  const read = typeof quote === 'function' ? quote : () => quote;
  mockServer({ [`GET ${PUBLIC_QUOTE_PATH}`]: read, [`POST ${PUBLIC_QUOTE_PATH}/opened`]: () => ({}), ...responses });
  const open = () => render(<PublicQuotePage token={PUBLIC_TOKEN} />);
  open();
  const reopen = () => {
    cleanup();
    open();
  };
  return { reopen };
}

export const findSectionCard = async (name: string) => {
  const heading = await screen.findByRole('heading', { name, level: 3 });
  const card = heading.closest('li');
  if (!card) throw new Error(`${name} has no card`);
  return card;
};

export const getAcceptButton = () => screen.getByRole<HTMLButtonElement>('button', { name: /^Accept Quote|^Processing/ });
export const getHeaderTotal = () => screen.getByText('Total inc GST', { ignore: 'th' }).parentElement?.textContent;
/** Returns the text of each table row. ` | ` separates the non-empty cells. */
export const getTableRows = (part: Element | null | undefined) =>
  [...(part?.querySelectorAll('tbody tr') ?? [])].map((row) =>
    [...row.children]
      .map((cell) => cell.textContent?.trim())
      .filter(Boolean)
      .join(' | '),
  );
