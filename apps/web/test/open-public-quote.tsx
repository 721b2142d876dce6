import type { PublicQuote } from '@callout/contract/public-quotes';
import type { QuoteStatus } from '@callout/domain/quotes/quote';
import { type QuoteContent, quoteDocument } from '@callout/domain/quotes/quote-document';
import { cleanup, render, screen } from '@testing-library/react';
import { PublicQuotePage } from '../src/features/quotes/public/public-quote.tsx';
import { type Answers, playServer } from './open-page.tsx';

export const TOKEN = 'mCk3J0dX-q1Yw7Zr_b2NnA';
export const CALL = `/public/quotes/${TOKEN}`;
export const HOT = '018f0000-0000-7000-8000-0000000000d1';
export const RAILS = '018f0000-0000-7000-8000-0000000000d2';
export const TAP = '018f0000-0000-7000-8000-0000000000d3';

type Content = NonNullable<PublicQuote['content']>;
type ContentSection = Content['sections'][number];

const item = (name: string, unit_price: string, quantity: string, tax_inclusive: boolean) => ({
  name,
  unit_price,
  quantity,
  tax_inclusive,
  description: null,
  is_service: false,
});

export const section = (id: string, name: string, always_required: boolean, items: ContentSection['items']): ContentSection => ({
  id,
  name,
  description: null,
  always_required,
  items,
});

/** R 230.00, O1 230.00 (80.00 + 12.00 and more), O2 92.00: the worked example of the spec. */
export const CONTENT: Content = {
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
    section(HOT, 'Gas hot water', true, [item('Water heater', '230.00', '1', true)]),
    { ...section(RAILS, 'Towel rails', false, [item('Rail 600 mm', '115.00', '2', true)]), description: 'Two rails' },
    section(TAP, 'Outdoor tap', false, [
      item('Tap', '57.50', '1', true),
      { ...item('Fitting it', '10.00', '3', false), is_service: true, description: 'On the deck' },
    ]),
  ],
};

/** A quote that was sent, with what a test changes. */
export const publicQuote = (content: Partial<Content> = {}, more: Partial<PublicQuote> = {}): PublicQuote => ({
  status: 'sent',
  is_actionable: true,
  content_hash: 'abc',
  deposit_path: null,
  member_path: null,
  logo_url: null,
  content: { ...CONTENT, ...content },
  accepted: null,
  attachments: [],
  ...more,
});

/** An answered or expired quote. */
export const closedQuote = (status: QuoteStatus) => publicQuote({}, { status, is_actionable: false });

export const acceptedQuote = (sectionIds: readonly string[], is_intact = true, content: QuoteContent = CONTENT): PublicQuote => {
  const { sections, ...document } = quoteDocument(content, sectionIds);
  const kept = {
    ...document,
    issuer: { ...document.issuer },
    customer: document.customer && { ...document.customer },
    summary: { ...document.summary },
    sections: sections.map((each) => ({ ...each, items: [...each.items] })),
  };
  return {
    ...publicQuote(),
    status: 'accepted',
    is_actionable: false,
    content_hash: null,
    content: null,
    accepted: { document: kept, accepted_by: 'Helen Faleolo', accepted_at: '2025-01-06T10:28:00.000Z', is_intact },
  };
};

/** The page of a quote as a customer opens it; only the server is simulated. */
export function openPublicQuote(quote: PublicQuote | (() => unknown), answers: Answers = {}) {
  const read = typeof quote === 'function' ? quote : () => quote;
  playServer({ [`GET ${CALL}`]: read, [`POST ${CALL}/opened`]: () => ({}), ...answers });
  const open = () => render(<PublicQuotePage token={TOKEN} />);
  open();
  const reopen = () => {
    cleanup();
    open();
  };
  return { reopen };
}

export const cardOf = async (name: string) => {
  const heading = await screen.findByRole('heading', { name, level: 3 });
  const card = heading.closest('li');
  if (!card) throw new Error(`${name} has no card`);
  return card;
};

export const acceptButton = () => screen.getByRole<HTMLButtonElement>('button', { name: /^Accept Quote|^Processing/ });
export const headerTotal = () => screen.getByText('Total inc GST').parentElement?.textContent;
/** The rows of a table as a person reads them. */
export const rowsIn = (part: Element | null | undefined) =>
  [...(part?.querySelectorAll('tbody tr') ?? [])].map((row) =>
    [...row.children]
      .map((cell) => cell.textContent?.trim())
      .filter(Boolean)
      .join(' | '),
  );
